"""The data of a fit, checked: features X_l and labels Y_l of every language."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.errors import UserError


@dataclass(frozen=True)
class Problem:
    """Features and labels, language by language.

    Attributes:
        features: X_l, documents x words, float64.
        labels: Y_l, documents x concepts, a one in each row.
    """

    features: tuple[sparse.csr_matrix, ...]
    labels: tuple[sparse.csr_matrix, ...]

    @property
    def n_documents(self) -> int:
        """Number of rows n over all languages."""
        return sum(X.shape[0] for X in self.features)

    @property
    def n_concepts(self) -> int:
        """Number of concepts K."""
        return self.labels[0].shape[1]

    @property
    def counts(self) -> np.ndarray:
        """Documents of each concept, Y'1, shape (K,)."""
        return sum(_column_sums(Y) for Y in self.labels)

    @property
    def word_sums(self) -> np.ndarray:
        """Sum of the features of each word, X'1, shape (p,)."""
        return np.concatenate([_column_sums(X) for X in self.features])

    @property
    def offsets(self) -> np.ndarray:
        """Where the second and later languages start among the p stacked words."""
        return np.cumsum([X.shape[1] for X in self.features])[:-1]


def make_problem(
    features: Sequence[sparse.csr_matrix], concepts: Sequence[np.ndarray], n_concepts: int
) -> Problem:
    """Check the training data and put it into the form that both solvers use.

    Args:
        features: per language documents x words.
        concepts: per language the concept number of each row.
        n_concepts: all concept numbers are below it.

    Raises:
        UserError: the parts do not fit together, a language has no documents, or a feature
            is not finite.
    """
    if len(features) == 0 or len(features) != len(concepts):
        raise UserError(
            f"Cr5 got features of {len(features)} languages and concepts of {len(concepts)}: "
            "give both for the same languages, at least one"
        )
    for index, (X, labels) in enumerate(zip(features, concepts, strict=True)):
        _check_language(f"language {index + 1} of {len(features)}", X, labels, n_concepts)
    return Problem(
        tuple(sparse.csr_matrix(X, dtype=np.float64) for X in features),
        tuple(_one_hot(np.asarray(labels), n_concepts) for labels in concepts),
    )


def _check_language(name: str, X: sparse.csr_matrix, labels: np.ndarray, n_concepts: int) -> None:
    labels = np.asarray(labels)
    if 0 in X.shape:
        raise UserError(
            f"Cr5, {name}: the features have {X.shape[0]} documents and {X.shape[1]} words, "
            "expected at least one of each; loosen the filters or drop the language"
        )
    if labels.shape != (X.shape[0],):
        raise UserError(
            f"Cr5, {name}: {X.shape[0]} documents but concepts of shape {labels.shape}; "
            "give one concept number per document"
        )
    if labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= n_concepts:
        raise UserError(
            f"Cr5, {name}: concepts must be whole numbers from 0 to {n_concepts - 1}, "
            f"got {labels.min()} to {labels.max()} ({labels.dtype}); renumber the concepts"
        )
    if not np.isfinite(X.data).all():
        raise UserError(
            f"Cr5, {name}: the features contain a value that is not finite; "
            "check the counts and weights that they were made from"
        )


def _one_hot(concepts: np.ndarray, n_concepts: int) -> sparse.csr_matrix:
    n = len(concepts)
    return sparse.csr_matrix((np.ones(n), concepts, np.arange(n + 1)), shape=(n, n_concepts))


def _column_sums(matrix: sparse.csr_matrix) -> np.ndarray:
    return matrix.T @ np.ones(matrix.shape[0])
