"""The section `vectors` of the configuration: how monolingual word vectors are trained."""

from typing import Annotated, Literal

from pydantic import Field

from cr5.base.parts import Section

Positive = Annotated[int, Field(ge=1)]


class VectorOptions(Section):
    """Skip-gram with negative sampling (Mikolov et al. 2013, Bojanowski et al. 2017)."""

    algorithm: Literal["word2vec", "fasttext"] = "fasttext"
    """Skip-gram with negative sampling; `fasttext` adds character n-grams."""
    dimension: Positive = 300
    """Length of a vector."""
    window: Positive = 5
    """Words on each side that count as context."""
    epochs: Positive = 5
    """Passes over the text."""
    negative: Positive = 5
    """Noise words per context word."""
    min_count: Positive = 5
    """Words that occur less often get no vector."""
    sample: Annotated[float, Field(ge=0, lt=1)] = 1e-4
    """Threshold above which frequent words are thinned out; 0 keeps them all."""
    buckets: Positive = 2_000_000
    """Of fastText's character n-grams, each a vector: 2.4 GB at length 300; take fewer on small
    corpora."""
    threads: Positive = 1
    """That train the vectors of a language; with more than one, no two runs give the same bytes."""
