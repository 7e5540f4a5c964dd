"""Largest eigenvalues of a symmetric operator: thick-restart block Lanczos, reorthogonalised.

With an orthonormal basis V whose span contains A V except for its last block, A V = V H + F E' for
H = V'AV and the part F of A times the last block that is orthogonal to V. So the residual of a
Ritz pair (theta, V y) is F times the last entries of y, and costs nothing. A full basis restarts
with its leading Ritz vectors and F (Wu and Simon, SIAM J. Matrix Anal. Appl. 22, 2000).
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cr5.systems.algebra.orthonormal import fix_signs
from cr5.systems.algebra.threads import Threads

logger = logging.getLogger(__name__)

Operator = Callable[[np.ndarray], np.ndarray]
DEPENDENT = 1e-12  # relative to A times a block: a new direction below this is noise
LEAST = 1e-6  # of the largest value: residuals are relative to at least this
GROWTH = 1.7  # of the basis between two computations of the Ritz values, which are costly


@dataclass(frozen=True)
class Eigenpairs:
    """Eigenpairs of a symmetric operator, by descending value.

    Attributes:
        values: (k,).
        vectors: size x k, orthonormal.
        residuals: (k,), ||A v - value v||.
        converged: whether all residuals meet the tolerance.
        products: number of columns that the operator was applied to.
        restarts: of the basis.
    """

    values: np.ndarray
    vectors: np.ndarray
    residuals: np.ndarray
    converged: bool
    products: int
    restarts: int


@dataclass(frozen=True)
class LanczosSettings:
    """Tolerance and limits of the iteration.

    Attributes:
        tolerance: on residuals, relative to the value of each pair.
        block: columns that the operator is applied to at a time.
        basis: maximum number of columns of the basis; at least k and two blocks.
        max_restarts: of the basis.
    """

    tolerance: float = 1e-8
    block: int = 64
    basis: int = 512
    max_restarts: int = 50


class _Basis:
    """V, H and F of the module docstring, and their number of columns."""

    def __init__(
        self, operator: Operator, size: int, k: int, settings: LanczosSettings, threads: Threads
    ):
        self.operator, self.threads, self.block = operator, threads, settings.block
        # room for at least a restart, and never for more columns than dimensions
        self.most = min(max(settings.basis, k + 2 * self.block), size - self.block)
        self.products = self.restarts = 0
        self.V = np.empty((size, self.most), np.float64)
        self.H = np.zeros((self.most, self.most))
        self.generator = np.random.default_rng(0)
        self.known = 0  # columns whose products are in H
        self.k = 0  # columns of V: one block more, unless it is full
        self.V[:, : self.block] = np.linalg.qr(self.generator.normal(size=(size, self.block)))[0]
        self.k = self.block

    def grow(self) -> None:
        """Multiply the last block; append the new part of the result, if there is room."""
        new = slice(self.known, self.k)
        self.products += self.block
        W = self.operator(np.ascontiguousarray(self.V[:, new]))
        scale = np.sqrt(self.threads.dots(W, W).max(initial=0))
        h = self._subtract(W)
        self.H[: self.k, new], self.H[new, : self.k] = h, h.T
        self.H[new, new] = (h[new] + h[new].T) / 2
        self.known = self.k
        self.F, self.R = self._split(W, scale)
        if self.k + self.block <= self.most:
            self._attach()

    def _attach(self) -> None:
        """Append F to V, and its coupling R to H."""
        k, before = self.k, slice(self.k - self.R.shape[1], self.k)
        self.V[:, k : k + self.block] = self.F
        self.H[k : k + self.block, before] = self.R
        self.H[before, k : k + self.block] = self.R.T
        self.k += self.block

    def _subtract(self, W: np.ndarray) -> np.ndarray:
        """Subtract V V'W from W, twice for accuracy; return V'W."""
        h = np.zeros((self.k, W.shape[1]))
        V = self.V[:, : self.k]
        for _ in range(2):
            part = self.threads.inner(V, W)
            self._each(W, lambda rows, part=part: np.subtract(W[rows], V[rows] @ part, W[rows]))
            h += part
        return h

    def _split(self, W: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """F orthonormal and R with FR = W; directions that are only noise are drawn anew."""
        Q, T = np.linalg.qr(W)
        U, s, Y = np.linalg.svd(T)
        F, R = self.threads.combine(Q, U), s[:, None] * Y
        noise = s <= DEPENDENT * scale
        if noise.any() and self.k + self.block <= len(F):
            R[noise] = 0
            F[:, noise] = self._drawn(F[:, ~noise], noise.sum())
        return F, R

    def _drawn(self, others: np.ndarray, n: int) -> np.ndarray:
        """Draw orthonormal directions, orthogonal to the basis and to `others`."""
        drawn = self.generator.normal(size=(len(others), n))
        for _ in range(2):
            self._subtract(drawn)
            drawn -= others @ (others.T @ drawn)
        return np.linalg.qr(drawn)[0]

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Ritz values, descending; their coefficients; their residuals."""
        values, Y = np.linalg.eigh(self.H[: self.known, : self.known])
        values, Y = values[::-1], Y[:, ::-1]
        last = Y[self.known - self.R.shape[1] :]
        return values, Y, np.sqrt(np.square(self.R @ last).sum(axis=0))

    def restart(self, kept: int) -> None:
        """Keep the leading Ritz vectors, and F, which spans all their residuals."""
        values, Y, _ = self.pairs()
        last = Y[self.known - self.R.shape[1] :, :kept]
        self.threads.compress(self.V[:, : self.known], Y[:, :kept])
        self.H[:] = 0
        self.H[:kept, :kept] = np.diag(values[:kept])
        self.V[:, kept : kept + self.block] = self.F
        coupling = self.R @ last
        self.H[kept : kept + self.block, :kept] = coupling
        self.H[:kept, kept : kept + self.block] = coupling.T
        self.known, self.k = kept, kept + self.block
        self.restarts += 1

    def _each(self, W: np.ndarray, work: Callable[[slice], object]) -> None:
        self.threads.each(len(W), work)


def largest(
    operator: Operator, size: int, k: int, settings: LanczosSettings, threads: Threads
) -> Eigenpairs:
    """The k largest eigenvalues and their vectors, signs fixed.

    If k is not far below the size, A is formed and decomposed.

    Args:
        operator: applies A to a block, size x b, C-contiguous, float64; must not change it.
        size: of A.
        k: pairs wanted.
        settings: tolerance and limits.
        threads: that share the work; they change no byte if BLAS is limited to one thread.
    """
    if k + 3 * settings.block > size:
        return _written_out(operator, size, k)
    basis = _Basis(operator, size, k, settings, threads)
    look = GROWTH * k
    while True:
        basis.grow()
        full = basis.known == basis.k
        if not full and basis.known < look:
            continue
        look = basis.known * GROWTH
        values, Y, residuals = basis.pairs()
        allowed = settings.tolerance * np.maximum(np.abs(values), LEAST * values[0])
        small = (residuals <= allowed)[:k]
        logger.info("%d columns, %d of %d pairs to go", basis.known, k - small.sum(), k)
        if small.all() or (full and basis.restarts == settings.max_restarts):
            vectors = threads.combine(basis.V[:, : basis.known], Y[:, :k])
            done = bool(small.all()), basis.products, basis.restarts
            return Eigenpairs(values[:k], fix_signs(vectors), residuals[:k], *done)
        if full:
            basis.restart(k + (basis.most - k - 2 * basis.block) // 3)


def _written_out(operator: Operator, size: int, k: int) -> Eigenpairs:
    A = operator(np.eye(size))
    values, vectors = np.linalg.eigh((A + A.T) / 2)
    values, vectors = values[::-1][:k], fix_signs(vectors[:, ::-1][:, :k])
    return Eigenpairs(values, vectors, np.zeros(len(values)), True, size, 0)


def basis_size(size: int, k: int, block: int) -> int:
    """Columns of a basis that rarely has to restart."""
    return min(size, max(2 * k, k + 6 * block))
