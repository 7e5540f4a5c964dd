"""The matrices of the problem as operators on blocks of columns; nothing large is formed.

Sparse products run language by language on `WIDTH` columns at a time, on threads: such a block of
words stays in cache (measured: scipy's products are several times slower on 300 columns at once,
and as fast with the transpose of the same arrays as with a stored one).
"""

from concurrent.futures import Executor
from itertools import product

import numpy as np
from scipy import sparse

from cr5.reduced_rank import conjugate_gradients
from cr5.reduced_rank.conjugate_gradients import Solve
from cr5.reduced_rank.problem import Problem

WIDTH = 32
HEIGHT = 2**15


class CentredFeatures:
    """Xhat = CX, documents x stacked words, in the type of the features."""

    def __init__(self, problem: Problem, pool: Executor):
        self.X = problem.features
        self.blocks = [_row_blocks(X) for X in self.X]
        self.pool = pool
        self.dtype = problem.features[0].dtype
        self.rows = _slices([X.shape[0] for X in self.X])
        self.words = _slices([X.shape[1] for X in self.X])
        self.shape = (self.rows[-1].stop, self.words[-1].stop)
        self.mean = problem.word_sums / problem.n_documents  # m = X'1/n

    def matmat(self, U: np.ndarray) -> np.ndarray:
        """Xhat U = XU - 1 m'U; the means are computed in float64."""
        out = np.empty((self.shape[0], U.shape[1]), self.dtype)

        def multiply(language: int, columns: slice) -> np.ndarray:
            part = _block(U, self.words[language], columns, self.dtype)
            part_of_out = out[self.rows[language], columns]
            for rows, X in self.blocks[language]:
                part_of_out[rows] = X @ part
            return self.mean[self.words[language]] @ part

        blocks = _column_blocks(U)
        means = np.concatenate(
            [sum(parts) for parts in self._by_block(multiply, blocks)], dtype=self.dtype
        )

        def centre(language: int, columns: slice) -> None:
            out[self.rows[language], columns] -= means[columns]

        self._by_block(centre, blocks)
        return out

    def adjoint(self, Z: np.ndarray) -> np.ndarray:
        """Xhat'Z = X'(Z - 1 1'Z/n)."""
        out = np.empty((self.shape[1], Z.shape[1]), self.dtype)
        means = (Z.sum(axis=0, dtype=np.float64) / len(Z)).astype(self.dtype)

        def multiply(language: int, columns: slice) -> None:
            part = _block(Z, self.rows[language], columns, self.dtype) - means[columns]
            out[self.words[language], columns] = self.X[language].T @ part

        self._by_block(multiply, _column_blocks(Z))
        return out

    def _by_block(self, work, blocks: list[slice]) -> list[list]:
        """Results of `work(language, columns)`, per block a list over languages."""
        languages = range(len(self.X))
        results = list(self.pool.map(lambda pair: work(*pair[::-1]), product(blocks, languages)))
        return [results[i : i + len(self.X)] for i in range(0, len(results), len(self.X))]


class Concepts:
    """Y, documents x concepts: the documents of each concept."""

    def __init__(self, problem: Problem, pool: Executor):
        self.pool = pool
        Y = sparse.vstack(problem.labels, format="csr")
        self.shape = Y.shape
        self.labels = Y.indices
        self.documents = _row_blocks(Y.T.tocsr())

    def matmat(self, P: np.ndarray) -> np.ndarray:
        """Y P: to each document the row of its concept."""
        out = np.empty((self.shape[0], P.shape[1]), P.dtype)

        def gather(start: int) -> None:
            rows = slice(start, start + HEIGHT)
            np.take(P, self.labels[rows], axis=0, out=out[rows], mode="clip")

        list(self.pool.map(gather, range(0, len(out), HEIGHT)))
        return out

    def adjoint(self, Z: np.ndarray) -> np.ndarray:
        """Y'Z: to each concept the sum over its documents."""
        out = np.empty((self.shape[1], Z.shape[1]), Z.dtype)
        Z = np.ascontiguousarray(Z)

        def scatter(block: tuple[slice, sparse.csr_matrix]) -> None:
            rows, documents = block
            out[rows] = documents @ Z

        list(self.pool.map(scatter, self.documents))
        return out


class CrossProduct:
    """A = Xhat'Yhat = Xhat'Y, stacked words x concepts; one centring is enough: C C = C."""

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
    """B = Xhat'Xhat + lambda I on the stacked words; self-adjoint, positive definite.

    With the features centred implicitly B is a plain operator, and its eigenvalues start at
    lambda: neither its inverse through one system per language and a rank-one correction, nor
    the care that the correction needs, have to be written.
    """

    def __init__(self, Xhat: CentredFeatures, problem: Problem, ridge: float):
        self.Xhat, self.ridge = Xhat, Xhat.dtype.type(ridge)
        self.shape = (Xhat.shape[1], Xhat.shape[1])
        variances = problem.word_squares - problem.n_documents * Xhat.mean**2
        self.diagonal = (np.maximum(variances, 0) + ridge).astype(Xhat.dtype)

    def matmat(self, U: np.ndarray) -> np.ndarray:
        """B U."""
        return self.Xhat.adjoint(self.Xhat.matmat(U)) + self.ridge * U

    def solve(self, rhs: np.ndarray, tolerance: float | np.ndarray, max_iterations: int) -> Solve:
        """B^-1 applied to each column of `rhs`."""
        return conjugate_gradients.solve(self.matmat, rhs, self.diagonal, tolerance, max_iterations)


def _slices(sizes: list[int]) -> list[slice]:
    ends = np.cumsum(sizes).tolist()
    return [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]


def _row_blocks(X: sparse.csr_matrix) -> list[tuple[slice, sparse.csr_matrix]]:
    """Views of `HEIGHT` rows each: what a product of one returns is small, so memory is reused."""
    blocks = []
    for start in range(0, X.shape[0], HEIGHT):
        ends = X.indptr[start : start + HEIGHT + 1]
        entries = slice(ends[0], ends[-1])
        arrays = (X.data[entries], X.indices[entries], ends - ends[0])
        rows = slice(start, start + len(ends) - 1)
        blocks.append((rows, sparse.csr_matrix(arrays, shape=(len(ends) - 1, X.shape[1]))))
    return blocks


def _column_blocks(U: np.ndarray) -> list[slice]:
    return [slice(start, start + WIDTH) for start in range(0, U.shape[1], WIDTH)]


def _block(U: np.ndarray, rows: slice, columns: slice, dtype: np.dtype) -> np.ndarray:
    return np.ascontiguousarray(U[rows, columns], dtype)
