"""What a system is given when it is fitted, and what it gives back.

A system is a module with

- `fit(training: TrainingSet, options: dict) -> Fit`,
- `OPTIONS`, a dictionary literal of its options (`cr5.base.options`); `fit` is given all of them,
- `NEEDS`, a literal of what it needs beside tf-idf features, of `counts` (as they were counted),
  `vectors` (monolingual word vectors), `seeds` (word pairs to begin with, and words that tests ask
  for) and `alignments` (word translation tables),
- `FILES`, a literal of those of its options that are files of its own, with `{language}` in them;
  then also `records(files, options, language)`, from files by option to an iterator over the lines
  of each, by which files are checked before any job.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.rows import Rows
from cr5.fitting.criteria import MRR, Criterion
from cr5.fitting.seeds import Seeds
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables


@dataclass(frozen=True)
class TrainingSet:
    """The training documents of one setting; nothing of a test concept is in here.

    Attributes:
        languages: in the order of the alphabet, whatever that of the configuration.
        words: per language the vocabulary, in the order of the columns of `features`: most
            frequent first.
        features: per language documents x words, tf-idf with L2-normalised rows, float64.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of distinct concepts over all languages.
        weights: per language the idf of each word, float64.
        term_frequency: how counts enter `features`: `raw`, `log`, `sqrt` or `binary`.
        frequencies: per language the collection frequency of each word.
        validate: from a model to the criterion of the validation queries, by the first of its
            measures, averaged over all directed pairs that the setting searches: all by which a
            system may choose its hyperparameters. See `fitting.best`; a `Score` has the pairs too.
        seed: of the repetition; make generators from it with `numpy.random.default_rng`.
        threads: that the fit may use; must change no byte of it.
        counts: per language documents x words, rows as in `features`; None unless the system needs
            them, for they are as large.
        vectors: per language words x d float32, rows as in `words`, zero where a word has
            no vector; None unless the system needs them.
        seeds: pairs of words to begin with, and which words tests ask for; None unless the system
            needs them.
        alignments: per language, per other language: words x words of the other, how likely each
            is a translation; None unless the system needs them.
        files: per language, per option in `FILES`: its file; None unless the system has any.
        criterion: that `validate` computes, and which of two of its figures is better.
        extend: values at most that a grid may get beyond those given, see `fitting.grid`.
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
    alignments: Mapping[str, Mapping[str, sparse.csr_matrix]] | None = None
    files: Mapping[str, Mapping[str, str]] | None = None
    criterion: Criterion = MRR
    extend: int = 0

    def model(self, tables: Mapping[str, Rows]) -> WordTables:
        """Make the model of nearly every system: word tables with tf-idf as in `features`.

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
        report: what is worth knowing of the fit, JSON-able: convergence, warnings. No times:
            they are not reproducible.
        chosen: hyperparameters that validation chooses among, by name; `fitting.best` adds them
            to the report.
    """

    model: Model
    report: dict[str, Any] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)


def _float32(table: Any) -> Any:
    """Whether it is a table, and finite in float32, `Model.check` says."""
    with np.errstate(over="ignore"):
        return table.astype(np.float32, copy=False) if hasattr(table, "astype") else table
