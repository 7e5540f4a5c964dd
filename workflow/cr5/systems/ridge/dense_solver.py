"""The exact solver, in the space of documents; the package docstring has the algebra.

Of the inverse G = (K + lambda I)^-1, M takes only Y'GY: what it does to sums over the documents of
a concept. So the coordinates are changed once, by R: of the documents of a concept the first one
stands for it, and is subtracted from the others. As RY has a single one in the row of each first
document, and they come last, Y'GY = (RY)' (R (K + lambda I) R')^-1 RY is the inverse of the last
block of the Cholesky factor, and no other part of G is formed.
"""

import numpy as np
from scipy import linalg, sparse
from scipy.linalg import lapack

from cr5.base.errors import UserError
from cr5.systems.algebra.threads import Threads
from cr5.systems.ridge.problem import Problem, Solution, count_nonzero

# Up to here it takes about a minute per ridge on one core.
SIZE = 6_000
BYTES = 4 * 2**30
COMMON = 1 / 6  # share of documents from which a column is multiplied as a dense one
COLUMNS = 1024  # dense ones at a time


def is_small(problem: Problem) -> bool:
    """Whether documents of each kernel, and concepts, are few enough, and so are all matrices."""
    n_concepts = problem.n_concepts
    sizes = [len(labels) for labels in problem.concepts]
    if problem.prior:
        sizes = [sum(sizes)]  # it couples the languages
    n_entries = 2 * sum(size**2 for size in sizes) + 4 * n_concepts**2
    n_bytes = 8 * n_entries
    return max(n_concepts, *sizes) <= SIZE and n_bytes <= BYTES


class Dense:
    """The solver, in float64: a kernel for each language, or one that a prior couples."""

    def __init__(self, problem: Problem, rank: int, threads: Threads):
        self.problem = problem.astype(np.float64)
        self.rank = rank
        self.threads = threads
        features = self.problem.features
        concepts = self.problem.concepts
        if self.problem.prior:
            products = [X @ F for X, F in zip(features, self.problem.prior, strict=True)]
            features = [sparse.vstack(products, "csr")]
            concepts = [np.concatenate(concepts)]
        self.kernels = []
        for X, labels in zip(features, concepts, strict=True):
            self.kernels.append(Kernel(X, labels, self.problem.is_dense))

    def solve(self, ridge: float) -> Solution:
        """Factor each kernel, and decompose M."""
        n_concepts = self.problem.n_concepts
        n_documents = self.problem.n_documents
        for kernel in self.kernels:
            kernel.factor(ridge)
        G = np.zeros((n_concepts, n_concepts))  # Y'GY
        for kernel in self.kernels:
            G[np.ix_(kernel.present, kernel.present)] += kernel.G
        h = G.sum(axis=1)  # Y'G1, as Y1 = 1
        total = h.sum()  # 1'G1
        # Yhat'Yhat - lambda Y'RY (Eq. 12)
        y = self.problem.counts
        M = np.diag(y) - np.outer(y, y / n_documents)
        M -= ridge * (G - np.outer(h, h / total))
        mu, P = self._leading_eigenpairs(M)
        n_nonzero = count_nonzero(mu, self.problem, ridge)
        mu = mu[:n_nonzero].copy()
        P = P[:, :n_nonzero]
        # Phi' = X'RYP = X'GY (P - 1 h'P / 1'G1) (Eq. 14)
        centred = P - h @ P / total
        RYP = np.vstack([kernel.R.T @ kernel.documents(centred) for kernel in self.kernels])
        Phi = self.problem.word_vectors(self.problem.adjoint(RYP))
        residuals = np.linalg.norm(M @ P - P * mu, axis=0)
        return Solution(self.problem, self.threads, ridge, mu, residuals, Phi)

    def _leading_eigenpairs(self, M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the leading eigenvalues of M, descending, and their vectors."""
        last = len(M) - 1
        first = max(0, len(M) - self.rank)
        values, vectors = linalg.eigh(M, subset_by_index=[first, last])
        return values[::-1], vectors[:, ::-1]


class Kernel:
    """A kernel K = X X' in new coordinates, R K R', the first documents of concepts last.

    At the last ridge L is the Cholesky factor of R (K + lambda I) R', in the lower triangle, and
    G = Y'(K + lambda I)^-1 Y for the concepts that are `present`, ascending.
    """

    def __init__(self, X: sparse.csr_matrix, labels: np.ndarray, is_dense: bool = False):
        self.present, firsts, number = np.unique(labels, return_index=True, return_inverse=True)
        n_documents = len(labels)
        others = np.delete(np.arange(n_documents), firsts)
        n_others = len(others)
        self.start = n_others  # of the first documents of concepts
        first_of_others = n_others + number[others]  # the place of their concept's first document
        order = np.concatenate([others, firsts])
        X = X[order]
        self.K = products_by_column(X) if is_dense else (X @ X.T).toarray()
        self.K[:n_others] -= self.K[first_of_others]
        self.K[:, :n_others] -= self.K[:, first_of_others]
        entries = (np.ones(n_others), (np.arange(n_others), first_of_others))
        subtracted = sparse.csr_matrix(entries, (n_documents, n_documents))
        change = sparse.identity(n_documents, format="csr") - subtracted
        self.R = change[:, np.argsort(order)]
        self.identity = (change @ change.T).tocoo()  # I in these coordinates

    def factor(self, ridge: float) -> None:
        """Factor it at a ridge, or refuse one that is lost beside rounding errors."""
        start = self.start
        identity = self.identity
        A = self.K.copy(order="F")
        A[identity.row, identity.col] += ridge * identity.data
        self.L, failed = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
        if failed:
            raise UserError(
                f"Cr5, ridge {ridge:g}: too small beside rounding errors of the features "
                f"(largest squared row norm {self.K.diagonal().max():g}); choose a larger ridge"
            )
        lower, _ = lapack.dpotri(self.L[start:, start:], lower=1)
        _fill_upper_triangle(lower)
        self.G = lower.T  # the same by rows

    def documents(self, V: np.ndarray) -> np.ndarray:
        """Return (R (K + lambda I) R')^-1 R Y V, documents x r, for V concepts x r."""
        start = self.start
        firsts = self.G @ V[self.present]
        right = self.L[start:, :start].T @ -firsts
        others = linalg.solve_triangular(self.L[:start, :start], right, lower=True, trans="T")
        return np.vstack([others, firsts])


def _fill_upper_triangle(matrix: np.ndarray) -> None:
    """Make a matrix symmetric, in place, of which the lower triangle was set."""
    for row in range(len(matrix)):
        matrix[row, row + 1 :] = matrix[row + 1 :, row]


def products_by_column(X: sparse.csr_matrix) -> np.ndarray:
    """Return X X', to which columns that many rows have are added as dense ones.

    Sparse products take ten times as long for an entry.
    """
    n_rows = X.shape[0]
    by_column = X.tocsc()
    is_common = np.diff(by_column.indptr) > COMMON * n_rows
    rare = by_column[:, ~is_common].tocsr()
    K = (rare @ rare.T).toarray()
    common = by_column[:, is_common]
    for start in range(0, common.shape[1], COLUMNS):
        columns = common[:, start : start + COLUMNS].toarray()
        K += columns @ columns.T
    return K
