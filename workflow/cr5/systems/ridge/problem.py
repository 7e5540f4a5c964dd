"""The data of a fit: features X_l, concepts, and the prior F_l; and what is found at a ridge."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
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

    @property
    def n_documents(self) -> int:
        """Number of rows n over all languages."""
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
        for language, (X, words) in enumerate(zip(self.features, self.words, strict=True)):
            means[words, language] = _column_sums(X) / self.n_documents
        return self._of_unknowns(means)

    @property
    def variances(self) -> np.ndarray:
        """The diagonal of Zhat'Zhat, (q,), float64.

        With a prior correlations of words that share an unknown are left out, which only makes
        Jacobi's preconditioner less exact.
        """
        return self._of_unknowns(variances(self.features), squared=True)

    @property
    def words(self) -> list[slice]:
        """Slices of each language's words among all."""
        return slices(X.shape[1] for X in self.features)

    def adjoint(self, U: np.ndarray) -> np.ndarray:
        """Z'U, q x r, for U documents x r."""
        found, rows = np.empty((self.n_words, U.shape[1])), slices(len(x) for x in self.concepts)
        for X, of, words in zip(self.features, rows, self.words, strict=True):
            found[words] = X.T @ U[of]
        return self._of_unknowns(found)

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

    def sample(self, concepts: np.ndarray, least: int) -> tuple["Problem", np.ndarray]:
        """The problem on the documents of some concepts, and which of the q unknowns it has.

        A word must be in `least` of these documents of its language.
        """
        number = np.full(self.n_concepts, -1)
        number[concepts] = np.arange(len(concepts))
        numbers = [number[labels] for labels in self.concepts]
        features = [X[each >= 0] for X, each in zip(self.features, numbers, strict=True)]
        known = [np.flatnonzero(X.getnnz(axis=0) >= least) for X in features]
        features = [X[:, words] for X, words in zip(features, known, strict=True)]
        starts = (words.start for words in self.words)
        unknowns = np.concatenate([words + at for words, at in zip(known, starts, strict=True)])
        prior = [F[words] for F, words in zip(self.prior, known, strict=False)]
        if prior:
            unknowns = np.flatnonzero(sum(F.getnnz(axis=0) for F in prior))
            prior = [F[:, unknowns] for F in prior]
        numbers = [each[each >= 0] for each in numbers]
        return Problem(features, numbers, len(concepts), prior), unknowns

    def astype(self, dtype: type) -> "Problem":
        """The problem in float32 or float64; arrays already of that type are shared."""
        features, prior = (
            [each.astype(dtype, copy=False) for each in matrices]
            for matrices in (self.features, self.prior)
        )
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
        """Per language words x rank, the rows of T of a fit of that rank (Eq. 15).

        Stacked, the columns are the left singular vectors of Phi', largest singular value first;
        the entry of largest magnitude in each is positive. Rather than to decompose Phi', its
        columns are made orthonormal by way of Phi Phi', as in the paper. That loses digits if they
        are nearly dependent; doing so once more restores them.
        """
        combine, V = self.threads.combine, self.Phi[:, :rank]
        s, Q = self._decomposed(V)
        V = combine(V, (Q / np.sqrt(s))[:, ::-1])
        s, Q = self._decomposed(V)
        return self._by_language(combine(V, (Q / np.sqrt(s)) @ Q.T))

    def _decomposed(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues of V'V, ascending and not too small, and eigenvectors."""
        G = self.threads.inner(V, V)
        s, Q = np.linalg.eigh((G + G.T) / 2)
        return np.maximum(s, LEAST[V.dtype] * s[-1]), Q

    def scaled_maps(self) -> list[np.ndarray]:
        """Per language words x r, the rows of Phi' diag(mu); the first columns are lower ranks'."""
        return self._by_language(self.Phi * self.values.astype(self.Phi.dtype))

    def _by_language(self, T: np.ndarray) -> list[np.ndarray]:
        T *= np.where(-T.min(axis=0) > T.max(axis=0), -1, 1).astype(T.dtype)
        return [T[words] for words in self.problem.words]

    def report(self, rank: int, asked: Collection[int]) -> dict[str, Any]:
        """Facts and warnings for the report of a fit of a rank, of those asked for."""
        said = []
        if not self.converged:
            said.append("the fit has NOT CONVERGED: raise the ridge")
        if rank not in asked:
            said.append(f"rank {max(asked)} reduced to {rank}: the data have no more")
        return {
            "rank": rank,
            "eigenvalues": self.values[:rank].tolist(),
            # ||M p - mu p|| / mu, the largest of all pairs
            "residual_max": float((self.residuals / self.values)[:rank].max()),
            "converged": self.converged,
            "solver": "iterative" if self.iterations else "dense",
            "iterations": self.iterations,
            "warnings": said,
        }


def count_nonzero(
    values: np.ndarray, problem: Problem, ridge: float, accuracy: float = ZERO
) -> int:
    """Number of leading eigenvalues above their accuracy, a share of their bound."""
    count = int(np.sum(values > accuracy * problem.counts.max()))
    if count == 0:
        raise UserError(
            f"Cr5, ridge {ridge:g}: no word tells one concept from another, so there is nothing "
            "to learn; expected two or more concepts with different words and a ridge that is "
            "not huge: check the training documents and the ridge"
        )
    return count


def slices(sizes) -> list[slice]:
    """Slices of these sizes, one after the other."""
    ends = np.cumsum([0, *sizes]).tolist()
    return [slice(*each) for each in pairwise(ends)]


def variances(features: Matrices) -> np.ndarray:
    """Of each word over all documents, times their number; (p,), stacked over languages."""
    n = sum(X.shape[0] for X in features)
    squares, sums = (np.concatenate([_column_sums(X, k) for X in features]) for k in (2, 1))
    return np.maximum(squares - sums**2 / n, 0)


def _column_sums(matrix: sparse.csr_matrix, power: int = 1) -> np.ndarray:
    """Sums in float64, over few enough entries at a time that no large copy is made."""
    sums = np.zeros(matrix.shape[1])
    for start in range(0, matrix.nnz, CHUNK):
        part = slice(start, start + CHUNK)
        values = matrix.data[part].astype(np.float64) ** power
        sums += np.bincount(matrix.indices[part], values, matrix.shape[1])
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
    group, inside = _groups(N)
    own = _factors(N[:, inside], group, variances(features))
    F = sparse.hstack([own, _merged(N[:, ~inside])], "csr") / np.sqrt(1 + gamma)
    return [F[words] for words in slices(part.shape[0] for part in prior)]


def _groups(N: sparse.csc_matrix) -> tuple[np.ndarray, np.ndarray]:
    """The group of each word, and of each feature whether all its words are in one.

    Features that would make too large a group tie none.
    """
    parent, size = list(range(N.shape[0])), [1] * N.shape[0]

    def root(word: int) -> int:
        while parent[word] != word:
            parent[word] = word = parent[parent[word]]
        return word

    inside = np.zeros(N.shape[1], bool)
    having = np.diff(N.indptr)
    for feature in np.argsort(having, kind="stable")[: np.sum(having <= MOST)]:
        words = N.indices[N.indptr[feature] : N.indptr[feature + 1]].tolist()
        roots = {root(word) for word in words}
        total = sum(size[each] for each in roots)
        if total <= MOST:
            inside[feature] = True
            for each in roots:
                parent[each], size[each] = min(roots), total
    return np.array([root(word) for word in range(N.shape[0])]), inside


def _factors(N: sparse.csc_matrix, group: np.ndarray, variances: np.ndarray) -> sparse.csr_matrix:
    """A factor F of I + N N', group by group; F' diag(variances) F is diagonal."""
    words = len(group)
    order = np.argsort(group, kind="stable")
    firsts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(firsts, append=words)
    place = np.empty(words, np.int64)  # of a word in its group
    place[order] = np.arange(words) - np.repeat(firsts, sizes)
    M = (sparse.identity(words) + N @ N.T).tocoo()
    rows, columns, values = [], [], []
    for m in np.unique(sizes):
        unknowns = firsts[sizes == m][:, None] + np.arange(m)  # groups x m; those of one in turn
        members = order[unknowns]
        number = np.full(words, -1)
        number[members] = np.arange(len(members))[:, None]
        of_these = number[M.row] >= 0
        row, column = M.row[of_these], M.col[of_these]
        dense = np.zeros((len(members), m, m))
        dense[number[row], place[row], place[column]] = M.data[of_these]
        L = np.linalg.cholesky(dense)
        Q = np.linalg.eigh(L.transpose(0, 2, 1) @ (variances[members][:, :, None] * L))[1]
        rows.append(np.repeat(members, m))
        columns.append(np.tile(unknowns, m).ravel())
        values.append((L @ Q).ravel())
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_matrix(entries, (words, words))


def _merged(N: sparse.csc_matrix) -> sparse.csc_matrix:
    """Merge equal columns into one, times the root of their number; in the same order."""
    first, group = np.unique(alike(N.T), return_inverse=True)
    return N[:, first] @ sparse.diags(np.sqrt(np.bincount(group)))
