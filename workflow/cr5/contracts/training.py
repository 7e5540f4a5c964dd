"""The input and the output of a system's `fit`, see `contracts.system.System`."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from cr5.contracts.model import Model
from cr5.contracts.seeds import Seeds
from cr5.contracts.vocabulary import Fallbacks

MIN_SHARE = 0.5  # of a vocabulary with vectors; a smaller share is warned of
MAX_OTHER_CASE = 0.05  # share of words whose vector is only under a spelling with capitals


def silent(sentence: str) -> None:
    """Say nothing."""


class Criterion(NamedTuple):
    """A score of the ranks of a directed pair's validation queries: the larger the better."""

    name: str
    title: str  # in figures
    of_ranks: Callable[[np.ndarray], float]  # of best answers, from 1; inf where none was found


def _mean_reciprocal(ranks: np.ndarray) -> float:
    return float((1 / ranks).mean())


def _share_ranked_first(ranks: np.ndarray) -> float:
    return float((ranks <= 1).mean())


def _minus_inverse_mrr(ranks: np.ndarray) -> float:
    """Return -1 / MRR: Josifoski et al.'s code minimises the mean of 1 / MRR."""
    mrr = (1 / ranks).mean()
    return float(-1 / mrr) if mrr else -math.inf


CRITERIA = {
    "mrr": Criterion("mrr", "MRR", _mean_reciprocal),
    "p@1": Criterion("p@1", "P@1", _share_ranked_first),
    "authors": Criterion("authors", "minus the mean of 1 / MRR", _minus_inverse_mrr),
}


MRR = CRITERIA["mrr"]


class SearchSize(NamedTuple):
    """How many queries search how many candidates."""

    n_queries: int
    n_candidates: int


@dataclass(frozen=True)
class QueryRanks:
    """The queries of a search, and the rank of the best answer of each."""

    ids: np.ndarray  # (n,); the same query has one id in all directions
    ranks: np.ndarray  # (n,), from 1; inf where none was found


@dataclass(frozen=True)
class Validation:
    """How well a model ranks the validation queries.

    Attributes:
        score: the mean of a criterion over directed pairs.
        sizes: of the searches of these pairs; empty where they are not known, as are
        ranks: of their queries.
    """

    score: float
    sizes: Sequence[SearchSize] = ()
    ranks: Sequence[QueryRanks] = field(default=(), compare=False)  # arrays have no one equality


NO_SEEDS = Seeds()


@dataclass(frozen=True)
class Coverage:
    """How many words of a language's vocabulary have a vector."""

    language: str
    n_words: int
    n_with_vector: int
    n_other_case: int  # of those without, words that have one with capitals

    @property
    def share(self) -> float:
        """The share of the vocabulary that has a vector."""
        return self.n_with_vector / max(self.n_words, 1)

    @property
    def warnings(self) -> list[str]:
        """Warnings that few words have a vector, or that capitals are the reason."""
        warnings = []
        if self.share < MIN_SHARE:
            warnings.append(
                f"{self.language}: only {self.n_with_vector} of {self.n_words} words of the "
                f"vocabulary ({self.share:.0%}) have a vector"
            )
        if self.n_other_case > MAX_OTHER_CASE * self.n_words:
            warnings.append(
                f"{self.language}: {self.n_other_case} of {self.n_words} words have a vector with "
                "capitals only: lower-case the words of the file, or count words as they are "
                "written (bags.case: keep)"
            )
        return warnings


@dataclass(frozen=True, eq=False)
class Channel:
    """Monolingual text as counts: texts x words of the training documents.

    Networks learn from it what is similar within a language (Gupta, Banchs and Rosso 2017).
    """

    documents: sparse.csr_matrix
    queries: sparse.csr_matrix | None = None
    relevance: sparse.csr_matrix | None = None  # queries x documents, such as titles and articles


@dataclass(frozen=True)
class TrainingSet:
    """The training documents of one setting, without anything from test concepts.

    Attributes:
        languages: in alphabetical order.
        words: per language the vocabulary, most frequent first.
        features: per language documents x words, tf-idf with L2-normalised rows, float64.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of distinct concepts over all languages.
        weights: per language the idf of each word, float64.
        term_frequency: how counts enter `features`: `raw`, `log`, `sqrt` or `binary`.
        frequencies: per language the collection frequency of each word.
        validate: scores a model by the validation queries, see `fitting.choose.Validator`. A
            system may choose its hyperparameters by this alone.
        tell: says in a sentence what is being done, such as what was tried, and its score.
        seed: of the repetition; make generators from it with `numpy.random.default_rng`.
        threads: that the fit may use; their number must not change a byte of the result.
        counts: per language documents x words, rows as in `features`; empty, as all that follows,
            unless the system needs them.
        vectors: per language words x d float32, zero where a word has no vector.
        coverage: per language how many words have one.
        seeds: word pairs to start from, and the words that tests ask for.
        texts: per language a function that reads the text of each row of `features`.
        alignments: per language, per other language: words x words of the other language, the
            probability of each translation.
        channels: per language that has any, text of it alone.
        files: per language, per key of the system: its file.
        encoded: the folder where rows that encoders make of texts are kept; None: nowhere.
        criterion: what `validate` computes.
        extend: maximum number of values added to a grid beyond those given.
        fallbacks: per language what stands for other words, if a system has such: columns of
            `features` and `weights` behind those of the words.
        encoder: the model of an encoder of others, if a system learns from its rows, too.
        encoder_rows: per language what it makes of the texts of the rows of `features`, documents
            x d, float64.
        near_words: per language its words x the words of all languages, those that an encoder of
            others finds near, if a system has such.
    """

    languages: tuple[str, ...]
    words: Mapping[str, list[str]]
    features: Mapping[str, sparse.csr_matrix]
    concepts: Mapping[str, np.ndarray]
    n_concepts: int
    weights: Mapping[str, np.ndarray]
    term_frequency: str
    frequencies: Mapping[str, np.ndarray]
    validate: Callable[[Model], Validation]
    seed: int
    threads: int = 1
    counts: Mapping[str, sparse.csr_matrix] = field(default_factory=dict)
    vectors: Mapping[str, np.ndarray] = field(default_factory=dict)
    coverage: Mapping[str, Coverage] = field(default_factory=dict)
    seeds: Seeds = NO_SEEDS
    texts: Mapping[str, Callable[[], list[str]]] = field(default_factory=dict)
    alignments: Mapping[str, Mapping[str, sparse.csr_matrix]] = field(default_factory=dict)
    channels: Mapping[str, Channel] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    encoded: Path | None = None
    criterion: Criterion = MRR
    extend: int = 0
    fallbacks: Mapping[str, Fallbacks] = field(default_factory=dict)
    encoder: Model | None = None
    encoder_rows: Mapping[str, np.ndarray] = field(default_factory=dict)
    near_words: Mapping[str, sparse.csr_matrix] = field(default_factory=dict)
    tell: Callable[[str], None] = silent


@dataclass(frozen=True)
class Fit:
    """A fitted system."""

    model: Model
    # facts about the fit, JSON-able: convergence, warnings; no times, which differ
    report: dict[str, Any] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)  # validated hyperparameters, by name
