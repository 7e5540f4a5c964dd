"""Conjugate gradients on many right-hand sides at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# Columns that are worked on together: a block of this width stays in cache (measured on
# scipy's sparse products, which are several times slower at 300 columns).
WIDTH = 64


@dataclass(frozen=True)
class Solve:
    """The result of a linear solve.

    Attributes:
        value: the solution, one column per right-hand side.
        converged: whether every column met the tolerance.
        iterations: the largest number of steps that a column took.
        residuals: |b - A x| / |b| of each column as the recurrence gives it, 0 where b = 0, with
            |r| = sqrt(r'r / diagonal): the norm that the preconditioned system is solved in.
    """

    value: np.ndarray
    converged: bool
    iterations: int
    residuals: np.ndarray


def solve(
    operator: Callable[[np.ndarray], np.ndarray],
    rhs: np.ndarray,
    diagonal: np.ndarray,
    tolerance: float | np.ndarray,
    max_iterations: int,
) -> Solve:
    """Solve A x = b for each column b, preconditioned by the diagonal of A (Jacobi).

    Args:
        operator: applies A, symmetric and positive definite, to a block of columns.
        rhs: size x columns, float32 or float64, the type that is computed in.
        diagonal: of A, shape (size,); word frequencies follow Zipf's law, so it spans orders
            of magnitude and dividing by it saves most of the steps.
        tolerance: on the relative residual of each column; one for all, or one for each.
        max_iterations: steps at most.
    """
    tolerance = np.broadcast_to(tolerance, rhs.shape[1])
    blocks = [slice(start, start + WIDTH) for start in range(0, rhs.shape[1], WIDTH)]
    parts = [
        _solve_block(operator, rhs[:, b], diagonal, tolerance[b], max_iterations) for b in blocks
    ]
    return Solve(
        value=np.hstack([part.value for part in parts]),
        converged=all(part.converged for part in parts),
        iterations=max(part.iterations for part in parts),
        residuals=np.concatenate([part.residuals for part in parts]),
    )


def _solve_block(operator, rhs, diagonal, tolerance, max_iterations) -> Solve:
    value = np.zeros_like(rhs)
    z = rhs / diagonal[:, None]
    squares = _dots(rhs, z)
    residuals = np.where(squares > 0, 1.0, 0.0)
    active = np.flatnonzero(squares)  # columns that still move; the others cost nothing
    x, r, d, rz = value[:, active], rhs[:, active], z[:, active], squares[active]
    iterations = 0
    while active.size and iterations < max_iterations:
        iterations += 1
        Ad = operator(d)
        alpha = rz / _dots(d, Ad)
        x += alpha * d
        r -= alpha * Ad
        z = r / diagonal[:, None]
        previous, rz = rz, _dots(r, z)
        residuals[active] = np.sqrt(rz / squares[active])
        value[:, active] = x
        d = z + (rz / previous) * d
        moving = residuals[active] > tolerance[active]
        if not moving.all():
            active, rz = active[moving], rz[moving]
            x, r, d = x[:, moving], r[:, moving], d[:, moving]
    return Solve(value, not active.size, iterations, residuals)


def _dots(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->j", left, right)
