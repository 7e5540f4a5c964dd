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
        self.threads = threads
        self.X = problem.features
        self.F = problem.prior
        self.dtype = problem.features[0].dtype
        if self.F:
            self.transposed = sparse.vstack(self.F, "csr").T.tocsr()
        self.rows = slices(X.shape[0] for X in self.X)
        self.words = problem.words
        self.shape = (problem.n_documents, problem.n_unknowns)
        self.means = problem.means
        self.mean = self.means.sum(axis=1)[:, None]
        self.labels = np.concatenate(problem.concepts)
        self.documents = incidence(self.labels, problem.n_concepts, self.dtype).T.tocsr()

    def matmat(self, U: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return Xhat U = ZU - 1 m'U."""
        if out is None:
            out = np.empty((self.shape[0], U.shape[1]), self.dtype)
        means = self.threads.inner(self.mean, U)[0].astype(self.dtype)
        for columns in _column_blocks(U):
            if self.F:
                self._multiply_with_prior(U[:, columns], means[columns], out[:, columns])
            else:
                self._multiply(U[:, columns], means[columns], out[:, columns])
        return out

    def _multiply(self, U: np.ndarray, means: np.ndarray, out: np.ndarray) -> None:
        """Set `out` to X U - 1 means, for U words x b."""
        for language, X in enumerate(self.X):
            by_word = self.threads.filled("words", U[self.words[language]])
            self.threads.multiply(X, by_word, means, out[self.rows[language]])

    def _multiply_with_prior(self, U: np.ndarray, means: np.ndarray, out: np.ndarray) -> None:
        """Set `out` to X F U - 1 means, for U unknowns x b."""
        by_unknown = self.threads.filled("unknowns", U)
        for language, X in enumerate(self.X):
            by_word = self._product("words", self.F[language], by_unknown)
            self.threads.multiply(X, by_word, means, out[self.rows[language]])

    def adjoint(self, V: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Add Xhat'V = Z'(V - 1 1'V/n) to `out`."""

        def column_sums(rows: slice) -> np.ndarray:
            return V[rows].sum(axis=0, dtype=np.float64)

        n_documents = len(V)
        sums = self.threads.total(n_documents, column_sums)
        means = (sums / n_documents).astype(self.dtype)
        for columns in _column_blocks(V):
            if self.F:
                self._add_adjoint_with_prior(V[:, columns], means[columns], out[:, columns])
            else:
                self._add_adjoint(V[:, columns], means[columns], out[:, columns])
        return out

    def _add_adjoint(self, V: np.ndarray, means: np.ndarray, out: np.ndarray) -> None:
        """Add X'(V - 1 means) to `out`, words x b."""

        def add(language: int) -> None:
            product = multiply_transposed(self.X[language], V[self.rows[language]], means)
            out[self.words[language]] += product

        self.threads.map(add, range(len(self.X)))

    def _add_adjoint_with_prior(self, V: np.ndarray, means: np.ndarray, out: np.ndarray) -> None:
        """Add F'X'(V - 1 means) to `out`, unknowns x b."""
        n_words = self.words[-1].stop
        width = V.shape[1]
        by_word = self.threads.block("words", n_words, width, self.dtype)
        by_word[:] = 0
        self._add_adjoint(V, means, by_word[:, :width])
        by_unknown = self._product("unknowns", self.transposed, by_word)[:, :width]

        def add(rows: slice) -> None:
            out[rows] += by_unknown[rows]

        self.threads.each(len(out), add)

    def _product(self, use: str, X: sparse.csr_matrix, U: np.ndarray) -> np.ndarray:
        """Return X U as a block, for a block U."""
        out = self.threads.block(use, X.shape[0], U.shape[1], U.dtype)
        self.threads.multiply(X, U, 0, out)
        return out

    def by_concept(self, V: np.ndarray) -> np.ndarray:
        """Return Y'V: for each concept the sum over its documents."""
        return self.documents @ V

    def of_concept(self, P: np.ndarray, rows: slice) -> np.ndarray:
        """Return Y P for some documents: for each the row of its concept."""
        return P[self.labels[rows]]


def _column_blocks(U: np.ndarray) -> list[slice]:
    n_columns = U.shape[1]
    starts = range(0, n_columns, WIDTH)
    return [slice(start, min(start + WIDTH, n_columns)) for start in starts]


class Basis:
    """W (unknowns x k) and Z = Xhat W (documents x k), with room for `size` columns.

    When there is no more room, it restarts with its `kept` leading Ritz vectors W S, which are
    B-orthonormal; their values `theta` descend.
    """

    def __init__(self, Xhat: Features, size: int, kept: int, ridge: float):
        self.Xhat = Xhat
        self.threads = Xhat.threads
        self.size = size
        self.kept = kept
        self.ridge = ridge
        self.k = 0
        n_documents, n_unknowns = Xhat.shape
        self._W = np.empty((n_unknowns, size), Xhat.dtype)
        self._Z = np.empty((n_documents, size), Xhat.dtype)
        self.H = np.zeros((0, 0))  # W'AA'W
        self.C = np.zeros((0, 0))  # W C is B-orthonormal
        self.lengths = np.zeros(0)  # of the columns of W, in the norm of B
        self.theta = np.zeros(0)
        self.S = np.zeros((0, 0))

    @property
    def W(self) -> np.ndarray:  # noqa: N802
        """The vectors."""
        return self._W[:, : self.k]

    @property
    def Z(self) -> np.ndarray:  # noqa: N802
        """Their documents."""
        return self._Z[:, : self.k]

    def room(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the next columns of W and Z; restart if there are too few, or digits are lost."""
        if self.k + count > self.size:
            self.restart()
        elif self._largest_coefficient() > LARGE:
            self.restart(len(self.theta))
        self.resize(self.size)
        columns = slice(self.k, self.k + count)
        return self._W[:, columns], self._Z[:, columns]

    def _largest_coefficient(self) -> float:
        """Return the largest coefficient of W C, relative to the lengths of the columns of W."""
        largest_of_columns = np.abs(self.C).max(axis=1, initial=0)
        return (self.lengths * largest_of_columns).max(initial=0)

    def extend(self, count: int) -> None:
        """Append the directions in the next columns of W, zeros too; solve the eigenproblem.

        Below, old are the columns of the basis and new the directions:

            G = W'B w           inner products of old and new with the new
            R = C'G_old         parts of the new in the old span
            G_new - R'R         the new without these parts, which Q whitens
            [C  -C R Q; 0  Q]   the coefficients of a B-orthonormal basis
        """
        n_old = self.k
        columns = slice(n_old, n_old + count)
        w = self._W[:, columns]
        z = self._Z[:, columns]
        self._scale_to_unit_length(w)
        self.Xhat.matmat(w, out=z)
        self.k = n_old + count
        H, G = self._forms(w, z)
        H_old = H[:n_old]
        H_new = H[n_old:]
        G_old = G[:n_old]
        G_new = G[n_old:]
        squares = np.diag(G_new)
        R = self.C.T @ G_old
        Q = whiten(G_new - R.T @ R, squares, DEPENDENT)
        zeros = np.zeros((len(Q), self.C.shape[1]))
        self.C = np.block([[self.C, -self.C @ R @ Q], [zeros, Q]])
        self.lengths = np.append(self.lengths, np.sqrt(squares))
        self.H = np.block([[self.H, H_old], [H_old.T, (H_new + H_new.T) / 2]])
        self._solve()

    def _scale_to_unit_length(self, w: np.ndarray) -> None:
        """Scale columns in place; those of zeros stay."""
        norms = np.sqrt(self.threads.dots(w, w))
        scale = np.where(norms > 0, norms, 1).astype(w.dtype)

        def divide(rows: slice) -> None:
            w[rows] /= scale

        self.threads.each(len(w), divide)

    def _forms(self, w: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return W'AA'w and W'Bw, for some columns w of W and z of Z."""
        Z = self.Z
        sums = self.Xhat.by_concept(z)

        def products(rows: slice) -> np.ndarray:
            of_concept = self.Xhat.of_concept(sums, rows)
            return Z[rows].T @ np.concatenate([of_concept, z[rows]], axis=1)

        H, G = np.split(self.threads.total(len(Z), products), 2, axis=1)
        G = G + self.ridge * self.threads.inner(self.W, w)
        return H, G

    def _solve(self) -> None:
        theta, S = np.linalg.eigh(self.C.T @ self.H @ self.C)
        self.theta = theta[::-1]
        self.S = self.C @ S[:, ::-1]

    def restart(self, count: int | None = None) -> None:
        """Replace the columns by the leading Ritz vectors, `kept` of them or a count."""
        S = self.S[:, : count or self.kept]
        n_vectors = S.shape[1]
        for matrix in (self.W, self.Z):
            self.threads.combine(matrix, S, out=matrix[:, :n_vectors])
        self.k = n_vectors
        self.theta = self.theta[:n_vectors]
        self.lengths = np.ones(n_vectors)
        self.H = np.diag(self.theta)
        self.C = np.eye(n_vectors)
        self.S = np.eye(n_vectors)

    def resize(self, size: int) -> None:
        """Make room for that many columns, or free what further ones would take."""
        # one after the other, so that only one of them is held twice
        self._W = self._resized(self._W, size)
        self._Z = self._resized(self._Z, size)

    def _resized(self, old: np.ndarray, size: int) -> np.ndarray:
        n_rows, old_size = old.shape
        if old_size == size:
            return old
        new = np.empty((n_rows, size), old.dtype)
        new[:, : self.k] = old[:, : self.k]
        return new

    def measure(self, ridge: float) -> None:
        """Solve the eigenproblem of a lambda anew, after columns have changed, or lambda."""
        self.ridge = ridge
        sums = self.Xhat.by_concept(self.Z)
        H = self.threads.inner(sums, sums)
        G = self.threads.inner(self.Z, self.Z)
        G += ridge * self.threads.inner(self.W, self.W)
        squares = np.diag(G)
        self.H = (H + H.T) / 2
        self.C = whiten(G, squares, DEPENDENT)
        self.lengths = np.sqrt(squares)
        self._solve()

    def residuals(self, w: np.ndarray, z: np.ndarray, mu: np.ndarray) -> None:
        """Overwrite Ritz vectors w by A A'w - mu B w = Xhat'(Y Y' - mu) z - mu lambda w, and z."""
        sums = self.Xhat.by_concept(z)
        factors = -mu * w.dtype.type(self.ridge)

        def subtract(rows: slice) -> None:
            z[rows] = self.Xhat.of_concept(sums, rows) - mu * z[rows]

        def multiply(rows: slice) -> None:
            w[rows] *= factors

        self.threads.each(len(z), subtract)
        self.threads.each(len(w), multiply)
        self.Xhat.adjoint(z, w)


def whiten(G: np.ndarray, scale: np.ndarray, threshold: float) -> np.ndarray:
    """Return Q with Q'GQ = I, for the Gram matrix G of some vectors or of their remainders.

    Directions are left out whose squared length, relative to `scale`, that of the vectors before
    anything was subtracted, is not above the threshold.
    """
    d = np.divide(1.0, np.sqrt(scale), out=np.zeros(len(scale)), where=scale > 0)
    relative = d[:, None] * (G + G.T) / 2 * d
    values, vectors = np.linalg.eigh(relative)
    is_independent = values > threshold
    return d[:, None] * vectors[:, is_independent] / np.sqrt(values[is_independent])
