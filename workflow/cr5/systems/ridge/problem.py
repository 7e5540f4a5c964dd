"""The data of a fit: features X_l, concepts and the prior F_l; and its solution at a ridge."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.systems.algebra.incidence import alike
from cr5.systems.algebra.threads import Threads

CHUNK = 2**22  # entries of a sparse matrix that are summed at a time
MOST = 16  # words of a group; larger ones have more entries in F, smaller ones leave more columns
ZERO = 1e-10  # share of their bound below which eigenvalues of M are rounding errors
# Squared singular values below this share of the largest are taken for that large at first.
LEAST = {np.dtype(np.float32): 1e-7, np.dtype(np.float64): 1e-15}
ORTHONORMAL = 1e-7  # by which entries of T'T may be off: models keep T in float32

Matrices = Sequence[sparse.csr_matrix]


@dataclass(frozen=True)
class Problem:
    """Features and concepts, language by language, and a prior that words of all languages share.

    Without a prior there is one unknown per word, stacked over languages, and their matrix is
    Z = blockdiag(X_l). With one it is Z = stack(X_l F_l), and F F' the prior covariance of words.
    """

    features: Matrices  # X_l, documents x words
    concepts: Sequence[np.ndarray]  # of each document of a language its concept, from 0
    n_concepts: int  # K
    prior: Matrices = ()  # F_l, words x q unknowns; empty without a prior
    is_dense: bool = False  # whether most documents have many of the unknowns: costs time alone

    @property
    def n_documents(self) -> int:
        """The number of rows n over all languages."""
        return sum(X.shape[0] for X in self.features)

    @cached_property
    def counts(self) -> np.ndarray:
        """Documents of each concept, Y'1, (K,)."""
        return np.bincount(np.concatenate(self.concepts), minlength=self.n_concepts)

    @property
    def n_words(self) -> int:
        """Number of words p over all languages."""
        return sum(X.shape[1] for X in self.features)

    @property
    def n_unknowns(self) -> int:
        """Number of unknowns q; without a prior that of words."""
        return self.prior[0].shape[1] if self.prior else self.n_words

    @property
    def means(self) -> np.ndarray:
        """Z'1 / n over the documents of each language, q x languages, float64."""
        means = np.zeros((self.n_words, len(self.features)))
        for language, words in enumerate(self.words):
            means[words, language] = _column_sums(self.features[language]) / self.n_documents
        return self._to_unknowns(means)

    @property
    def variances(self) -> np.ndarray:
        """The diagonal of Zhat'Zhat, (q,), float64.

        With a prior correlations of words that share an unknown are left out, which only makes
        Jacobi's preconditioner less exact.
        """
        by_word = variances(self.features)
        if not self.prior:
            return by_word
        squares = [F.multiply(F).tocsr() for F in self.prior]
        return self._transposed_product(squares, by_word)

    @property
    def words(self) -> list[slice]:
        """The slice of each language's words among all."""
        return slices(X.shape[1] for X in self.features)

    def adjoint(self, U: np.ndarray) -> np.ndarray:
        """Return Z'U, q x r, for U documents x r."""
        by_word = np.empty((self.n_words, U.shape[1]))
        documents = slices(len(labels) for labels in self.concepts)
        for X, rows, words in zip(self.features, documents, self.words, strict=True):
            by_word[words] = X.T @ U[rows]
        return self._to_unknowns(by_word)

    def _to_unknowns(self, U: np.ndarray) -> np.ndarray:
        """Return F'U, q x r, for U words x r; U itself without a prior."""
        if not self.prior:
            return U
        return self._transposed_product(self.prior, U)

    def _transposed_product(self, factors: Matrices, U: np.ndarray) -> np.ndarray:
        """Return the sum over languages of G_l'U_l, for factors G_l words x q."""
        return sum(G.T @ U[words] for G, words in zip(factors, self.words, strict=True))

    def word_vectors(self, V: np.ndarray) -> np.ndarray:
        """Return F V, stacked words x r, for unknowns V q x r; V itself without a prior."""
        if not self.prior:
            return V
        vectors = np.empty((self.n_words, V.shape[1]), V.dtype)
        for F, words in zip(self.prior, self.words, strict=True):
            vectors[words] = F.astype(V.dtype, copy=False) @ V
        return vectors

    def sample(self, concepts: np.ndarray, least: int) -> tuple["Problem", np.ndarray]:
        """Return the problem on the documents of some concepts, and which of the q unknowns it has.

        A word must be in `least` of these documents of its language.
        """
        number_in_sample = np.full(self.n_concepts, -1)
        number_in_sample[concepts] = np.arange(len(concepts))
        features = []
        labels_in_sample = []
        prior = []
        unknowns = []
        for language, words in enumerate(self.words):
            labels = number_in_sample[self.concepts[language]]
            is_sampled = labels >= 0
            X = self.features[language][is_sampled]
            frequent = np.flatnonzero(X.getnnz(axis=0) >= least)
            features.append(X[:, frequent])
            labels_in_sample.append(labels[is_sampled])
            unknowns.append(words.start + frequent)
            if self.prior:
                prior.append(self.prior[language][frequent])
        if prior:
            used = np.flatnonzero(sum(F.getnnz(axis=0) for F in prior))
            prior = [F[:, used] for F in prior]
        else:
            used = np.concatenate(unknowns)
        return Problem(features, labels_in_sample, len(concepts), prior), used

    def astype(self, dtype: type) -> "Problem":
        """Return the problem in float32 or float64; arrays already of that type are shared."""
        features = [X.astype(dtype, copy=False) for X in self.features]
        prior = [F.astype(dtype, copy=False) for F in self.prior]
        return replace(self, features=features, prior=prior)


@dataclass(frozen=True)
class Solution:
    """The r leading eigenpairs of M at one ridge; of use until its solver is asked for the next."""

    problem: Problem
    threads: Threads
    ridge: float  # lambda
    values: np.ndarray  # mu, descending, (r,), as many as are not numerically zero
    residuals: np.ndarray  # ||M p - mu p|| of each pair, (r,)
    Phi: np.ndarray  # Phi' = B^-1 Xhat'Yhat P (Eq. 14), words x r
    iterations: int = 0  # block steps of the eigensolver; 0 for the dense solver
    converged: bool = True  # False if it stopped before its tolerance was met

    @property
    def rank(self) -> int:
        """The effective rank r."""
        return len(self.values)

    def maps(self, rank: int) -> list[np.ndarray]:
        """Return per language the rows of T of a fit of that rank (Eq. 15), words x rank.

        Stacked, the columns are the left singular vectors of Phi', largest singular value first;
        the entry of largest magnitude in each is positive. Rather than to decompose Phi', its
        columns are made orthonormal by way of Phi Phi', as in the paper. That loses digits if they
        are nearly dependent; then doing so once more restores them.
        """
        Phi = self.Phi[:, :rank]
        Lambda, Q = _decomposed(self.threads.inner(Phi, Phi), Phi.dtype)
        whitening = Q / np.sqrt(Lambda)
        T = self.threads.combine(Phi, whitening[:, ::-1])
        products = self.threads.inner(T, T)
        if not np.allclose(products, np.eye(len(products)), rtol=0, atol=ORTHONORMAL):
            Lambda, Q = _decomposed(products, T.dtype)
            correction = (Q / np.sqrt(Lambda)) @ Q.T  # (T'T)^-1/2
            T = self.threads.combine(T, correction)
        return self._by_language(T)

    def scaled_maps(self) -> list[np.ndarray]:
        """Return per language the rows of Phi' diag(mu), words x r.

        Their first columns are the maps of lower ranks.
        """
        return self._by_language(self.Phi * self.values.astype(self.Phi.dtype))

    def _by_language(self, T: np.ndarray) -> list[np.ndarray]:
        """Return the rows of each language, after turning columns in place as `maps` says."""
        is_negative = -T.min(axis=0) > T.max(axis=0)
        T *= np.where(is_negative, -1, 1).astype(T.dtype)
        return [T[words] for words in self.problem.words]

    def report(self, rank: int, requested: Collection[int]) -> dict[str, Any]:
        """Return facts and warnings for the report of a fit of a rank, one of those requested."""
        warnings = []
        if not self.converged:
            warnings.append("the fit has NOT CONVERGED: raise the ridge")
        if rank not in requested:
            warnings.append(f"rank {max(requested)} reduced to {rank}: the data have no more")
        residuals = self.residuals / self.values  # ||M p - mu p|| / mu
        return {
            "rank": rank,
            "eigenvalues": self.values[:rank].tolist(),
            "residual_max": float(residuals[:rank].max()),
            "converged": self.converged,
            "solver": "iterative" if self.iterations else "dense",
            "iterations": self.iterations,
            "warnings": warnings,
        }


def _decomposed(products: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return eigenvalues of V'V, ascending and not too small for V's type, and eigenvectors."""
    Lambda, Q = np.linalg.eigh((products + products.T) / 2)
    return np.maximum(Lambda, LEAST[dtype] * Lambda[-1]), Q


def count_nonzero(
    values: np.ndarray, problem: Problem, ridge: float, accuracy: float = ZERO
) -> int:
    """Return the number of leading eigenvalues above their accuracy, a share of their bound."""
    bound = problem.counts.max()
    count = int(np.sum(values > accuracy * bound))
    if count == 0:
        raise UserError(
            f"Cr5, ridge {ridge:g}: no word tells one concept from another, so there is nothing "
            "to learn; expected two or more concepts with different words and a ridge that is "
            "not huge: check the training documents and the ridge"
        )
    return count


def slices(sizes: Iterable[int]) -> list[slice]:
    """Return slices of these sizes, one after the other."""
    parts = []
    start = 0
    for size in sizes:
        parts.append(slice(start, start + size))
        start += size
    return parts


def variances(features: Matrices) -> np.ndarray:
    """Return the variance of each word over all documents, times their number.

    It is sum(x^2) - sum(x)^2 / n, (p,), stacked over languages.
    """
    n_documents = sum(X.shape[0] for X in features)
    squares = np.concatenate([_column_sums(X, power=2) for X in features])
    sums = np.concatenate([_column_sums(X) for X in features])
    return np.maximum(squares - sums**2 / n_documents, 0)


def _column_sums(matrix: sparse.csr_matrix, power: int = 1) -> np.ndarray:
    """Sum in float64, over few enough entries at a time that no large copy is made."""
    n_columns = matrix.shape[1]
    sums = np.zeros(n_columns)
    for start in range(0, matrix.nnz, CHUNK):
        chunk = slice(start, start + CHUNK)
        values = matrix.data[chunk].astype(np.float64) ** power
        sums += np.bincount(matrix.indices[chunk], values, n_columns)
    return sums


def factor(prior: Matrices, gamma: float, features: Matrices) -> list[sparse.csr_matrix]:
    """Factor (I + gamma N N') / (1 + gamma) as F F', with hardly more unknowns than words.

    Words that have features in common form groups, such as those that begin alike. Within groups of
    up to `MOST` words features need no unknowns of their own: F has a factor of the group's
    covariance. Only features that more words have are columns of F beside these: for the beginnings
    of 11,000 words in four languages 103, where N has 15,800 columns.

    In a group F' diag(variances of the words' features) F is diagonal, so that Jacobi's
    preconditioner serves as well as without a prior. The prior has N_l, words x features; F_l,
    words x unknowns, float64, has as many as there are words, group by group, then one per feature
    that is left.
    """
    N = sparse.vstack(prior, format="csc", dtype=np.float64) * np.sqrt(gamma)
    N.sort_indices()
    group, is_inside = _groups(N)
    within_groups = _factor_of_groups(N[:, is_inside], group, variances(features))
    across_groups = _merged(N[:, ~is_inside])
    F = sparse.hstack([within_groups, across_groups], "csr") / np.sqrt(1 + gamma)
    return [F[words] for words in slices(part.shape[0] for part in prior)]


class _DisjointGroups:
    """Groups of words, at first one of each (union-find); the first word stands for its group."""

    def __init__(self, n_words: int):
        self.parents = list(range(n_words))
        self.sizes = [1] * n_words  # of the groups of words that stand for one

    def first_word(self, word: int) -> int:
        """Return the first word of the word's group."""
        parents = self.parents
        while parents[word] != word:
            grandparent = parents[parents[word]]
            parents[word] = grandparent  # the way is shorter next time
            word = grandparent
        return word

    def merge(self, words: list[int], limit: int) -> bool:
        """Make one group of those of the words; return False, and do not, if it is too large."""
        if not words:
            return True
        first_words = {self.first_word(word) for word in words}
        size = sum(self.sizes[word] for word in first_words)
        if size > limit:
            return False
        first = min(first_words)
        for word in first_words:
            self.parents[word] = first
        self.sizes[first] = size
        return True


def _groups(N: sparse.csc_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Return the group of each word, and of each feature whether all its words are in one.

    Features that would make too large a group tie none.
    """
    n_words, n_features = N.shape
    groups = _DisjointGroups(n_words)
    is_inside = np.zeros(n_features, bool)
    n_words_with_feature = np.diff(N.indptr)
    rarest_first = np.argsort(n_words_with_feature, kind="stable")
    n_rare = np.sum(n_words_with_feature <= MOST)
    for feature in rarest_first[:n_rare]:
        words = N.indices[N.indptr[feature] : N.indptr[feature + 1]]
        is_inside[feature] = groups.merge(words.tolist(), MOST)
    group = np.array([groups.first_word(word) for word in range(n_words)])
    return group, is_inside


def _factor_of_groups(
    N: sparse.csc_matrix, group: np.ndarray, variances: np.ndarray
) -> sparse.csr_matrix:
    """Return a factor F of I + N N', group by group; F' diag(variances) F is diagonal.

    Of a group with (I + N N') = L L' the block of F is L Q, with the eigenvectors Q of
    L' diag(variances) L. The unknowns of a group stand one after the other.
    """
    n_words = len(group)
    by_group = np.argsort(group, kind="stable")
    firsts = np.flatnonzero(np.diff(group[by_group], prepend=-1))
    sizes = np.diff(firsts, append=n_words)
    place = np.empty(n_words, np.int64)  # of a word in its group
    place[by_group] = np.arange(n_words) - np.repeat(firsts, sizes)
    covariance = (sparse.identity(n_words) + N @ N.T).tocoo()
    rows = []
    columns = []
    values = []
    for size in np.unique(sizes):
        unknowns = firsts[sizes == size][:, None] + np.arange(size)  # groups x size
        members = by_group[unknowns]
        L = np.linalg.cholesky(_diagonal_blocks(covariance, members, place))
        weighted = variances[members][:, :, None] * L
        _, Q = np.linalg.eigh(L.transpose(0, 2, 1) @ weighted)
        rows.append(np.repeat(members, size))
        columns.append(np.tile(unknowns, size).ravel())
        values.append((L @ Q).ravel())
    places = (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_matrix((np.concatenate(values), places), (n_words, n_words))


def _diagonal_blocks(
    matrix: sparse.coo_matrix, members: np.ndarray, place: np.ndarray
) -> np.ndarray:
    """Return the blocks of some groups of words, groups x size x size, dense.

    The members are groups x size; `place` says where in its group each word is.
    """
    n_groups, size = members.shape
    number = np.full(len(place), -1)
    number[members] = np.arange(n_groups)[:, None]
    is_in_block = number[matrix.row] >= 0
    row = matrix.row[is_in_block]
    column = matrix.col[is_in_block]
    blocks = np.zeros((n_groups, size, size))
    blocks[number[row], place[row], place[column]] = matrix.data[is_in_block]
    return blocks


def _merged(N: sparse.csc_matrix) -> sparse.csc_matrix:
    """Merge equal columns into one, times the root of their number; in the same order."""
    first, group = np.unique(alike(N.T), return_inverse=True)
    scales = np.sqrt(np.bincount(group))
    return N[:, first] @ sparse.diags(scales)
