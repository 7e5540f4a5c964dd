"""The sections `validation`, `vectors` and `channels` of the configuration."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt

from cr5.contracts.keys import A_PATH, Language, PathText, Section, one_of, or_all
from cr5.counts.rules import Rules, TermFrequency

DOCUMENTS = "documents"
FOUND_NOTHING = "found NOTHING"  # in a warning of a fit: its figures are those of chance


class ValidationOptions(Section):
    """How the fits of a grid are compared, and how far a grid goes on by itself."""

    criterion: Literal["mrr", "p@1", "authors"] = "mrr"
    """By what the fits of a grid are compared: `mrr`, the mean reciprocal rank; `p@1`; `authors`,
    minus the mean of 1 / MRR as in the authors' code."""
    extend: NonNegativeInt = 4
    """Values at most by which a grid is extended where its best value is at an edge; 0 for none."""
    task: Annotated[str, one_of("validation")] = DOCUMENTS
    """The task whose searches compare the fits, unless a system has its own `validation_task`:
    `documents`, with the queries that are drawn, whether that task is run or not; or another task
    that has validation queries."""


class VectorOptions(Section):
    """Skip-gram with negative sampling (Mikolov et al. 2013, Bojanowski et al. 2017)."""

    algorithm: Literal["word2vec", "fasttext"] = "fasttext"
    """Skip-gram with negative sampling; `fasttext` adds character n-grams."""
    dimension: PositiveInt = 300
    """Length of a vector."""
    window: PositiveInt = 5
    """Words on each side that count as context."""
    epochs: PositiveInt = 5
    """Passes over the text."""
    negative: PositiveInt = 5
    """Noise words per context word."""
    min_count: PositiveInt = 5
    """Words that occur less often get no vector."""
    sample: Annotated[float, Field(ge=0, lt=1)] = 1e-4
    """Threshold above which frequent words are thinned out; 0 keeps them all."""
    buckets: PositiveInt = 2_000_000
    """Vectors that fastText's character n-grams share: 2.4 GB at length 300; take fewer on small
    corpora."""
    threads: PositiveInt = 1
    """Threads that train the vectors of a language; with more than one, no two runs give the same
    bytes."""


class ChannelOptions(Section):
    """Monolingual text, with or without relevance."""

    documents: Annotated[str, Field(min_length=1), A_PATH]
    """The texts, with `{language}` in the path where each language has its own: JSON lines, TREC,
    or lines of id and text, as in the task `ad_hoc`."""
    queries: PathText = ""
    """Texts for which some of the documents are relevant, such as titles or what was asked; of the
    same layouts. None: there are only documents."""
    qrels: Annotated[str, Field(pattern=r"^[^{}]*$"), A_PATH] = ""
    """Which documents are relevant for which queries, such as those clicked on; needed with
    `queries`, one file for all languages."""
    languages: Annotated[list[Language] | None, or_all("languages")] = None
    """The languages that have a channel; none for all."""


class TrainingOptions(BaseModel):
    """The parts of the configuration by which a training set is gathered."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bags: Rules
    """Which words count."""
    idf: Literal["corpus", "none"]
    """How words weigh."""
    term_frequency: TermFrequency
    """How counts enter."""
    validation: ValidationOptions
    """How fits are compared."""
    csls_neighbours: int
    """Neighbours of CSLS among the training documents that a model keeps; 0 if it keeps none."""
    seed: int
    """Of the repetition."""
