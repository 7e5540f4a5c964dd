"""Largest eigenvalues of a symmetric operator: block Lanczos, reorthogonalised, thick restarts.

With an orthonormal basis V whose span contains A V except for its last block, A V = V H + Q C E'
for H = V'AV, and QC the part of A times the last block that is orthogonal to V. So the residual of
a Ritz pair (theta, V y) is C times the last entries of y, and costs nothing. A full basis restarts
with its leading Ritz vectors and Q (Wu and Simon, SIAM J. Matrix Anal. Appl. 22, 2000).
"""

import logging
from collections.abc import Callable

import numpy as np

from cr5.systems.algebra.threads import Threads

logger = logging.getLogger(__name__)

BLOCK = 64  # columns that the operator is applied to at a time
DEPENDENT = 1e-12  # relative to A times a block: a new direction below this is noise
LEAST = 1e-6  # of the largest value: residuals are relative to at least this
GROWTH = 1.7  # of the basis between two computations of the Ritz values, which are costly
RESTARTS = 30


def largest(
    operator: Callable[[np.ndarray], np.ndarray],
    size: int,
    k: int,
    tolerance: float,
    threads: Threads,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the k largest eigenvalues, descending, their orthonormal vectors, and residuals.

    The operator applies A to a block, size x b, C-contiguous, which it must not change. A residual
    is ||A v - value v||, relative to the value, above the tolerance if it was not met. The size is
    at least k and three blocks. Threads change no byte if BLAS has one.
    """
    room = min(max(2 * k, k + 6 * BLOCK), size - BLOCK)  # so it rarely has to restart
    basis = _Basis(operator, size, room, threads)
    next_look = GROWTH * k
    restarts = 0
    while True:
        basis.extend()
        is_full = basis.n + BLOCK > room
        if not is_full and basis.n < next_look:
            continue
        next_look = GROWTH * basis.n
        values, Y = basis.ritz_pairs()
        residuals = basis.residuals(values, Y, k)
        n_pending = np.sum(residuals > tolerance)
        logger.info("%d columns, %d of %d pairs to go", basis.n, n_pending, k)
        if not n_pending or (is_full and restarts == RESTARTS):
            return values[:k], threads.combine(basis.V, Y[:, :k]), residuals
        if is_full:
            n_kept = k + (room - k - 2 * BLOCK) // 3
            basis.restart(values[:n_kept], Y[:, :n_kept])
            restarts += 1


class _Basis:
    """V (size x n), with room for more columns, H = V'AV, and the block Q that comes next."""

    def __init__(
        self,
        operator: Callable[[np.ndarray], np.ndarray],
        size: int,
        room: int,
        threads: Threads,
    ):
        self.operator = operator
        self.threads = threads
        self.n = 0
        self._V = np.empty((size, room))
        self._H = np.zeros((room, room))
        start = np.random.default_rng(0).normal(size=(size, BLOCK))
        self.Q, _ = np.linalg.qr(start)

    @property
    def V(self) -> np.ndarray:  # noqa: N802
        """The vectors."""
        return self._V[:, : self.n]

    def extend(self) -> None:
        """Append Q; W is A Q without its part in the span of V, and gives the next block."""
        new = slice(self.n, self.n + BLOCK)
        self.n += BLOCK
        self._V[:, new] = self.Q
        W = self.operator(self.Q)
        scale = np.sqrt(self.threads.dots(W, W).max())
        h = _subtract(self.V, W, self.threads)
        self._H[: self.n, new] = h
        self._H[new, : self.n] = h.T
        self._H[new, new] = (h[new] + h[new].T) / 2
        self.Q = _orthonormal(self.V, W, scale, self.threads)
        self.W = W

    def ritz_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all Ritz values, descending, and the coordinates of their vectors in V."""
        values, Y = np.linalg.eigh(self._H[: self.n, : self.n])
        return values[::-1], Y[:, ::-1]

    def residuals(self, values: np.ndarray, Y: np.ndarray, k: int) -> np.ndarray:
        """Return the residuals of the first k pairs, ||C y|| of the last entries y, C = Q'W."""
        C = self.threads.inner(self.Q, self.W)
        last_entries = Y[self.n - BLOCK :, :k]
        residuals = np.linalg.norm(C @ last_entries, axis=0)
        residuals /= np.maximum(np.abs(values[:k]), LEAST * values[0])
        return residuals

    def restart(self, values: np.ndarray, Y: np.ndarray) -> None:
        """Replace V by some leading Ritz vectors V Y."""
        n_kept = len(values)
        self.threads.combine(self.V, Y, self._V[:, :n_kept])
        self._H[:] = 0
        self._H[:n_kept, :n_kept] = np.diag(values)
        self.n = n_kept


def _subtract(V: np.ndarray, W: np.ndarray, threads: Threads) -> np.ndarray:
    """Subtract V V'W from W, twice for accuracy; return V'W."""
    h = np.zeros((V.shape[1], W.shape[1]))
    for _ in range(2):
        h += _subtract_once(V, W, threads)
    return h


def _subtract_once(V: np.ndarray, W: np.ndarray, threads: Threads) -> np.ndarray:
    h = threads.inner(V, W)

    def subtract(rows: slice) -> None:
        W[rows] -= V[rows] @ h

    threads.each(len(W), subtract)
    return h


def _orthonormal(V: np.ndarray, W: np.ndarray, scale: float, threads: Threads) -> np.ndarray:
    """Return a basis of W, orthogonal to V; in place of directions that are only noise, others."""
    Q, R = np.linalg.qr(W)
    if np.abs(np.diag(R)).min() <= DEPENDENT * scale:
        for _ in range(2):
            _subtract(V, Q, threads)
            Q, _ = np.linalg.qr(Q)
    return Q
