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
        X = tfidf(counts, self.weights[language], self.term_frequency)
        H = np.tanh(X @ self.A[language])
        return unit_rows(H @ self.B).astype(np.float32)

    def check(self):
        """Raise `ModelError` if arrays do not fit the words, or are not finite."""
        n_hidden = len(self.B)
        for language, words in self.words.items():
            A = self.A[language]
            weights = self.weights[language]
            check_numbers(A, (len(words), n_hidden), f"the table of {language!r}")
            check_numbers(weights, (len(words),), f"the weights of {language!r}")
        check_numbers(self.B, self.B.shape, "the second layer")


class Network(System):
    """A network of two layers, of which the second one is solved."""

    hidden: Some[PositiveInt] = (16, 64)
    """Numbers of hidden units; the one that validates best is kept."""
    dimension: PositiveInt = 8
    """Of the vectors of documents."""

    def fit(self, training: TrainingSet) -> Fit:
        """Solve a network for each number of hidden units, and keep the best."""
        vectors_of_concepts = self._concepts(training)
        fits = (self._solved(training, vectors_of_concepts, hidden) for hidden in self.hidden)
        return best(training, fits)

    def _solved(self, training: TrainingSet, vectors_of_concepts: np.ndarray, hidden: int) -> Fit:
        """Solve for the second layer: B = (H'H + I)^-1 H'Y."""
        generator = np.random.default_rng(training.seed)
        first_layers = {}
        outputs = []
        targets = []
        for language, X in training.features.items():
            A = generator.normal(size=(X.shape[1], hidden)).astype(np.float32)
            first_layers[language] = A
            outputs.append(np.tanh(X @ A))
            targets.append(vectors_of_concepts[training.concepts[language]])
        H = np.vstack(outputs)
        Y = np.vstack(targets)
        B = np.linalg.solve(H.T @ H + np.eye(hidden), H.T @ Y)
        model = TwoLayers(
            words=training.words,
            weights=training.weights,
            A=first_layers,
            B=B.astype(np.float32),
            term_frequency=training.term_frequency,
        )
        return Fit(model, report={"documents": len(H)}, chosen={"hidden": hidden})

    def _concepts(self, training: TrainingSet) -> np.ndarray:
        """Left singular vectors of concepts x words of all languages, rows of length one."""
        parts = []
        for language, numbers in training.concepts.items():
            n_documents = len(numbers)
            places = (numbers, np.arange(n_documents))
            shape = (training.n_concepts, n_documents)
            documents_of_concepts = sparse.csr_matrix((np.ones(n_documents), places), shape)
            parts.append(documents_of_concepts @ training.features[language])
        X = sparse.hstack(parts)
        generator = np.random.default_rng(training.seed)
        start = generator.normal(size=min(X.shape))
        vectors, _, _ = svds(X, self.dimension, v0=start)
        return unit_rows(vectors)
