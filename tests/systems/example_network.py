"""A network of two layers, with a class of models of its own.

A document's tf-idf row x becomes tanh(x A) B, with an A for each language and one B. It is
trained to give the documents of a concept, whatever their language, the vector that the concept has
in a latent semantic analysis of all languages side by side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import PositiveFloat, PositiveInt
from scipy import sparse
from scipy.sparse.linalg import svds

from cr5.base.parts import Some, System
from cr5.base.rows import unit_rows
from cr5.counts.weighting import tfidf
from cr5.fitting.choose import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.contract import Model
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
    """A network of two layers, trained towards a latent semantic analysis."""

    hidden: Some[PositiveInt] = (16, 64)
    """Numbers of hidden units; the one that validates best is kept."""
    dimension: PositiveInt = 8
    """Of the vectors of documents."""
    steps: PositiveInt = 50
    """Of training."""
    rate: PositiveFloat = 0.02
    """Of learning, by Adam."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train a network for each number of hidden units, and keep the best."""
        return best(training, (self._train(training, n) for n in self.hidden))

    def _train(self, training: TrainingSet, hidden: int) -> Fit:
        generator = np.random.default_rng(training.seed)
        Y = _concepts(training, self.dimension)
        n_words = {x: len(words) for x, words in training.words.items()}
        A = {x: 0.1 * generator.normal(size=(n, hidden)) for x, n in n_words.items()}
        B = generator.normal(size=(hidden, self.dimension)) / np.sqrt(hidden)
        parameters = [*A.values(), B]  # which Adam changes in place
        moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
        for step in range(1, self.steps + 1):
            found = [gradients(training.features[x], Y[training.concepts[x]], A[x], B) for x in A]
            every = [of_a for _, of_a, _ in found] + [sum(of_b for _, _, of_b in found)]
            for p, g, (mean, square) in zip(parameters, every, moments, strict=True):
                mean += 0.1 * (g - mean)
                square += 0.001 * (g**2 - square)
                scale = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                p -= self.rate * mean / (1 - 0.9**step) / scale
        tables = {x: table.astype(np.float32) for x, table in A.items()}
        made_with = training.weights, tables, B.astype(np.float32), training.term_frequency
        loss = sum(of_language for of_language, _, _ in found)
        return Fit(TwoLayers(training.words, *made_with), {"loss": float(loss)}, {"hidden": hidden})


def _concepts(training: TrainingSet, dimension: int) -> np.ndarray:
    """Left singular vectors of concepts x words of all languages, rows of length one."""
    parts = []
    for x, numbers in training.concepts.items():
        shape = (training.n_concepts, len(numbers))
        chosen = sparse.csr_matrix((np.ones(len(numbers)), (numbers, range(len(numbers)))), shape)
        parts.append(chosen @ training.features[x])
    X = sparse.hstack(parts)
    start = np.random.default_rng(training.seed).normal(size=min(X.shape))
    return unit_rows(svds(X, dimension, v0=start)[0])


def gradients(X, Y, A, B):
    """Mean of ||tanh(X A) B - Y||^2 / 2 over documents, and its gradients in A and B."""
    H = np.tanh(X @ A)
    error = (H @ B - Y) / len(Y)
    return len(Y) * np.sum(error**2) / 2, X.T @ (error @ B.T * (1 - H**2)), H.T @ error
