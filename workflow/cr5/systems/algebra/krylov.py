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
    """The k largest eigenvalues, descending, their orthonormal vectors, and residuals.

    The operator applies A to a block, size x b, C-contiguous, which it must not change. A residual
    is ||A v - value v||, relative to the value, above the tolerance if it was not met. The size is
    at least k and three blocks. Threads change no byte if BLAS has one.
    """
    most = min(max(2 * k, k + 6 * BLOCK), size - BLOCK)  # so it rarely has to restart
    V, H = np.empty((size, most)), np.zeros((most, most))
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(size, BLOCK)))[0]
    n, look, restarts = 0, GROWTH * k, 0
    while True:
        new, n = slice(n, n + BLOCK), n + BLOCK
        V[:, new] = Q
        W = operator(Q)
        scale = np.sqrt(threads.dots(W, W).max())
        h = _subtract(V[:, :n], W, threads)
        H[:n, new], H[new, :n] = h, h.T
        H[new, new] = (h[new] + h[new].T) / 2
        Q = _orthonormal(V[:, :n], W, scale, threads)
        full = n + BLOCK > most
        if not full and n < look:
            continue
        look = GROWTH * n
        values, Y = np.linalg.eigh(H[:n, :n])
        values, Y = values[::-1], Y[:, ::-1]
        residuals = np.linalg.norm(threads.inner(Q, W) @ Y[n - BLOCK :, :k], axis=0)
        residuals /= np.maximum(np.abs(values[:k]), LEAST * values[0])
        pending = np.sum(residuals > tolerance)
        logger.info("%d columns, %d of %d pairs to go", n, pending, k)
        if not pending or (full and restarts == RESTARTS):
            return values[:k], threads.combine(V[:, :n], Y[:, :k]), residuals
        if full:
            kept = k + (most - k - 2 * BLOCK) // 3
            threads.combine(V[:, :n], Y[:, :kept], V[:, :kept])
            H[:] = 0
            H[:kept, :kept] = np.diag(values[:kept])
            n, restarts = kept, restarts + 1


def _subtract(V: np.ndarray, W: np.ndarray, threads: Threads) -> np.ndarray:
    """Subtract V V'W from W, twice for accuracy; return V'W."""
    h = np.zeros((V.shape[1], W.shape[1]))
    for _ in range(2):
        part = threads.inner(V, W)
        threads.each(len(W), lambda rows, part=part: np.subtract(W[rows], V[rows] @ part, W[rows]))
        h += part
    return h


def _orthonormal(V: np.ndarray, W: np.ndarray, scale: float, threads: Threads) -> np.ndarray:
    """A basis of W, orthogonal to V; in place of directions that are only noise, any others."""
    Q, R = np.linalg.qr(W)
    if np.abs(np.diag(R)).min() <= DEPENDENT * scale:
        for _ in range(2):
            _subtract(V, Q, threads)
            Q = np.linalg.qr(Q)[0]
    return Q
