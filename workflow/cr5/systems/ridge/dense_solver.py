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
SIZE, BYTES = 6_000, 4 * 2**30


def is_small(problem: Problem) -> bool:
    """Whether documents of each kernel, and concepts, are few enough, and so are all matrices."""
    documents, n = [len(labels) for labels in problem.concepts], problem.n_concepts
    sizes = [sum(documents)] if problem.prior else documents
    needed = 8 * (2 * sum(size * size for size in sizes) + 4 * n * n)
    return max(n, *sizes) <= SIZE and needed <= BYTES


class Dense:
    """The solver, in float64: a kernel for each language, or one that a prior couples."""

    def __init__(self, problem: Problem, rank: int, threads: Threads):
        self.problem, self.rank, self.threads = problem.astype(np.float64), rank, threads
        X, concepts = self.problem.features, self.problem.concepts
        if self.problem.prior:
            products = [each @ F for each, F in zip(X, self.problem.prior, strict=True)]
            X, concepts = [sparse.vstack(products, "csr")], [np.concatenate(concepts)]
        self.kernels = [Kernel(*of) for of in zip(X, concepts, strict=True)]

    def solve(self, ridge: float) -> Solution:
        """Factor each kernel, and decompose M."""
        n, y = self.problem.n_concepts, self.problem.counts
        for kernel in self.kernels:
            kernel.factor(ridge)
        G = np.zeros((n, n))  # Y'GY
        for kernel in self.kernels:
            G[np.ix_(kernel.present, kernel.present)] += kernel.G
        h = G.sum(axis=1)  # Y'G1, as Y1 = 1
        total = h.sum()  # 1'G1
        # Yhat'Yhat - lambda Y'RY (Eq. 12)
        M = np.diag(y) - np.outer(y, y / self.problem.n_documents)
        M -= ridge * (G - np.outer(h, h / total))
        values, P = linalg.eigh(M, subset_by_index=[max(0, n - self.rank), n - 1])
        values, P = values[::-1], P[:, ::-1]  # LAPACK gives them in ascending order
        count = count_nonzero(values, self.problem, ridge)
        values, P = values[:count].copy(), P[:, :count]
        centred = P - h @ P / total  # RYP = GY (P - 1 h'P / 1'g)
        V = np.vstack([kernel.R.T @ kernel.documents(centred) for kernel in self.kernels])
        Phi = self.problem.word_vectors(self.problem.adjoint(V))
        residuals = np.linalg.norm(M @ P - P * values, axis=0)
        return Solution(self.problem, self.threads, ridge, values, residuals, Phi)


class Kernel:
    """A kernel K = X X' in new coordinates, R K R', the first documents of concepts last.

    At the last ridge L is the Cholesky factor of R (K + lambda I) R', in the lower triangle, and
    G = Y'(K + lambda I)^-1 Y for the concepts that are `present`, ascending.
    """

    def __init__(self, X: sparse.csr_matrix, labels: np.ndarray):
        self.present, first, number = np.unique(labels, return_index=True, return_inverse=True)
        others = np.delete(np.arange(len(labels)), first)
        self.start = m = len(others)
        of = m + number[others]  # the place of their concept's first document
        order = np.concatenate([others, first])
        X = X[order]
        self.K = (X @ X.T).toarray()
        self.K[:m] -= self.K[of]
        self.K[:, :m] -= self.K[:, of]
        change = sparse.csr_matrix((np.ones(m), (np.arange(m), of)), (len(order),) * 2)
        change = sparse.identity(len(order), format="csr") - change
        self.R = change[:, np.argsort(order)]
        self.identity = (change @ change.T).tocoo()  # I in these coordinates

    def factor(self, ridge: float) -> None:
        """Factor it at a ridge, or refuse one that is lost beside rounding errors."""
        A, one, m = self.K.copy(order="F"), self.identity, self.start
        A[one.row, one.col] += ridge * one.data
        self.L, failed = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
        if failed:
            raise UserError(
                f"Cr5, ridge {ridge:g}: too small beside rounding errors of the features "
                f"(largest squared row norm {self.K.diagonal().max():g}); choose a larger ridge"
            )
        G, _ = lapack.dpotri(self.L[m:, m:], lower=1)
        self.G = np.tril(G) + np.tril(G, -1).T

    def documents(self, V: np.ndarray) -> np.ndarray:
        """(R (K + lambda I) R')^-1 R Y V, documents x r, for V concepts x r."""
        x, m = self.G @ V[self.present], self.start
        others = self.L[m:, :m].T @ -x
        others = linalg.solve_triangular(self.L[:m, :m], others, lower=True, trans="T")
        return np.vstack([others, x])
