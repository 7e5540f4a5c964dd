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
        """Results in the order of the items."""
        return list(self._pool.map(work, items))

    def each(self, n: int, work: Callable[[slice], object]) -> None:
        """Do the work for each piece of n rows."""
        self.map(work, _pieces(n))

    def total(self, n: int, work: Callable[[slice], np.ndarray]) -> np.ndarray:
        """The sum, in float64, of the results of the work for each piece of n rows."""
        return sum(part.astype(np.float64) for part in self._pool.map(work, _pieces(n)))

    def inner(self, V: np.ndarray, T: np.ndarray) -> np.ndarray:
        """V'T in float64, for V (size x k) and T (size x b)."""
        return self.total(len(V), lambda rows: V[rows].T @ T[rows])

    def dots(self, U: np.ndarray, V: np.ndarray) -> np.ndarray:
        """Inner products u'v of each pair of columns."""
        return self.total(len(U), lambda rows: np.einsum("ij,ij->j", U[rows], V[rows]))

    def combine(self, V: np.ndarray, S: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """V S in the type of V, in `out` if given, which may be the first columns of V."""
        S = S.astype(V.dtype)
        if out is None:
            out = np.empty((len(V), S.shape[1]), V.dtype)

        def work(rows: slice) -> None:
            out[rows] = V[rows] @ S

        self.each(len(V), work)
        return out

    def block(self, use: str, rows: int, columns: int, dtype: type) -> np.ndarray:
        """A block, its values not set, in memory that is kept for its use."""
        found = _block(rows, columns, dtype, self._memory.pop(use, None))
        self._memory[use] = found.base
        return found

    def filled(self, use: str, U: np.ndarray) -> np.ndarray:
        """Some columns as a block, as by `block`."""
        out = self.block(use, *U.shape, U.dtype)
        self.each(len(U), lambda rows: _fill(out[rows], U[rows]))
        return out

    def multiply(self, X: csr_matrix, U: np.ndarray, shift: Any, out: np.ndarray) -> None:
        """Set `out` to X U - shift, a number for each column, for a block U; not within `map`."""
        from cr5.systems.algebra import products  # slow to import

        product, given = products.multiply(U.shape[1], LINE), (X.indptr, X.indices, X.data)
        shift = np.broadcast_to(np.asarray(shift, U.dtype), out.shape)
        self.each(X.shape[0], lambda rows: product(*given, rows.start, rows.stop, U, shift, out))


def multiply_transposed(X: csr_matrix, Z: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """X'(Z - shift), on one thread: pieces would add to the same rows."""
    from cr5.systems.algebra import products  # slow to import

    width = Z.shape[1]
    out = _block(X.shape[1], width, Z.dtype)
    out[:] = 0
    for rows in _pieces(X.shape[0]):
        part = _block(rows.stop - rows.start, width, Z.dtype)
        _fill(part, Z[rows] - shift)
        given = X.indptr, X.indices, X.data, rows.start, rows.stop
        products.add_transposed(part.shape[1], LINE)(*given, part, out)
    return out[:, :width]


def _pieces(n: int) -> list[slice]:
    return [slice(start, min(start + ROWS, n)) for start in range(0, n, ROWS)]


def _block(rows: int, columns: int, dtype: type, memory: np.ndarray | None = None) -> np.ndarray:
    """A block within some bytes, or new ones if these do not suffice."""
    width = -(-columns // COLUMNS) * COLUMNS
    size = rows * width * np.dtype(dtype).itemsize
    if memory is None or len(memory) < size + LINE:
        memory = np.empty(size + LINE, np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + size].view(dtype).reshape(rows, width)


def _fill(out: np.ndarray, U: np.ndarray) -> None:
    out[:, : U.shape[1]] = U
    out[:, U.shape[1] :] = 0
