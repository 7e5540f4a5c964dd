"""The matrices of the problem as operators on blocks of columns; nothing large is formed.

Sparse products run language by language on `WIDTH` columns at a time.
"""

from functools import cached_property

import numpy as np
from scipy import sparse

from cr5.systems.algebra import conjugate_gradients
from cr5.systems.algebra.conjugate_gradients import Deflation, Solve, Tolerance
from cr5.systems.algebra.threads import Threads
from cr5.systems.reduced_rank.problem import Problem

WIDTH = 96


class CentredFeatures:
    """Xhat = CX, documents x stacked words, in the type of the features.

    With a prior Xhat = C stack(X_l F_l), documents x unknowns, whose products are never formed.
    """

    def __init__(self, problem: Problem, threads: Threads):
        self.threads = threads
        self.X = problem.features
        self.F = problem.prior
        if self.F:
            self.transposed = sparse.vstack(problem.prior, "csr").T.tocsr()
        self.dtype = problem.features[0].dtype
        self.rows = _slices([X.shape[0] for X in problem.features])
        self.words = problem.words
        self.shape = (self.rows[-1].stop, problem.n_unknowns)
        means = problem.language_sums / problem.n_documents
        self.mean = means.sum(axis=1)  # m = X'1/n, float64
        self.means = means.astype(self.dtype)  # a NumPy array, like the mean
        self._mean = self.mean[:, None]

    def matmat(self, U: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Xhat U = XU - 1 m'U; the means are computed in float64."""
        if out is None:
            out = np.empty((self.shape[0], U.shape[1]), self.dtype)
        means = self.threads.inner(self._mean, U)[0].astype(self.dtype)
        for columns in _column_blocks(U):
            unknowns = self.threads.block("unknowns", U[:, columns]) if self.F else None
            for language, (X, rows) in enumerate(zip(self.X, self.rows, strict=True)):
                if self.F:
                    part = self.threads.product("words", self.F[language], unknowns)
                else:
                    part = self.threads.block("words", U[self.words[language], columns])
                self.threads.multiply(X, part, means[columns], out[rows, columns])
        return out

    def adjoint(self, Z: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Xhat'Z = X'(Z - 1 1'Z/n); added to `out` if it is given."""
        if out is None:
            out = np.zeros((self.shape[1], Z.shape[1]), self.dtype)
        sums = self.threads.total(len(Z), lambda rows: Z[rows].sum(axis=0, dtype=np.float64))
        means = (sums / len(Z)).astype(self.dtype)
        for columns in _column_blocks(Z):
            self._add_adjoint(Z[:, columns], means[columns], out[:, columns])
        return out

    def _add_adjoint(self, Z: np.ndarray, means: np.ndarray, out: np.ndarray) -> None:
        """Add X'(Z - means), or F'X'(Z - means), to some columns of the result."""
        of_words = out
        if self.F:
            of_words = self.threads.space("words", self.words[-1].stop, Z.shape[1], self.dtype)
            of_words[:] = 0

        def multiply(language: int) -> None:
            part = Z[self.rows[language]]
            found = self.threads.multiply_transposed(self.X[language], part, means)
            of_words[self.words[language], : Z.shape[1]] += found

        self.threads.map(multiply, range(len(self.X)))
        if self.F:
            found = self.threads.product("unknowns", self.transposed, of_words)

            def add(rows: slice) -> None:
                out[rows] += found[rows, : Z.shape[1]]

            self.threads.each(len(out), add)


class Concepts:
    """Y, documents x concepts: the documents of each concept."""

    def __init__(self, problem: Problem, threads: Threads):
        self.threads = threads
        Y = sparse.vstack(problem.labels, format="csr")
        self.shape = Y.shape
        self.labels = Y.indices
        self.documents = Y.T.tocsr()

    def matmat(self, P: np.ndarray) -> np.ndarray:
        """Y P: for each document the row of its concept."""
        out = np.empty((self.shape[0], P.shape[1]), P.dtype)

        def work(rows: slice) -> None:
            out[rows] = self.gather(P, rows)

        self.threads.each(len(out), work)
        return out

    def gather(self, P: np.ndarray, rows: slice) -> np.ndarray:
        """Y P for some documents."""
        return P[self.labels[rows]]

    def adjoint(self, Z: np.ndarray) -> np.ndarray:
        """Y'Z: for each concept the sum over its documents."""
        out = np.empty((self.shape[1], Z.shape[1]), Z.dtype)
        self.threads.sum_rows(self.documents, Z, out)
        return out


class CrossProduct:
    """A = Xhat'Yhat = Xhat'Y, unknowns x concepts; one centring is enough: C C = C."""

    def __init__(self, Xhat: CentredFeatures, Y: Concepts):
        self.Xhat, self.Y = Xhat, Y
        self.shape = (Xhat.shape[1], Y.shape[1])

    def matmat(self, P: np.ndarray) -> np.ndarray:
        """A P."""
        return self.Xhat.adjoint(self.Y.matmat(P))

    def adjoint(self, U: np.ndarray) -> np.ndarray:
        """A'U."""
        return self.Y.adjoint(self.Xhat.matmat(U))


class RidgeGram:
    """B = Xhat'Xhat + lambda I on the unknowns; self-adjoint, positive definite.

    With implicitly centred features B is a plain operator, and its eigenvalues start at lambda: no
    need for its inverse through one system per language and a rank-one correction, nor for the
    care that the correction takes.

    Centring over all languages at once leaves the differences between them in B: languages - 1
    eigenvalues far above the others (measured, relative to the diagonal: 76, then 9.5). Hence the
    deflation, by the mean of each language's documents.
    """

    def __init__(self, Xhat: CentredFeatures, problem: Problem, ridge: float):
        self.Xhat, self.threads, self.ridge = Xhat, Xhat.threads, float(ridge)
        self.shape = (Xhat.shape[1], Xhat.shape[1])
        diagonal = (problem.variances + ridge).astype(Xhat.dtype)
        self.diagonal = diagonal[:, None]

    @cached_property
    def deflation(self) -> Deflation:
        """Deflation of the differences between languages."""
        return Deflation(self.threads, self.matmat, self.Xhat.means)

    def matmat(self, U: np.ndarray) -> np.ndarray:
        """B U."""
        out = np.empty(U.shape, U.dtype)

        def start(rows: slice) -> None:
            out[rows] = self.ridge * U[rows]

        self.threads.each(len(out), start)
        return self.Xhat.adjoint(self.Xhat.matmat(U), out)

    def solve(self, rhs: np.ndarray, tolerance: Tolerance, max_iterations: int) -> Solve:
        """B^-1 applied to each column of `rhs`, which is overwritten."""
        return conjugate_gradients.solve(
            self.threads,
            self.matmat,
            rhs,
            self.diagonal,
            tolerance,
            max_iterations,
            self.deflation,
        )


def _slices(sizes: list[int]) -> list[slice]:
    ends = np.cumsum(sizes).tolist()
    return [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]


def _column_blocks(U: np.ndarray) -> list[slice]:
    ends = range(WIDTH, U.shape[1] + WIDTH, WIDTH)
    return [slice(end - WIDTH, min(end, U.shape[1])) for end in ends]
