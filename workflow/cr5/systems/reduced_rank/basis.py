"""A basis of word space, with the eigenproblem on it: A A'w = mu B w.

Besides the vectors W the basis keeps their documents Z = Xhat W, so the two quadratic forms,
W'BW = Z'Z + lambda W'W and W'AA'W = (Y'Z)'(Y'Z), and the residuals of Ritz vectors need no
product with the features except the one for Z.
"""

import numpy as np

from cr5.systems.algebra.orthonormal import whiten
from cr5.systems.algebra.threads import Threads
from cr5.systems.reduced_rank.operators import CentredFeatures, Concepts
from cr5.systems.reduced_rank.problem import Problem

# Coefficients of B-orthonormal vectors in the basis, relative to the lengths of its vectors, above
# which the basis itself is made B-orthonormal.
LARGE = 10.0
STRIDE = 64  # columns of Z that are recomputed at a time
# New directions that lie closer to the span of the basis than this share of their squared length
# are dropped, because they mostly repeat it.
DEPENDENT = {np.dtype(np.float32): 1e-2, np.dtype(np.float64): 1e-5}

# The basis of the iterative solver is as wide as is worthwhile (measured), or as fits into this.
BASIS_BYTES = 4.3 * 2**30
BLOCK = 96
STEPS = 7  # block steps between two restarts, unless the basis would be too large
SMALL = 256  # columns that any basis may have


class Basis:
    """W (words x k) and Z = Xhat W (documents x k), with room for `size` columns.

    When there is no more room, it restarts with its `kept` leading Ritz vectors.

    Attributes:
        theta: Ritz values, descending; as many as the basis has independent directions.
        S: coefficients of the Ritz vectors W S, which are B-orthonormal.
    """

    def __init__(self, Xhat: CentredFeatures, Y: Concepts, size: int, kept: int, threads: Threads):
        self.Xhat, self.Y, self.threads = Xhat, Y, threads
        self.size, self.kept, self.k = size, kept, 0
        self._words = np.empty((Xhat.shape[1], size), Xhat.dtype)
        self._documents = np.empty((Xhat.shape[0], size), Xhat.dtype)
        self.dependent = DEPENDENT[np.dtype(Xhat.dtype)]
        self.H = np.zeros((0, 0))  # W'AA'W
        self.C = np.zeros((0, 0))  # W C is B-orthonormal
        self.lengths = np.zeros(0)  # of the columns of W, in the norm of B
        self.theta, self.S = np.zeros(0), self.C

    def columns(self, first: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """W and Z, from column `first` on."""
        return self._words[:, first : self.k], self._documents[:, first : self.k]

    def append(self, T: np.ndarray, ridge: float) -> None:
        """Append new directions and solve the eigenproblem on the larger space.

        Args:
            T: words x b; columns of zeros are allowed.
            ridge: lambda.
        """
        self.make_room(T.shape[1], ridge)
        w, _ = self.free(T.shape[1])

        def copy(rows: slice) -> None:
            w[rows] = T[rows]

        self.threads.each(len(T), copy)
        self.extend(T.shape[1], ridge)

    def make_room(self, count: int, ridge: float) -> None:
        """Restart if there is no room for more columns, or if they would lose digits."""
        if self.k + count > self.size:
            self.restart(ridge)
        elif self._ill_conditioned():
            self.restart(ridge, len(self.theta))
        self._resize(self.size)

    def free(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The next columns of W and Z, there for any use after `make_room`."""
        columns = slice(self.k, self.k + count)
        return self._words[:, columns], self._documents[:, columns]

    def extend(self, count: int, ridge: float) -> None:
        """Append the directions that stand in the next columns of W, as by `append`."""
        w, z = self.free(count)
        norms = np.sqrt(self.threads.dots(w, w))
        scale = np.where(norms > 0, norms, 1).astype(w.dtype)

        def divide(rows: slice) -> None:
            w[rows] /= scale

        self.threads.each(len(w), divide)
        self.Xhat.matmat(w, out=z)
        k, self.k = self.k, self.k + count
        self._extend(k, ridge)
        self._solve()

    def _ill_conditioned(self) -> bool:
        """Whether coefficients are so large that another append would lose too many digits."""
        return self.k > 0 and (self.lengths * np.abs(self.C).max(axis=1)).max() > LARGE

    def _extend(self, k: int, ridge: float) -> None:
        """Extend H and C by the columns from k on."""
        (W, Z), (w, z) = self.columns(), self.columns(k)
        sums = self.Y.adjoint(z)

        def forms(rows: slice) -> np.ndarray:
            return Z[rows].T @ np.concatenate([self.Y.gather(sums, rows), z[rows]], axis=1)

        h, g = np.split(self.threads.total(len(Z), forms), 2, axis=1)
        g = g + ridge * self.threads.inner(W, w)
        shares = self.C.T @ g[:k]  # parts of the new directions in the old span
        q = whiten(g[k:] - shares.T @ shares, np.diag(g[k:]), self.dependent)
        below = np.zeros((len(q), self.C.shape[1]))
        self.C = np.block([[self.C, -self.C @ shares @ q], [below, q]])
        self.lengths = np.append(self.lengths, np.sqrt(np.diag(g[k:])))
        self.H = np.block([[self.H, h[:k]], [h[:k].T, (h[k:] + h[k:].T) / 2]])

    def _solve(self) -> None:
        theta, S = np.linalg.eigh(self.C.T @ self.H @ self.C)
        self.theta, self.S = theta[::-1], self.C @ S[:, ::-1]

    def restart(self, ridge: float, count: int | None = None) -> None:
        """Replace the columns by the leading Ritz vectors, `kept` of them by default."""
        cancelling = self._ill_conditioned()
        self._keep(count or self.kept)
        if cancelling:  # large coefficients have amplified the rounding errors of W and Z
            W, Z = self.columns()
            for first in range(0, self.k, STRIDE):
                columns = slice(first, first + STRIDE)
                self.Xhat.matmat(W[:, columns], out=Z[:, columns])
            self.measure(ridge)
            self._keep(self.k)

    def trim(self) -> None:
        """Free the room for further columns, until some are appended."""
        self._resize(self.k)

    def _resize(self, size: int) -> None:
        for name in ("_words", "_documents"):
            old = getattr(self, name)
            if old.shape[1] != size:
                new = np.empty((old.shape[0], size), old.dtype)
                new[:, : self.k] = old[:, : self.k]
                setattr(self, name, new)
                del old, new

    def _keep(self, count: int) -> None:
        """Put Ritz vectors into the place of the columns."""
        S = self.S[:, :count]
        for matrix in self.columns():
            self.threads.compress(matrix, S)
        self.k = S.shape[1]
        self.theta, self.lengths = self.theta[: self.k], np.ones(self.k)
        self.H, self.C, self.S = np.diag(self.theta), np.eye(self.k), np.eye(self.k)

    def change_ridge(self, ridge: float) -> None:
        """Restart with the eigenproblem of another lambda; Z does not depend on it."""
        self.restart(ridge)
        self.measure(ridge)

    def measure(self, ridge: float) -> None:
        """Recompute both forms on the whole basis, after its columns have changed."""
        W, Z = self.columns()
        F = self.Y.adjoint(Z)
        H = self.threads.inner(F, F)
        G = self.threads.inner(Z, Z) + ridge * self.threads.inner(W, W)
        self.H, self.C = (H + H.T) / 2, whiten(G, np.diag(G), self.dependent)
        self.lengths = np.sqrt(np.diag(G))
        self._solve()

    def ritz_vectors(
        self, chosen: np.ndarray | slice, out: tuple[np.ndarray, np.ndarray] = (None, None)
    ) -> tuple[np.ndarray, np.ndarray]:
        """W S and Z S for some columns of S; in `out` if it is given."""
        S, pairs = self.S[:, chosen], zip(self.columns(), out, strict=True)
        W, Z = (self.threads.combine(matrix, S, there) for matrix, there in pairs)
        return W, Z

    def residuals(self, w: np.ndarray, z: np.ndarray, mu: np.ndarray, ridge: float) -> None:
        """Overwrite Ritz vectors w by A A'w - mu B w = Xhat'(Y Y' - mu) z - mu lambda w, and z."""
        shift = -mu * w.dtype.type(ridge)
        self._defect(z, mu)

        def scale(rows: slice) -> None:
            w[rows] *= shift

        self.threads.each(len(w), scale)
        self.Xhat.adjoint(z, w)

    def _defect(self, z: np.ndarray, mu: np.ndarray) -> None:
        """Overwrite z by (Y Y' - mu) z."""
        sums = self.Y.adjoint(z)

        def work(rows: slice) -> None:
            z[rows] = self.Y.gather(sums, rows) - mu * z[rows]

        self.threads.each(len(z), work)


def block_size(rank: int) -> int:
    """Ritz vectors that a step of the iterative solver works on."""
    return min(rank, BLOCK)


def kept(rank: int) -> int:
    """Ritz vectors that a restart of the iterative solver keeps."""
    return rank + block_size(rank) // 4


def basis_size(problem: Problem, rank: int, dtype: type) -> int:
    """Columns of the basis: a function of the problem alone, so that results are too."""
    n, p, block = problem.n_documents, problem.n_unknowns, block_size(rank)
    affordable = int(BASIS_BYTES // (np.dtype(dtype).itemsize * (n + p)))
    steps = min(STEPS, (affordable - kept(rank)) // block)
    useful = min(affordable, SMALL, p + block)
    return max(kept(rank) + max(steps, 1) * block, useful)
