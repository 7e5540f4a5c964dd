"""A network of two layers, with a class of models of its own.

A document's tf-idf row x becomes tanh(x A) B, with an A for each language and one B. A is drawn; B
is solved so that the documents of a concept, whatever their language, are near to the vector that
the concept has in a latent semantic analysis of all languages side by side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import PositiveInt
from scipy import sparse
from scipy.sparse.linalg import svds

from cr5.base.rows import unit_rows
from cr5.contracts.keys import Some
from cr5.contracts.model import Model
from cr5.contracts.system import System
from cr5.contracts.training import Fit, TrainingSet
from cr5.counts.weighting import tfidf
from cr5.fitting.choose import best
from cr5.models.word_tables import check_numbers


@dataclass(frozen=True)
class TwoLayers(Model):
    """The fields are stored: arrays, numbers, text, and mappings of these by language."""

    words: Mapping[str, Sequence[str]]
    weights: Mapping[str, np.ndarray]
    A: Mapping[str, np.ndarray]
    B: np.ndarray
    term_frequency: str
    measures: Sequence[str] = ("cosine", "csls")

    def embed(self, counts, language, target_language=None):
        """Return documents x dimension, float32, rows of length one."""
        rows = tfidf(counts, self.weights[language], self.term_frequency)
        return unit_rows(np.tanh(rows @ self.A[language]) @ self.B).astype(np.float32)

    def check(self):
        """Raise `ModelError` if arrays do not fit the words, or are not finite."""
        for x, words in self.words.items():
            check_numbers(self.A[x], (len(words), len(self.B)), f"the table of {x!r}")
            check_numbers(self.weights[x], (len(words),), f"the weights of {x!r}")
        check_numbers(self.B, self.B.shape, "the second layer")


class Network(System):
    """A network of two layers, of which the second one is solved."""

    hidden: Some[PositiveInt] = (16, 64)
    """Numbers of hidden units; the one that validates best is kept."""
    dimension: PositiveInt = 8
    """Of the vectors of documents."""

    def fit(self, training: TrainingSet) -> Fit:
        """Solve a network for each number of hidden units, and keep the best."""
        Y = self._concepts(training)
        return best(training, (self._solved(training, Y, n) for n in self.hidden))

    def _solved(self, training: TrainingSet, Y: np.ndarray, hidden: int) -> Fit:
        generator, X = np.random.default_rng(training.seed), training.features
        A = {x: generator.normal(size=(X[x].shape[1], hidden)).astype(np.float32) for x in X}
        H = np.vstack([np.tanh(X[x] @ A[x]) for x in X])
        wanted = np.vstack([Y[training.concepts[x]] for x in X])
        B = np.linalg.solve(H.T @ H + np.eye(hidden), H.T @ wanted).astype(np.float32)
        how = training.weights, A, B, training.term_frequency
        return Fit(TwoLayers(training.words, *how), {"documents": len(H)}, {"hidden": hidden})

    def _concepts(self, training: TrainingSet) -> np.ndarray:
        """Left singular vectors of concepts x words of all languages, rows of length one."""
        parts = []
        for x, numbers in training.concepts.items():
            places, shape = (numbers, np.arange(len(numbers))), (training.n_concepts, len(numbers))
            chosen = sparse.csr_matrix((np.ones(len(numbers)), places), shape)
            parts.append(chosen @ training.features[x])
        X = sparse.hstack(parts)
        start = np.random.default_rng(training.seed).normal(size=min(X.shape))
        return unit_rows(svds(X, self.dimension, v0=start)[0])
