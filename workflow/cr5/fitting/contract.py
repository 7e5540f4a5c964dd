"""The input and the output of a system's `fit`, see `base.parts.System`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.rows import HybridRows, Rows
from cr5.fitting.choose import MRR, Criterion
from cr5.fitting.seeds import Seeds
from cr5.fitting.vectors import Coverage
from cr5.models.contract import Model, ModelError
from cr5.models.word_tables import WordTables

NO_SEEDS = Seeds()
NUMBERS = "fiub"  # kinds of arrays: floats, integers, truth values


@dataclass(frozen=True, eq=False)
class Channel:
    """Counts of text of one language alone, texts x words of the training documents.

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
        validate: scores a model by the validation queries, see `fitting.choose.validation`. A
            system may choose its hyperparameters by this alone.
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
    """

    languages: tuple[str, ...]
    words: Mapping[str, list[str]]
    features: Mapping[str, sparse.csr_matrix]
    concepts: Mapping[str, np.ndarray]
    n_concepts: int
    weights: Mapping[str, np.ndarray]
    term_frequency: str
    frequencies: Mapping[str, np.ndarray]
    validate: Callable[[Model], float]
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

    def model(self, tables: Mapping[str, Rows]) -> WordTables:
        """Make the model that nearly every system uses: word tables with tf-idf as in `features`.

        `tables` has per language words x r.
        """
        for language, rows in tables.items():
            _check_numbers(language, rows)
        with np.errstate(over="ignore"):  # `Model.check` checks that they are finite
            as_float32 = {x: y.astype(np.float32, copy=False) for x, y in tables.items()}
        return WordTables(self.words, as_float32, self.weights, term_frequency=self.term_frequency)


def _check_numbers(language: str, rows: Rows) -> None:
    """Refuse tables whose values float32 cannot stand for: complex numbers, text or objects."""
    parts = (rows.dense, rows.sparse) if isinstance(rows, HybridRows) else (rows,)
    for part in parts:
        found = getattr(part, "dtype", type(part).__name__)
        if getattr(found, "kind", "none") not in NUMBERS:
            raise ModelError(f"table of {language!r}: expected float numbers, found {found}")


@dataclass(frozen=True)
class Fit:
    """A fitted system."""

    model: Model
    # facts about the fit, JSON-able: convergence, warnings; no times, which differ
    report: dict[str, Any] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)  # validated hyperparameters, by name
