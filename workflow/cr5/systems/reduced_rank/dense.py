"""The exact solver, in the space of documents; the package docstring has the algebra."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import linalg, sparse
from scipy.linalg import lapack

from cr5.base.errors import UserError
from cr5.systems.algebra.orthonormal import fix_signs
from cr5.systems.reduced_rank.problem import Problem
from cr5.systems.reduced_rank.solution import Eigenpairs, count_nonzero

BLOCK = 256  # rows that are mirrored at a time


def eigenpairs(problem: Problem, rank: int, ridges: Sequence[float]) -> Iterator[Eigenpairs]:
    """Solve at each ridge; the kernels K_l = X_l X_l' are shared.

    A prior couples the languages: then there is one kernel, of all documents.

    Memory: two documents x documents matrices per kernel and four concepts x concepts.
    Time per ridge: one inverse per kernel and one partial eigendecomposition.
    """
    problem = problem.astype(np.float64)
    kernels = list(_kernels(problem))
    for ridge in ridges:
        yield _solve(problem, kernels, rank, ridge)


def _kernels(problem: Problem) -> Iterator[tuple[np.ndarray, sparse.csr_matrix]]:
    """Yield each kernel with the labels of its documents."""
    scaled = problem.features
    if problem.own:
        scaled = [X @ sparse.diags(d) for X, d in zip(scaled, problem.own, strict=True)]
    alone = [(X @ X.T).toarray() for X in scaled]
    if not problem.prior:
        yield from zip(alone, problem.labels, strict=True)
        return
    parts = [X @ S for X, S in zip(problem.features, problem.prior, strict=True)]
    shared = sparse.vstack(parts, "csr")
    K = (shared @ shared.T).toarray()
    start = 0
    for K_l in alone:
        rows = slice(start, start + len(K_l))
        K[rows, rows] += K_l
        start = rows.stop
    yield K, sparse.vstack(problem.labels, "csr")


def _solve(
    problem: Problem,
    kernels: list[tuple[np.ndarray, sparse.csr_matrix]],
    rank: int,
    ridge: float,
) -> Eigenpairs:
    labels = [Y for _, Y in kernels]
    inverse = [_inverse(K, ridge) for K, _ in kernels]  # G_l = (K_l + lambda I)^-1
    g = [G.sum(axis=1) for G in inverse]  # g = G1
    h = sum(Y.T @ g_l for Y, g_l in zip(labels, g, strict=True))  # Y'g
    total = sum(g_l.sum() for g_l in g)  # 1'g
    M = _concept_matrix(problem, labels, inverse, h, total, ridge)
    n = problem.n_concepts
    values, P = linalg.eigh(M, subset_by_index=[max(0, n - rank), n - 1])
    values, P = values[::-1], P[:, ::-1]  # LAPACK gives them in ascending order
    count = count_nonzero(values, problem, ridge)
    values, P = values[:count].copy(), fix_signs(P[:, :count])
    return Eigenpairs(
        ridge=ridge,
        values=values,
        vectors=P,
        coefficients=problem.adjoint(_duals(labels, inverse, g, h @ P / total, P)),
        residuals=np.linalg.norm(M @ P - P * values, axis=0),
        converged=True,
        solver="dense",
        iterations=0,
    )


def _inverse(K: np.ndarray, ridge: float) -> np.ndarray:
    A = K.copy(order="F")  # LAPACK's order: otherwise each step would copy it
    A.flat[:: len(A) + 1] += ridge
    factor, failed = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
    if failed:
        raise UserError(
            f"Cr5, ridge {ridge:g}: too small beside rounding errors of the features "
            f"(largest squared row norm {K.diagonal().max():g}); choose a larger ridge"
        )
    lower, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    _mirror(lower)
    return lower.T  # the same matrix in row order


def _mirror(A: np.ndarray) -> None:
    """Copy the lower triangle onto the upper one, in place."""
    for start in range(0, len(A), BLOCK):
        stop = start + BLOCK
        A[start:stop, stop:] = A[stop:, start:stop].T
        corner = A[start:stop, start:stop]
        corner[:] = np.tril(corner) + np.tril(corner, -1).T


def _concept_matrix(
    problem: Problem,
    labels: list[sparse.csr_matrix],
    inverse: list[np.ndarray],
    h: np.ndarray,
    total: float,
    ridge: float,
) -> np.ndarray:
    """M = Yhat'Yhat - lambda (Y'GY - h h' / 1'g), K x K (Eq. 12)."""
    y = problem.counts
    M = np.diag(y) - np.outer(y, y / problem.n_documents) + np.outer(h, h * (ridge / total))
    for Y, G in zip(labels, inverse, strict=True):
        M -= ridge * (Y.T @ (Y.T @ G).T)
    return M


def _duals(
    labels: list[sparse.csr_matrix],
    inverse: list[np.ndarray],
    g: list[np.ndarray],
    shares: np.ndarray,
    P: np.ndarray,
) -> np.ndarray:
    """(G - g g' / 1'g) Y P, documents x r: X' of it is Phi' (Eq. 14); `shares` is g'YP / 1'g."""
    return np.vstack(
        [G @ (Y @ P) - np.outer(g_l, shares) for Y, G, g_l in zip(labels, inverse, g, strict=True)]
    )


def dense_bytes(problem: Problem) -> int:
    """Estimated bytes of the dense solver besides the features."""
    kernels = sum(n * n for n in kernel_sizes(problem))
    return 8 * (2 * kernels + 4 * problem.n_concepts**2)


def kernel_sizes(problem: Problem) -> list[int]:
    """Numbers of documents of the dense solver's kernels: one per language; with a prior, one."""
    documents = [X.shape[0] for X in problem.features]
    return [sum(documents)] if problem.prior else documents
