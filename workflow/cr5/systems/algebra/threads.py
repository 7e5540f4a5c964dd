"""Threads that share the work on tall matrices, dense and sparse, piece by piece.

Pieces are some rows. They never depend on the number of threads, and sums over them are added up in
order and in float64, so that number changes no byte of a result.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from cr5.systems.algebra import compiled


class Threads:
    """Some threads, and memory that is kept from one product to the next.

    Args:
        number: of threads.

    Attributes:
        rows: of a tall matrix to process at a time; as many stay in cache.
    """

    rows = 4096

    def __init__(self, number: int = 1):
        self._pool = ThreadPoolExecutor(number)
        self._memory: dict[str, np.ndarray] = {}  # new pages cost as much as what is done in them

    def __enter__(self) -> "Threads":
        """Return the threads."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the threads, free the memory."""
        self._pool.shutdown()
        self._memory.clear()

    def pieces(self, n: int) -> list[slice]:
        """Split n rows into slices of `rows`."""
        return [slice(start, min(start + self.rows, n)) for start in range(0, n, self.rows)]

    def map(self, work: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """Results in the order of the items."""
        return list(self._pool.map(work, items))

    def each(self, n: int, work: Callable[[slice], object]) -> None:
        """Do the work for each piece of n rows."""
        self.map(work, self.pieces(n))

    def total(self, n: int, work: Callable[[slice], np.ndarray]) -> np.ndarray:
        """The sum, in float64, of the results of the work for each piece of n rows."""
        return sum(part.astype(np.float64) for part in self._pool.map(work, self.pieces(n)))

    def inner(self, V: np.ndarray, T: np.ndarray) -> np.ndarray:
        """V'T in float64, for V (size x k) and T (size x b)."""
        return self.total(len(V), lambda rows: V[rows].T @ T[rows])

    def dots(self, U: np.ndarray, V: np.ndarray) -> np.ndarray:
        """Inner products u'v of each pair of columns."""
        return self.total(len(U), lambda rows: np.einsum("ij,ij->j", U[rows], V[rows]))

    def divide(self, U: np.ndarray, divisor: np.ndarray) -> np.ndarray:
        """Divide U, in place, by one number for each row, size x 1; return u'u / number.

        The sums are as by `dots`.
        """

        def work(rows: slice) -> np.ndarray:
            quotients = U[rows] / divisor[rows]
            products = np.einsum("ij,ij->j", U[rows], quotients)
            U[rows] = quotients
            return products

        return self.total(len(U), work)

    def combine(self, V: np.ndarray, S: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """V S, in the type of V; `out` must not overlap V."""
        S = S.astype(V.dtype)
        if out is None:
            out = np.empty((V.shape[0], S.shape[1]), V.dtype)

        def work(rows: slice) -> None:
            out[rows] = V[rows] @ S

        self.each(len(V), work)
        return out

    def compress(self, V: np.ndarray, S: np.ndarray) -> None:
        """Overwrite the first columns of V (size x k) by V S, with S k x (at most k)."""
        S = S.astype(V.dtype)

        def work(rows: slice) -> None:
            V[rows, : S.shape[1]] = V[rows] @ S

        self.each(len(V), work)

    def space(self, use: str, rows: int, columns: int, dtype: type) -> np.ndarray:
        """A `block`, its values not set, in memory that is kept for its use."""
        needed = compiled.size(rows, columns, dtype)
        if use not in self._memory or len(self._memory[use]) < needed:
            self._memory.pop(use, None)
            self._memory[use] = np.empty(needed, np.uint8)
        return compiled.within(self._memory[use], rows, columns, dtype)

    def block(self, use: str, U: np.ndarray) -> np.ndarray:
        """A copy of some columns, as `multiply` takes it, in the `space` for a use."""
        out = self.space(use, *U.shape, U.dtype)
        width = U.shape[1]

        def fill(rows: slice) -> None:
            out[rows, :width] = U[rows]
            out[rows, width:] = 0

        self.each(len(U), fill)
        return out

    def multiply(self, X: csr_matrix, U: np.ndarray, shift: np.ndarray, out: np.ndarray) -> None:
        """Set `out` to X U - shift, for a `block` U; do not call within `map`."""
        self.each(X.shape[0], lambda rows: compiled.multiply(X, rows, U, shift, out))

    def product(self, use: str, X: csr_matrix, U: np.ndarray) -> np.ndarray:
        """X U as a `block` in the `space` for a use, for a `block` U; do not call within `map`."""
        out = self.space(use, X.shape[0], U.shape[1], U.dtype)
        self.multiply(X, U, np.zeros(U.shape[1], U.dtype), out)
        return out

    def multiply_transposed(self, X: csr_matrix, Z: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """X'(Z - shift), on one thread."""
        out = compiled.empty(X.shape[1], Z.shape[1], Z.dtype)
        out[:] = 0
        for rows in self.pieces(X.shape[0]):
            compiled.add_transposed(X, rows, compiled.block(Z[rows] - shift), out)
        return out[:, : Z.shape[1]]

    def sum_rows(self, X: csr_matrix, U: np.ndarray, out: np.ndarray) -> None:
        """Set `out` to X U for X of ones, with few in a row; do not call within `map`."""
        self.each(X.shape[0], lambda rows: compiled.sum_rows(X, rows, U, out))
