"""A basis of word space for A A'w = mu B w, with A = Xhat'Yhat and B = Xhat'Xhat + lambda I.

Besides the vectors W the basis keeps their documents Z = Xhat W, so the two quadratic forms,
W'BW = Z'Z + lambda W'W and W'AA'W = (Y'Z)'(Y'Z), and the residuals of Ritz vectors need no
product with the features except the one for Z.
"""

import numpy as np
from scipy import sparse

from cr5.systems.algebra.incidence import incidence
from cr5.systems.algebra.threads import Threads, multiply_transposed
from cr5.systems.ridge.problem import Problem, slices

WIDTH = 96  # columns that are multiplied at a time
# Coefficients of B-orthonormal vectors in the basis, relative to the lengths of its vectors, above
# which the basis itself is made B-orthonormal.
LARGE = 10.0
# New directions that lie closer to the span of the basis than this share of their squared length
# are dropped, because they mostly repeat it.
DEPENDENT = 1e-2


class Features:
    """Xhat = C Z, documents x unknowns, and Y, in the type of the features; neither is formed.

    Means are computed in float64, as what centring leaves may be a small difference.
    """

    def __init__(self, problem: Problem, threads: Threads):
        self.threads, self.X, self.F = threads, problem.features, problem.prior
        self.dtype = problem.features[0].dtype
        if self.F:
            self.transposed = sparse.vstack(self.F, "csr").T.tocsr()
        self.rows, self.words = slices(X.shape[0] for X in self.X), problem.words
        self.shape = problem.n_documents, problem.n_unknowns
        self.means = problem.means
        self.mean = self.means.sum(axis=1)[:, None]
        self.labels = np.concatenate(problem.concepts)
        self.documents = incidence(self.labels, problem.n_concepts, self.dtype).T.tocsr()

    def matmat(self, U: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Xhat U = ZU - 1 m'U."""
        if out is None:
            out = np.empty((self.shape[0], U.shape[1]), self.dtype)
        means = self.threads.inner(self.mean, U)[0].astype(self.dtype)
        for columns in _column_blocks(U):
            unknowns = self.threads.filled("unknowns", U[:, columns]) if self.F else None
            for language, (X, rows) in enumerate(zip(self.X, self.rows, strict=True)):
                if self.F:
                    part = self._product("words", self.F[language], unknowns)
                else:
                    part = self.threads.filled("words", U[self.words[language], columns])
                self.threads.multiply(X, part, means[columns], out[rows, columns])
        return out

    def adjoint(self, V: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Add Xhat'V = Z'(V - 1 1'V/n) to `out`."""
        sums = self.threads.total(len(V), lambda rows: V[rows].sum(axis=0, dtype=np.float64))
        means = (sums / len(V)).astype(self.dtype)
        for columns in _column_blocks(V):
            self._add_adjoint(V[:, columns], means[columns], out[:, columns])
        return out

    def _add_adjoint(self, V: np.ndarray, means: np.ndarray, out: np.ndarray) -> None:
        of_words, width = out, V.shape[1]
        if self.F:
            of_words = self.threads.block("words", self.words[-1].stop, width, self.dtype)
            of_words[:] = 0

        def multiply(language: int) -> None:
            found = multiply_transposed(self.X[language], V[self.rows[language]], means)
            of_words[self.words[language], :width] += found

        self.threads.map(multiply, range(len(self.X)))
        if self.F:
            found = self._product("unknowns", self.transposed, of_words)[:, :width]
            self.threads.each(len(out), lambda rows: np.add(out[rows], found[rows], out[rows]))

    def _product(self, use: str, X: sparse.csr_matrix, U: np.ndarray) -> np.ndarray:
        """X U as a block, for a block U."""
        out = self.threads.block(use, X.shape[0], U.shape[1], U.dtype)
        self.threads.multiply(X, U, 0, out)
        return out

    def by_concept(self, V: np.ndarray) -> np.ndarray:
        """Y'V: for each concept the sum over its documents."""
        return self.documents @ V

    def of_concept(self, P: np.ndarray, rows: slice) -> np.ndarray:
        """Y P for some documents: for each the row of its concept."""
        return P[self.labels[rows]]


def _column_blocks(U: np.ndarray) -> list[slice]:
    ends = range(WIDTH, U.shape[1] + WIDTH, WIDTH)
    return [slice(end - WIDTH, min(end, U.shape[1])) for end in ends]


class Basis:
    """W (unknowns x k) and Z = Xhat W (documents x k), with room for `size` columns.

    When there is no more room, it restarts with its `kept` leading Ritz vectors W S, which are
    B-orthonormal; their values `theta` descend.
    """

    def __init__(self, Xhat: Features, size: int, kept: int, ridge: float):
        self.Xhat, self.threads, self.size, self.kept = Xhat, Xhat.threads, size, kept
        self.ridge, self.k = ridge, 0
        self._W, self._Z = (np.empty((rows, size), Xhat.dtype) for rows in Xhat.shape[::-1])
        self.H = self.C = np.zeros((0, 0))  # W'AA'W; W C is B-orthonormal
        self.lengths = np.zeros(0)  # of the columns of W, in the norm of B
        self.theta, self.S = np.zeros(0), self.C

    @property
    def W(self) -> np.ndarray:  # noqa: N802
        """The vectors."""
        return self._W[:, : self.k]

    @property
    def Z(self) -> np.ndarray:  # noqa: N802
        """Their documents."""
        return self._Z[:, : self.k]

    def room(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The next columns of W and Z; restarts if there are too few, or they would lose digits."""
        if self.k + count > self.size:
            self.restart()
        elif (self.lengths * np.abs(self.C).max(axis=1, initial=0)).max(initial=0) > LARGE:
            self.restart(len(self.theta))
        self.resize(self.size)
        columns = slice(self.k, self.k + count)
        return self._W[:, columns], self._Z[:, columns]

    def extend(self, count: int) -> None:
        """Append the directions in the next columns of W, zeros too; solve the eigenproblem."""
        columns = slice(self.k, self.k + count)
        w, z = self._W[:, columns], self._Z[:, columns]
        norms = np.sqrt(self.threads.dots(w, w))
        scale = np.where(norms > 0, norms, 1).astype(w.dtype)
        self.threads.each(len(w), lambda rows: np.divide(w[rows], scale, w[rows]))
        self.Xhat.matmat(w, out=z)
        k, self.k = self.k, self.k + count
        W, Z, sums = self.W, self.Z, self.Xhat.by_concept(z)

        def forms(rows: slice) -> np.ndarray:
            return Z[rows].T @ np.concatenate([self.Xhat.of_concept(sums, rows), z[rows]], axis=1)

        h, g = np.split(self.threads.total(len(Z), forms), 2, axis=1)
        g = g + self.ridge * self.threads.inner(W, w)
        shares = self.C.T @ g[:k]  # parts of the new directions in the old span
        q = whiten(g[k:] - shares.T @ shares, np.diag(g[k:]), DEPENDENT)
        below = np.zeros((len(q), self.C.shape[1]))
        self.C = np.block([[self.C, -self.C @ shares @ q], [below, q]])
        self.lengths = np.append(self.lengths, np.sqrt(np.diag(g[k:])))
        self.H = np.block([[self.H, h[:k]], [h[:k].T, (h[k:] + h[k:].T) / 2]])
        self._solve()

    def _solve(self) -> None:
        theta, S = np.linalg.eigh(self.C.T @ self.H @ self.C)
        self.theta, self.S = theta[::-1], self.C @ S[:, ::-1]

    def restart(self, count: int | None = None) -> None:
        """Replace the columns by the leading Ritz vectors, `kept` of them or as many as asked."""
        S = self.S[:, : count or self.kept]
        for matrix in (self.W, self.Z):
            self.threads.combine(matrix, S, out=matrix[:, : S.shape[1]])
        self.k = S.shape[1]
        self.theta, self.lengths = self.theta[: self.k], np.ones(self.k)
        self.H, self.C, self.S = np.diag(self.theta), np.eye(self.k), np.eye(self.k)

    def resize(self, size: int) -> None:
        """Make room for that many columns, or free what further ones would take."""
        for name in ("_W", "_Z"):
            old = getattr(self, name)
            if old.shape[1] != size:
                new = np.empty((old.shape[0], size), old.dtype)
                new[:, : self.k] = old[:, : self.k]
                setattr(self, name, new)
                del old, new

    def measure(self, ridge: float) -> None:
        """Solve the eigenproblem of a lambda anew, after columns have changed, or lambda."""
        self.ridge, F = ridge, self.Xhat.by_concept(self.Z)
        H, G = self.threads.inner(F, F), self.threads.inner(self.Z, self.Z)
        G += ridge * self.threads.inner(self.W, self.W)
        self.H, self.C = (H + H.T) / 2, whiten(G, np.diag(G), DEPENDENT)
        self.lengths = np.sqrt(np.diag(G))
        self._solve()

    def residuals(self, w: np.ndarray, z: np.ndarray, mu: np.ndarray) -> None:
        """Overwrite Ritz vectors w by A A'w - mu B w = Xhat'(Y Y' - mu) z - mu lambda w, and z."""
        sums, shift = self.Xhat.by_concept(z), -mu * w.dtype.type(self.ridge)

        def defect(rows: slice) -> None:
            z[rows] = self.Xhat.of_concept(sums, rows) - mu * z[rows]

        self.threads.each(len(z), defect)
        self.threads.each(len(w), lambda rows: np.multiply(w[rows], shift, w[rows]))
        self.Xhat.adjoint(z, w)


def whiten(G: np.ndarray, scale: np.ndarray, threshold: float) -> np.ndarray:
    """Q with Q'GQ = I, for the Gram matrix G of some vectors or of their remainders.

    Directions are left out whose squared length, relative to `scale`, that of the vectors before
    anything was subtracted, is not above the threshold.
    """
    d = np.divide(1.0, np.sqrt(scale), out=np.zeros(len(scale)), where=scale > 0)
    values, vectors = np.linalg.eigh(d[:, None] * (G + G.T) / 2 * d)
    kept = values > threshold
    return d[:, None] * vectors[:, kept] / np.sqrt(values[kept])
