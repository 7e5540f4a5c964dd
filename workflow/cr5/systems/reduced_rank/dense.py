"""The exact solver, in the space of documents; the package docstring has the algebra.

Of the inverse G, M takes only Y'GY: what it does to sums over the documents of a concept. So each
kernel is rotated once: first the contrasts of documents of one concept, which Y' annihilates, then
their sums. Then Y'GY is the inverse of the last block of the Cholesky factor, and no other part of
G is formed.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.linalg import lapack

from cr5.base.errors import UserError
from cr5.systems.algebra.orthonormal import fix_signs
from cr5.systems.reduced_rank.problem import Problem
from cr5.systems.reduced_rank.solution import Eigenpairs, count_nonzero

BLOCK = 256  # rows that are rotated or mirrored at a time


class Kernel(NamedTuple):
    """A kernel K_l in rotated coordinates.

    Attributes:
        K: Q K_l Q', documents x documents.
        Q: orthogonal; rows are contrasts of documents of one concept, then normalised sums.
        sums: the rows of Q Y that are not zero, the last ones: sums x concepts.
    """

    K: np.ndarray
    Q: sparse.csr_matrix
    sums: sparse.csr_matrix

    def inverse(self, ridge: float) -> "Inverse":
        """Factor K + lambda I.

        Raises:
            UserError: it is singular beside rounding errors.
        """
        A = self.K.copy(order="F")  # LAPACK's order: otherwise each step would copy it
        A.flat[:: len(A) + 1] += ridge
        L, failed = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
        if failed:
            raise UserError(
                f"Cr5, ridge {ridge:g}: too small beside rounding errors of the features "
                f"(largest squared row norm {self.K.diagonal().max():g}); choose a larger ridge"
            )
        start = len(L) - self.sums.shape[0]
        G, _ = lapack.dpotri(L[start:, start:], lower=1)
        return Inverse(self, L, _mirrored(G))


class Inverse(NamedTuple):
    """(K + lambda I)^-1 as far as it is needed.

    Attributes:
        of: the kernel.
        L: Cholesky factor, in the lower triangle.
        G: its block of the sums.
    """

    of: Kernel
    L: np.ndarray
    G: np.ndarray

    @property
    def concepts(self) -> np.ndarray:
        """Y'(K_l + lambda I)^-1 Y, concepts x concepts."""
        S = self.of.sums
        return S.T @ (S.T @ self.G).T

    def documents(self, V: np.ndarray) -> np.ndarray:
        """(K_l + lambda I)^-1 Y V, documents x r, for V concepts x r."""
        x = self.G @ (self.of.sums @ V)
        start = len(self.L) - len(x)
        contrasts = linalg.solve_triangular(
            self.L[:start, :start], self.L[start:, :start].T @ -x, lower=True, trans="T"
        )
        return self.of.Q.T @ np.vstack([contrasts, x])


def eigenpairs(problem: Problem, rank: int, ridges: Sequence[float]) -> Iterator[Eigenpairs]:
    """Solve at each ridge; the kernels K_l = X_l X_l' are shared.

    A prior couples the languages: then there is one kernel, of all documents.

    Memory: two documents x documents matrices per kernel and four concepts x concepts.
    Time per ridge: one Cholesky factor per kernel and one partial eigendecomposition.
    """
    problem = problem.astype(np.float64)
    kernels = [_rotated(K, Y) for K, Y in _kernels(problem)]
    for ridge in ridges:
        yield _solve(problem, kernels, rank, ridge)


def _kernels(problem: Problem) -> Iterator[tuple[np.ndarray, sparse.csr_matrix]]:
    """Yield each kernel with the labels of its documents."""
    features, labels = problem.features, problem.labels
    if problem.prior:
        parts = [X @ F for X, F in zip(features, problem.prior, strict=True)]
        features, labels = [sparse.vstack(parts, "csr")], [sparse.vstack(labels, "csr")]
    for X, Y in zip(features, labels, strict=True):
        yield (X @ X.T).toarray(), Y


def _rotated(K: np.ndarray, Y: sparse.csr_matrix) -> Kernel:
    """Rotate a kernel, which is overwritten."""
    contrasts, sums = _contrasts(Y.indices), Y.T.tocsr()
    sums = sums[sums.getnnz(axis=1) > 0]
    sums.data[:] = np.repeat(1 / np.sqrt(sums.getnnz(axis=1)), sums.getnnz(axis=1))
    Q = sparse.vstack([contrasts, sums], "csr")
    for start in range(0, len(K), BLOCK):  # in place: it may be most of the memory
        K[:, start : start + BLOCK] = Q @ K[:, start : start + BLOCK]
    for start in range(0, len(K), BLOCK):
        K[start : start + BLOCK] = (Q @ K[start : start + BLOCK].T).T
    return Kernel(K, Q, (sums @ Y).tocsr())


def _contrasts(concepts: np.ndarray) -> sparse.csr_matrix:
    """Orthonormal contrasts (Helmert's) of documents of the same concept, contrasts x documents.

    Of each document with the sum of those of its concept before it.
    """
    order = np.argsort(concepts, kind="stable")
    _, starts, sizes = np.unique(concepts[order], return_index=True, return_counts=True)
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    first = np.flatnonzero(place)
    j = place[first]
    row = np.repeat(np.arange(len(first)), j + 1)
    back = np.concatenate([np.arange(k + 1) for k in j]) if len(j) else j  # 0 is itself
    value = np.where(back == 0, -np.repeat(j, j + 1), 1) / np.sqrt(np.repeat(j * (j + 1), j + 1))
    column = order[np.repeat(first, j + 1) - back]
    return sparse.csr_matrix((value, (row, column)), (len(first), len(order)))


def _solve(problem: Problem, kernels: list[Kernel], rank: int, ridge: float) -> Eigenpairs:
    inverses = [kernel.inverse(ridge) for kernel in kernels]  # G_l = (K_l + lambda I)^-1
    n, y = problem.n_concepts, problem.counts
    G = np.zeros((n, n))
    for each in inverses:
        G += each.concepts  # Y'GY
    h = G.sum(axis=1)  # Y'G1, as Y1 = 1
    total = h.sum()  # 1'G1
    # Yhat'Yhat - lambda Y'RY (Eq. 12)
    M = np.diag(y) - np.outer(y, y / problem.n_documents)
    M -= ridge * (G - np.outer(h, h / total))
    values, P = linalg.eigh(M, subset_by_index=[max(0, n - rank), n - 1])
    values, P = values[::-1], P[:, ::-1]  # LAPACK gives them in ascending order
    count = count_nonzero(values, problem, ridge)
    values, P = values[:count].copy(), fix_signs(P[:, :count])
    centred = P - h @ P / total  # RYP = GY (P - 1 h'P / 1'g)
    return Eigenpairs(
        ridge=ridge,
        values=values,
        vectors=P,
        coefficients=problem.adjoint(np.vstack([each.documents(centred) for each in inverses])),
        residuals=np.linalg.norm(M @ P - P * values, axis=0),
        converged=True,
        solver="dense",
        iterations=0,
    )


def _mirrored(A: np.ndarray) -> np.ndarray:
    """The symmetric matrix whose lower triangle is given in Fortran's order; overwrites it."""
    for start in range(0, len(A), BLOCK):
        stop = start + BLOCK
        A[start:stop, stop:] = A[stop:, start:stop].T
        corner = A[start:stop, start:stop]
        corner[:] = np.tril(corner) + np.tril(corner, -1).T
    return A.T  # the same matrix in row order


def dense_bytes(problem: Problem) -> int:
    """Estimated bytes of the dense solver besides the features."""
    kernels = sum(n * n for n in kernel_sizes(problem))
    return 8 * (2 * kernels + 4 * problem.n_concepts**2)


def kernel_sizes(problem: Problem) -> list[int]:
    """Numbers of documents of the dense solver's kernels: one per language; with a prior, one."""
    documents = [X.shape[0] for X in problem.features]
    return [sum(documents)] if problem.prior else documents
