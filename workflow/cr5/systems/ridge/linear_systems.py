"""Linear systems with many right-hand sides: block conjugate gradients, Jacobi-preconditioned."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cr5.systems.algebra.threads import Threads
from cr5.systems.ridge.basis import whiten

CG_ITERATIONS = 500  # the paper's limit
LEFT = 0.4  # share of each right-hand side that is left, if nothing else is allowed
# Directions that lie closer to the span of the others than this share of their squared length, in
# the norm of B, are left out.
DEPENDENT = 1e-5


@dataclass(frozen=True)
class LinearSolution:
    """Solutions of some systems, and how they were reached."""

    x: np.ndarray
    steps: int  # one more than `CG_ITERATIONS` if these were not enough
    converged: bool


def conjugate_gradients(
    threads: Threads,
    operator: Callable[[np.ndarray], np.ndarray],
    r: np.ndarray,
    diagonal: np.ndarray,
    allowed: np.ndarray | None = None,
) -> LinearSolution:
    """Solve B x = r for each column of r until `LEFT` of its residual is left.

    Or until the squared length of each column's residual, in the plain norm as in the paper, is at
    most what is `allowed`.

    All right-hand sides share one Krylov space: each step minimises the error of every one of them,
    in the norm of B, over the directions of all (O'Leary: The block conjugate gradient algorithm
    and related methods, Linear Algebra Appl. 29, 1980). To leave 0.4 of the residuals takes 2 steps
    for 96 right-hand sides that take 3 one by one (measured, 31,000 concepts in four languages).

    Centring over all languages at once leaves the differences between them in B: languages - 1
    eigenvalues far above the others (measured, relative to the diagonal: 76, then 9.5), which the
    shared space soon has. To deflate by them saves 3 of 16 steps of 28 languages, and none of two.

    The operator applies B, and r is overwritten by the residuals. Word frequencies follow Zipf's
    law, so the diagonal (size x 1) spans orders of magnitude, and dividing by it (Jacobi) saves
    most of the steps. It has a part in the norm of residuals as well: in the plain one a few
    frequent words would decide.
    """
    systems = _LinearSystems(threads, operator, r, diagonal, is_weighted=allowed is None)
    squares = systems.squared_residuals()
    if allowed is None:
        allowed = LEFT**2 * squares
    steps = 0
    while np.any(squares > allowed):
        steps += 1
        if steps > CG_ITERATIONS:
            break
        systems.choose_directions()
        squares = systems.descend()
    return LinearSolution(systems.x, steps, converged=steps <= CG_ITERATIONS)


class _LinearSystems:
    """Systems B x = r that are solved together: solutions x, residuals r and directions d."""

    def __init__(
        self,
        threads: Threads,
        operator: Callable[[np.ndarray], np.ndarray],
        r: np.ndarray,
        diagonal: np.ndarray,
        is_weighted: bool,
    ):
        self.threads = threads
        self.operator = operator
        self.r = r
        self.diagonal = diagonal
        self.is_weighted = is_weighted  # the norm of residuals, by the inverse diagonal
        self.size = len(r)
        self.x = np.zeros_like(r)
        self.d = np.empty_like(r)
        self.Bd: np.ndarray | None = None
        self.Q: np.ndarray | None = None  # Q Q' is the inverse of d'Bd, without dependent d

    def squared_residuals(self) -> np.ndarray:
        """Return the squared norm of each residual."""
        return self.threads.total(self.size, self._squares)

    def _squares(self, rows: slice) -> np.ndarray:
        weighted = self.r[rows]
        if self.is_weighted:
            weighted = weighted / self.diagonal[rows]
        return np.einsum("ij,ij->j", self.r[rows], weighted)

    def choose_directions(self) -> None:
        """Divide residuals by the diagonal, and make them B-orthogonal to the directions before.

        The directions are r / diagonal - d share, with share = (d'Bd)^-1 (Bd)'(r / diagonal).
        """
        share = None
        if self.Bd is not None:
            share = self._coordinates(self.threads.total(self.size, self._coupling))
            self.Bd = None  # before there are pages for the next one

        def replace(rows: slice) -> None:
            directions = self.r[rows] / self.diagonal[rows]
            if share is not None:
                directions -= self.d[rows] @ share
            self.d[rows] = directions

        self.threads.each(self.size, replace)

    def _coupling(self, rows: slice) -> np.ndarray:
        return self.Bd[rows].T @ (self.r[rows] / self.diagonal[rows])

    def _coordinates(self, products: np.ndarray) -> np.ndarray:
        """Return (d'Bd)^-1 times some products."""
        return (self.Q @ (self.Q.T @ products)).astype(np.float32)

    def descend(self) -> np.ndarray:
        """Add d alpha to x, alpha = (d'Bd)^-1 d'r; return the squared norm of each residual."""
        self.Bd = self.operator(self.d)
        G, dr = np.split(self.threads.total(self.size, self._products), 2, axis=1)
        self.Q = whiten(G, np.diag(G), DEPENDENT)
        alpha = self._coordinates(dr)

        def step(rows: slice) -> np.ndarray:
            self.x[rows] += self.d[rows] @ alpha
            self.r[rows] -= self.Bd[rows] @ alpha
            return self._squares(rows)

        return self.threads.total(self.size, step)

    def _products(self, rows: slice) -> np.ndarray:
        """Return the part of some rows in d'Bd and d'r, side by side."""
        return self.d[rows].T @ np.concatenate([self.Bd[rows], self.r[rows]], axis=1)
