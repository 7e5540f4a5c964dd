"""Products of tall matrices, dense and sparse, on threads that change no byte of a result.

Work is cut into pieces of some rows, which never depend on the number of threads, and sums over
them are added up in order and in float64.

Sparse times dense is compiled (`products`): rows of a block begin at a cache line, and the number
of columns is known when the product is compiled.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

ROWS = 4096  # of a tall matrix in a piece; as many stay in cache
LINE = 64  # bytes of a cache line
COLUMNS = 32  # products are compiled for multiples of it


class Threads:
    """Some threads, and memory that is kept from one product to the next.

    A `block` is what products take: some columns in rows that begin at cache lines, filled up with
    zeros to a multiple of `COLUMNS`.
    """

    def __init__(self, number: int = 1):
        self._pool = ThreadPoolExecutor(number)
        self._memory: dict[str, np.ndarray] = {}  # new pages cost as much as what is done in them

    def map(self, work: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """Return results in the order of the items."""
        return list(self._pool.map(work, items))

    def each(self, n: int, work: Callable[[slice], object]) -> None:
        """Do the work for each piece of n rows."""
        self.map(work, _pieces(n))

    def total(self, n: int, work: Callable[[slice], np.ndarray]) -> np.ndarray:
        """Return the sum, in float64, of the results of the work for each piece of n rows."""
        return sum(part.astype(np.float64) for part in self._pool.map(work, _pieces(n)))

    def inner(self, V: np.ndarray, T: np.ndarray) -> np.ndarray:
        """Return V'T in float64, for V (size x k) and T (size x b)."""

        def multiply(rows: slice) -> np.ndarray:
            return V[rows].T @ T[rows]

        return self.total(len(V), multiply)

    def dots(self, U: np.ndarray, V: np.ndarray) -> np.ndarray:
        """Return inner products u'v of each pair of columns."""

        def multiply(rows: slice) -> np.ndarray:
            return np.einsum("ij,ij->j", U[rows], V[rows])

        return self.total(len(U), multiply)

    def combine(self, V: np.ndarray, S: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return V S in the type of V, in `out` if given, which may be the first columns of V."""
        S = S.astype(V.dtype)
        if out is None:
            out = np.empty((len(V), S.shape[1]), V.dtype)

        def multiply(rows: slice) -> None:
            out[rows] = V[rows] @ S

        self.each(len(V), multiply)
        return out

    def block(self, use: str, n_rows: int, n_columns: int, dtype: type) -> np.ndarray:
        """Return a block, its values not set, in memory that is kept for its use."""
        block = _block(n_rows, n_columns, dtype, self._memory.pop(use, None))
        self._memory[use] = block.base
        return block

    def filled(self, use: str, U: np.ndarray) -> np.ndarray:
        """Return some columns as a block, as by `block`."""
        n_rows, n_columns = U.shape
        block = self.block(use, n_rows, n_columns, U.dtype)

        def fill(rows: slice) -> None:
            _fill(block[rows], U[rows])

        self.each(n_rows, fill)
        return block

    def multiply(self, X: csr_matrix, U: np.ndarray, shift: Any, out: np.ndarray) -> None:
        """Set `out` to X U - shift, a number for each column, for a block U; not within `map`."""
        from cr5.systems.algebra import products  # slow to import

        product = products.multiply(U.shape[1], LINE)
        shifts = np.broadcast_to(np.asarray(shift, U.dtype), out.shape)

        def multiply(rows: slice) -> None:
            product(X.indptr, X.indices, X.data, rows.start, rows.stop, U, shifts, out)

        self.each(X.shape[0], multiply)


def multiply_transposed(X: csr_matrix, Z: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Return X'(Z - shift), on one thread: pieces would add to the same rows."""
    from cr5.systems.algebra import products  # slow to import

    n_rows, n_columns = X.shape
    width = Z.shape[1]
    out = _block(n_columns, width, Z.dtype)
    out[:] = 0
    add_product = products.add_transposed(out.shape[1], LINE)
    for rows in _pieces(n_rows):
        block = _block(rows.stop - rows.start, width, Z.dtype)
        _fill(block, Z[rows] - shift)
        add_product(X.indptr, X.indices, X.data, rows.start, rows.stop, block, out)
    return out[:, :width]


def _pieces(n: int) -> list[slice]:
    return [slice(start, min(start + ROWS, n)) for start in range(0, n, ROWS)]


def _block(
    n_rows: int, n_columns: int, dtype: type, memory: np.ndarray | None = None
) -> np.ndarray:
    """Return a block within some bytes, or within new ones if these do not suffice."""
    width = -(-n_columns // COLUMNS) * COLUMNS  # rounded up
    size = n_rows * width * np.dtype(dtype).itemsize
    if memory is None or len(memory) < size + LINE:
        memory = np.empty(size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + size].view(dtype).reshape(n_rows, width)


def _fill(block: np.ndarray, U: np.ndarray) -> None:
    """Fill a block by some columns and zeros."""
    n_columns = U.shape[1]
    block[:, :n_columns] = U
    block[:, n_columns:] = 0
