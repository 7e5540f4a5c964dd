"""Conjugate gradients on many right-hand sides at once, with deflation."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cr5.systems.algebra import tall
from cr5.systems.algebra.device import Device

Operator = Callable[[np.ndarray], np.ndarray]
Tolerance = float | Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Solve:
    """The result of a linear solve.

    Attributes:
        value: the solution, one column per right-hand side.
        converged: whether every column met the tolerance.
        iterations: the largest number of steps of a column.
        residuals: |b - A x| / |b| of each column as the recurrence gives it, 0 if b = 0, with
            |r| = sqrt(r'r / diagonal): the norm in which the preconditioned system is solved.
    """

    value: np.ndarray
    converged: bool
    iterations: int
    residuals: np.ndarray


class Deflation:
    """Directions that are solved for exactly and kept out of the iteration.

    If A has a few eigenvalues far above the others, and V roughly spans their eigenvectors, this
    saves the steps that they would take (Saad, Yeung, Erhel, Guyomarc'h: A deflated version of the
    conjugate gradient algorithm, SIAM J. Sci. Comput. 21, 2000).

    Args:
        device: used for the computation.
        operator: applies A, symmetric and positive definite.
        V: directions, size x few; they may be linearly dependent.
    """

    def __init__(self, device: Device, operator: Operator, V: np.ndarray):
        self.device, self.V, self.AV = device, V, operator(V)
        self.inverse = np.linalg.pinv(tall.inner(device, V, self.AV), hermitian=True)


def solve(
    device: Device,
    operator: Operator,
    rhs: np.ndarray,
    diagonal: np.ndarray,
    tolerance: Tolerance,
    max_iterations: int,
    deflation: Deflation,
) -> Solve:
    """Solve A x = b for each column b, preconditioned by the diagonal of A (Jacobi).

    Args:
        device: used for the computation.
        operator: applies A, symmetric and positive definite, to a block of columns.
        rhs: size x columns, float32 or float64, which is also the type of the computation;
            overwritten.
        diagonal: of A, shape (size, 1); word frequencies follow Zipf's law, so it spans orders
            of magnitude and dividing by it saves most of the steps.
        tolerance: on the relative residual of each column; a number, or what makes one for each
            column of the residuals that deflation leaves.
        max_iterations: maximum number of steps.
        deflation: of the operator; its V may have no columns.
    """
    return _System(device, operator, diagonal, deflation).solve(rhs, tolerance, max_iterations)


@dataclass(frozen=True)
class _System:
    """A, and what is known of it."""

    device: Device
    operator: Operator
    diagonal: np.ndarray
    deflation: Deflation

    def solve(self, r: np.ndarray, tolerance: Tolerance, max_iterations: int) -> Solve:
        """Solve; converged columns leave the iteration."""
        squares = self._add(r, lambda rows: _squares(r[rows], self.diagonal[rows]))
        y = self._coefficients(tall.inner(self.device, self.deflation.V, r), r)
        value = self.device.empty(r.shape, r.dtype)

        def start(rows: slice) -> np.ndarray:
            np.matmul(self.deflation.V[rows], y, out=value[rows])
            r[rows] -= self.deflation.AV[rows] @ y
            return _squares(r[rows], self.diagonal[rows])

        rz = self._add(r, start)
        residuals = np.sqrt(np.divide(rz, squares, out=np.zeros_like(rz), where=squares > 0))
        allowed = tolerance(residuals) if callable(tolerance) else tolerance
        tolerance = np.broadcast_to(allowed, residuals.shape)
        active = np.flatnonzero(residuals > tolerance)
        x, r = (self._choose(each, active) for each in (value, r))
        rz = rz[active]
        d = np.zeros_like(r)
        self._direct(r, d, np.zeros(len(active)))
        iterations = 0
        while active.size and iterations < max_iterations:
            iterations += 1
            previous, rz = rz, self._step(x, r, d, rz)
            residuals[active] = np.sqrt(rz / squares[active])
            moving = residuals[active] > tolerance[active]
            if not moving.all():
                value[:, self.device.put(active)] = x
                active, rz, previous = active[moving], rz[moving], previous[moving]
                x, r, d = (self._choose(each, np.flatnonzero(moving)) for each in (x, r, d))
            self._direct(r, d, rz / previous)
        value[:, self.device.put(active)] = x
        return Solve(value, not active.size, iterations, residuals)

    def _step(self, x: np.ndarray, r: np.ndarray, d: np.ndarray, rz: np.ndarray) -> np.ndarray:
        """Step along d, in place; return the new r'r / diagonal."""
        Ad = self.operator(d)
        alpha = self.device.put((rz / tall.dots(self.device, d, Ad)).astype(d.dtype))

        def work(rows: slice) -> np.ndarray:
            x[rows] += alpha * d[rows]
            r[rows] -= alpha * Ad[rows]
            return _squares(r[rows], self.diagonal[rows])

        return self._add(x, work)

    def _direct(self, r: np.ndarray, d: np.ndarray, beta: np.ndarray) -> None:
        """The next direction, in d: r / diagonal and beta d, A-orthogonal to V.

        The old d is A-orthogonal to V too, except for rounding errors, which would grow.
        """
        V, AV = self.deflation.V, self.deflation.AV
        beta = self.device.put(beta.astype(r.dtype))

        def combine(rows: slice) -> np.ndarray:
            d[rows] *= beta
            d[rows] += r[rows] / self.diagonal[rows]
            return AV[rows].T @ d[rows]

        y = self._coefficients(self._add(r, combine), r)

        def project(rows: slice) -> None:
            d[rows] -= V[rows] @ y

        self._each(r, project)

    def _choose(self, array: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return some columns; the array itself, to save memory, if they are all."""
        if len(columns) == array.shape[1]:
            return array
        return array[:, self.device.put(columns)]

    def _coefficients(self, products: np.ndarray, like: np.ndarray) -> np.ndarray:
        return self.device.put((self.deflation.inverse @ products).astype(like.dtype))

    def _each(self, array: np.ndarray, work: Callable[[slice], object]) -> None:
        self.device.map(work, self.device.pieces(len(array)))

    def _add(self, array: np.ndarray, work: Callable[[slice], np.ndarray]) -> np.ndarray:
        return tall.add(self.device, len(array), work)


def _squares(r: np.ndarray, diagonal: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->j", r, r / diagonal)
