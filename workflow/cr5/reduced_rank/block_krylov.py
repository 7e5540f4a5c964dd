"""Leading eigenpairs of a symmetric positive semi-definite operator: block Krylov, restarted.

The basis V is kept orthonormal in full, so H = V'MV is known exactly and no recurrence has to
hold; with M V = V H + N R E' (N the next block, E the columns of the last one) the residual of
the Ritz pair (theta, V s) is ||R E's||. When the basis is full, the leading Ritz vectors take
its place and the next block goes on as it is (thick restart).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cr5.reduced_rank.orthonormal import orthonormal


@dataclass(frozen=True)
class RitzPairs:
    """Approximate eigenpairs, `values` descending, with the estimated residual norms."""

    values: np.ndarray
    vectors: np.ndarray
    residuals: np.ndarray
    converged: bool
    iterations: int


def leading_eigenpairs(
    operator: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    rank: int,
    tolerance: float,
    max_iterations: int,
    max_blocks: int = 5,
) -> RitzPairs:
    """The `rank` largest eigenpairs of M.

    Args:
        operator: applies M to a block of columns.
        start: size x block, of full column rank. An eigenvalue is found with at most as many
            copies as the block has columns: with block >= rank none is missed.
        rank: number of eigenpairs, at most the number of columns of `start`.
        tolerance: on the residuals, relative to the largest eigenvalue.
        max_iterations: block steps at most.
        max_blocks: basis size, in blocks, at which it is restarted.
    """
    block = start.shape[1]
    V, H = np.empty((start.shape[0], 0)), np.empty((0, 0))
    Q = orthonormal(start)[0]
    for iterations in range(1, max_iterations + 1):
        V = np.hstack([V, Q])
        Z = operator(Q)
        h, Z = _project_out(V, Z)
        H = _bordered(H, h)
        theta, S = _descending(H)
        # What is left of Z below the tolerance is noise of an inexact operator.
        Q, R = orthonormal(Z, 0.1 * tolerance * theta[0])
        residuals = np.linalg.norm(R @ S[len(S) - R.shape[1] :, :rank], axis=0)
        converged = bool((residuals <= tolerance * theta[0]).all())
        if converged or iterations == max_iterations:
            break
        if V.shape[1] + Q.shape[1] > max_blocks * block:
            V, H = V @ S[:, :block], np.diag(theta[:block])
    return RitzPairs(theta[:rank], V @ S[:, :rank], residuals, converged, iterations)


def _project_out(V: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """V'Z, and Z less its part in the span of V; twice, so that orthogonality is exact."""
    h = V.T @ Z
    Z = Z - V @ h
    correction = V.T @ Z
    return h + correction, Z - V @ correction


def _bordered(H: np.ndarray, h: np.ndarray) -> np.ndarray:
    """H with the new columns h and, below, their transpose."""
    old = len(H)
    corner = (h[old:] + h[old:].T) / 2
    return np.block([[H, h[:old]], [h[:old].T, corner]])


def _descending(H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    theta, S = np.linalg.eigh(H)
    return theta[::-1], S[:, ::-1]
