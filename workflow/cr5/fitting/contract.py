"""The input and the output of a system's `fit`.

A system is a class, see `base.parts.System`; its `fit` is called with one BLAS thread.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.rows import Rows
from cr5.fitting.channels import Channel
from cr5.fitting.criteria import MRR, Criterion
from cr5.fitting.seeds import Seeds
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables


@dataclass(frozen=True)
class TrainingSet:
    """The training documents of one setting, without anything from test concepts.

    Attributes:
        languages: in alphabetical order, whatever their order in the configuration.
        words: per language the vocabulary, in the column order of `features`: most frequent
            first.
        features: per language documents x words, tf-idf with L2-normalised rows, float64.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of distinct concepts over all languages.
        weights: per language the idf of each word, float64.
        term_frequency: how counts enter `features`: `raw`, `log`, `sqrt` or `binary`.
        frequencies: per language the collection frequency of each word.
        validate: maps a model to the criterion of the validation queries, by the model's first
            measure, averaged over all directed pairs that the setting searches. A system may
            choose its hyperparameters by this alone. See `fitting.best`; a `Score` also has the
            pairs.
        seed: of the repetition; make generators from it with `numpy.random.default_rng`.
        threads: that the fit may use; their number must not change a byte of the result.
        counts: per language documents x words, rows as in `features`; None unless the system needs
            them, because they are as large.
        vectors: per language words x d float32, rows as in `words`, zero where a word has
            no vector; None unless the system needs them.
        seeds: word pairs to start from, and the words that tests ask for; None unless the system
            needs them.
        texts: per language a function that reads the text of each row of `features`; None unless
            the system needs them.
        alignments: per language, per other language: words x words of the other language, the
            probability of each translation; None unless the system needs them.
        channels: per language that has any, text of it alone; empty unless the system needs it.
        files: per language, per key of the system: its file; None unless the system has any.
        criterion: what `validate` computes, and which of two scores is better.
        extend: maximum number of values added to a grid beyond those given, see `fitting.grid`.
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
    counts: Mapping[str, sparse.csr_matrix] | None = None
    vectors: Mapping[str, np.ndarray] | None = None
    seeds: Seeds | None = None
    texts: Mapping[str, Callable[[], list[str]]] | None = None
    alignments: Mapping[str, Mapping[str, sparse.csr_matrix]] | None = None
    channels: Mapping[str, Channel] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] | None = None
    criterion: Criterion = MRR
    extend: int = 0

    def model(self, tables: Mapping[str, Rows]) -> WordTables:
        """Make the model that nearly every system uses: word tables with tf-idf as in `features`.

        Args:
            tables: per language words x r.
        """
        as_float32 = {x: _float32(table) for x, table in tables.items()}
        return WordTables(self.words, as_float32, self.weights, term_frequency=self.term_frequency)


@dataclass(frozen=True)
class Fit:
    """A fitted system.

    Attributes:
        model: embeds documents.
        report: facts about the fit, JSON-able: convergence, warnings. No times, which are not
            reproducible.
        chosen: the values of the validated hyperparameters, by name; `fitting.best` adds them to
            the report.
    """

    model: Model
    report: dict[str, Any] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)


def _float32(table: Any) -> Any:
    """Convert to float32; `Model.check` checks that it is a table and finite."""
    with np.errstate(over="ignore"):
        return table.astype(np.float32, copy=False) if hasattr(table, "astype") else table
