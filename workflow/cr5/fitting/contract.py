"""What a system is given when it is fitted, and what it gives back.

A system is a module with

- `fit(training: TrainingSet, options: dict) -> Fit`,
- `DEFAULTS`, a dictionary literal of its options (the configuration may override each),
- `NEEDS_VECTORS = True` if it starts from monolingual word vectors.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

Table = np.ndarray | sparse.csr_matrix


@dataclass(frozen=True)
class TrainingSet:
    """The training documents of one setting; nothing of a test concept is in here.

    Attributes:
        languages: in the order of the configuration.
        words: per language the vocabulary, in the order of the columns of `features`.
        features: per language documents x words, tf-idf with L2-normalised rows, float64.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of distinct concepts over all languages.
        vectors: per language words x d float32, rows as in `words`, zero where a word has
            no vector; None unless the system says `NEEDS_VECTORS = True`.
        frequencies: per language the collection frequency of each word.
        validate: from word tables to the mean reciprocal rank (cosine) of the validation
            queries, averaged over all directed pairs of the setting: the only criterion by
            which a system may choose its hyperparameters.
        seed: of the run; make generators from it with `numpy.random.default_rng`.
        threads: that the fit may use; must change no byte of it.
    """

    languages: tuple[str, ...]
    words: Mapping[str, list[str]]
    features: Mapping[str, sparse.csr_matrix]
    concepts: Mapping[str, np.ndarray]
    n_concepts: int
    vectors: Mapping[str, np.ndarray] | None
    frequencies: Mapping[str, np.ndarray]
    validate: Callable[[Mapping[str, Table]], float]
    seed: int
    threads: int = 1


@dataclass(frozen=True)
class Fit:
    """A fitted linear system.

    Attributes:
        tables: per language words x r, rows in the order of `TrainingSet.words`; dense, or
            sparse where most of it is zero. A document's embedding is the L2-normalised sum
            of its words' rows, weighted by tf-idf.
        report: what is worth knowing of the fit, JSON-able: chosen hyperparameters and their
            validation scores, convergence, warnings. No times: they are not reproducible.
    """

    tables: Mapping[str, Table]
    report: dict[str, Any] = field(default_factory=dict)
