"""The data of a fit, checked: features X_l, labels Y_l and the prior F_l of every language."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError

CHUNK = 2**22  # entries of a sparse matrix that are summed at a time


@dataclass(frozen=True)
class Problem:
    """Features and labels, language by language, and a prior that words of all languages share.

    Without a prior there is one unknown per word, stacked over languages, and their matrix is
    Z = blockdiag(X_l). With one it is Z = stack(X_l F_l), and F F' the prior covariance of words.

    Attributes:
        features: X_l, documents x words, all of one floating-point type.
        labels: Y_l, documents x concepts, a one in each row; of the same type.
        prior: F_l, words x unknowns, likewise; empty without a prior.
    """

    features: tuple[sparse.csr_matrix, ...]
    labels: tuple[sparse.csr_matrix, ...]
    prior: tuple[sparse.csr_matrix, ...] = ()

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
        """Documents of each concept, Y'1, shape (K,), float64."""
        return sum(_column_sums(Y) for Y in self.labels)

    @property
    def n_words(self) -> int:
        """Number of words p over all languages."""
        return sum(X.shape[1] for X in self.features)

    @property
    def n_unknowns(self) -> int:
        """Number of unknowns q; without a prior that of words."""
        return self.prior[0].shape[1] if self.prior else self.n_words

    @property
    def language_sums(self) -> np.ndarray:
        """Z'1 over the documents of each language, q x languages, float64."""
        sums = np.zeros((self.n_words, len(self.features)))
        for language, words in enumerate(self.words):
            sums[words, language] = self._sums[words]
        return self._of_unknowns(sums)

    @property
    def variances(self) -> np.ndarray:
        """The diagonal of Zhat'Zhat, (q,), float64; exact without a prior.

        With one, correlations of words that share an unknown are left out, which only makes
        Jacobi's preconditioner less exact.
        """
        squares = np.concatenate([_column_sums(X, power=2) for X in self.features])
        means = self._sums / self.n_documents
        variances = np.maximum(squares - self.n_documents * means**2, 0)
        return self._of_unknowns(variances, squared=True)

    @cached_property
    def _sums(self) -> np.ndarray:
        """Sum of each word's features, (p,), float64."""
        return np.concatenate([_column_sums(X) for X in self.features])

    @property
    def words(self) -> list[slice]:
        """Slices of each language's words among all."""
        ends = np.cumsum([X.shape[1] for X in self.features]).tolist()
        return [slice(b - X.shape[1], b) for X, b in zip(self.features, ends, strict=True)]

    @property
    def offsets(self) -> list[int]:
        """Where the second and later languages start among them."""
        return [words.start for words in self.words[1:]]

    def adjoint(self, U: np.ndarray) -> np.ndarray:
        """Z'U, q x r, for U documents x r."""
        ends = np.cumsum([X.shape[0] for X in self.features])[:-1]
        parts = [X.T @ u for X, u in zip(self.features, np.split(U, ends), strict=True)]
        return self._of_unknowns(np.vstack(parts))

    def _of_unknowns(self, of_words: np.ndarray, squared: bool = False) -> np.ndarray:
        """F'U for U words x r, or with squared entries of F; U itself without a prior."""
        if not self.prior:
            return of_words
        prior = [F.multiply(F).tocsr() for F in self.prior] if squared else self.prior
        return sum(F.T @ of_words[words] for F, words in zip(prior, self.words, strict=True))

    def word_vectors(self, V: np.ndarray) -> np.ndarray:
        """F V, stacked words x r, for unknowns V q x r; V itself without a prior."""
        if not self.prior:
            return V
        found = np.empty((self.n_words, V.shape[1]), V.dtype)
        for F, words in zip(self.prior, self.words, strict=True):
            found[words] = F.astype(V.dtype, copy=False) @ V
        return found

    def with_prior(self, F: Sequence[sparse.csr_matrix]) -> "Problem":
        """The problem with a prior F_l, per language words x unknowns."""
        dtype = self.features[0].dtype
        return replace(self, prior=tuple(_canonical(sparse.csr_matrix(x, dtype=dtype)) for x in F))

    def sample(self, concepts: np.ndarray, least: int = 0) -> tuple["Problem", np.ndarray]:
        """The problem on the documents of some concepts, and the words in enough of them.

        Args:
            concepts: their numbers.
            least: number of these documents that a word must be in.

        Returns:
            The problem, with the prior, and the numbers of its unknowns among the q.
        """
        features, labels, known = [], [], []
        for X, Y in zip(self.features, self.labels, strict=True):
            chosen = Y[:, concepts]
            rows = np.flatnonzero(np.diff(chosen.indptr))
            X = X[rows]
            known.append(np.flatnonzero(np.bincount(X.indices, minlength=X.shape[1]) >= least))
            features.append(X[:, known[-1]])
            labels.append(chosen[rows])
        unknowns = np.concatenate(
            [each + w.start for each, w in zip(known, self.words, strict=True)]
        )
        prior = [F[words] for F, words in zip(self.prior, known, strict=bool(self.prior))]
        if prior:
            unknowns = np.flatnonzero(sum(F.getnnz(axis=0) for F in prior))
            prior = [F[:, unknowns] for F in prior]
        sample = Problem(tuple(features), tuple(labels), tuple(prior))
        return sample, unknowns

    def astype(self, dtype: type) -> "Problem":
        """The problem in float32 or float64; arrays already of that type are shared."""
        return Problem(
            tuple(X.astype(dtype, copy=False) for X in self.features),
            tuple(Y.astype(dtype, copy=False) for Y in self.labels),
            tuple(F.astype(dtype, copy=False) for F in self.prior),
        )


def make_problem(
    features: Sequence[sparse.csr_matrix],
    concepts: Sequence[np.ndarray],
    n_concepts: int,
    languages: Sequence[str] | None = None,
) -> Problem:
    """Check the training data and convert it to the form that both solvers use.

    Args:
        features: per language documents x words.
        concepts: per language the concept number of each row.
        n_concepts: all concept numbers are below it.
        languages: their codes, for messages.

    Raises:
        UserError: the parts do not fit together, a language has no documents, or a feature
            is not finite.
    """
    if len(features) == 0 or len(features) != len(concepts):
        raise UserError(
            f"Cr5 got features of {len(features)} languages and concepts of {len(concepts)}: "
            "give both for the same languages, at least one"
        )
    names = languages or [f"{i} of {len(features)}" for i in range(1, len(features) + 1)]
    for name, X, labels in zip(names, features, concepts, strict=True):
        _check_language(f"language {name}", X, labels, n_concepts)
    single = all(X.dtype == np.float32 for X in features)
    dtype = np.float32 if single else np.float64
    return Problem(
        tuple(_canonical(sparse.csr_matrix(X, dtype=dtype)) for X in features),
        tuple(_one_hot(np.asarray(labels), n_concepts, dtype) for labels in concepts),
    )


def check_prior(prior: Sequence[sparse.csr_matrix], features: Sequence[sparse.csr_matrix]) -> None:
    """Raise `UserError` unless there is a matrix for each language, or none at all."""
    shapes, words = [S.shape for S in prior], [X.shape[1] for X in features]
    fits = [rows for rows, _ in shapes] == words and len({s for _, s in shapes}) == 1
    if shapes and not (fits and all(np.isfinite(S.data).all() for S in prior)):
        raise UserError(
            f"Cr5: a prior of shapes {shapes} for languages of {words} words; give one matrix a "
            "language, a row for each of its words, the same columns for all, finite numbers"
        )


def _check_language(name: str, X: sparse.csr_matrix, labels: np.ndarray, n_concepts: int) -> None:
    labels = np.asarray(labels)
    if 0 in X.shape:
        raise UserError(
            f"Cr5, {name}: {X.shape[0]} training documents with a vocabulary of {X.shape[1]} "
            "words, expected at least one of each; loosen the filters (bags.unique_words, "
            "bags.min_documents), bring more documents, or leave the language out"
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


def _canonical(X: sparse.csr_matrix) -> sparse.csr_matrix:
    """X, or a copy if it has to be sorted or has duplicate entries."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def _one_hot(concepts: np.ndarray, n_concepts: int, dtype: type) -> sparse.csr_matrix:
    n = len(concepts)
    return sparse.csr_matrix((np.ones(n, dtype), concepts, np.arange(n + 1)), shape=(n, n_concepts))


def _column_sums(matrix: sparse.csr_matrix, power: int = 1) -> np.ndarray:
    """Sums in float64, over few enough entries at a time that no large copy is made."""
    sums = np.zeros(matrix.shape[1])
    for start in range(0, matrix.nnz, CHUNK):
        part = slice(start, start + CHUNK)
        values = matrix.data[part].astype(np.float64) ** power
        sums += np.bincount(matrix.indices[part], values, matrix.shape[1])
    return sums
