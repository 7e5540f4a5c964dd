"""The section `vectors` of the configuration: how monolingual word vectors are trained."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from cr5.base.options import Section

Positive = Annotated[int, Field(ge=1)]


@dataclass(frozen=True)
class VectorOptions(Section):
    """Skip-gram with negative sampling (Mikolov et al. 2013, Bojanowski et al. 2017).

    Attributes:
        algorithm: skip-gram with negative sampling; `fasttext` adds character n-grams.
        dimension: length of a vector.
        window: words on each side that count as context.
        epochs: passes over the text.
        negative: noise words per context word.
        min_count: words that occur less often get no vector.
        sample: threshold above which frequent words are thinned out; 0 keeps them all.
        buckets: of fastText's character n-grams, each a vector: 2.4 GB at length 300; take fewer on
            small corpora.
        threads: that train the vectors of a language; with more than one, no two runs give the same
            bytes.
    """

    algorithm: Literal["word2vec", "fasttext"] = "fasttext"
    dimension: Positive = 300
    window: Positive = 5
    epochs: Positive = 5
    negative: Positive = 5
    min_count: Positive = 5
    sample: Annotated[float, Field(ge=0, lt=1)] = 1e-4
    buckets: Positive = 2_000_000
    threads: Positive = 1
