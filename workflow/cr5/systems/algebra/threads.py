"""Products of tall matrices, dense and sparse, on threads that change no byte of a result.

Work is cut into pieces of some rows, which never depend on the number of threads, and sums over
them are added up in order and in float64.

Sparse times dense is bound by memory: words of a large vocabulary are not in cache. Hence rows are
fetched ahead of their use and begin at a cache line, and the number of columns is known when the
product is compiled. (Measured with 200,000 words and 200 entries a row, both products together:
3 to 4 times as fast as without the three; alignment alone, 1.6 to 3 times.)
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from scipy.sparse import csr_matrix

# Numba may fuse multiplications and additions; it may not reorder sums.
_compiled = njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})

ROWS = 4096  # of a tall matrix in a piece; as many stay in cache
LINE = 64  # bytes of a cache line
COLUMNS = 32  # products are compiled for multiples of it
AHEAD = 32  # entries between fetching a row and its use


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
        product, given = _multiply(U.shape[1]), (X.indptr, X.indices, X.data)
        shift = np.broadcast_to(np.asarray(shift, U.dtype), out.shape)
        self.each(X.shape[0], lambda rows: product(*given, rows.start, rows.stop, U, shift, out))


def multiply_transposed(X: csr_matrix, Z: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """X'(Z - shift), on one thread: pieces would add to the same rows."""
    width = Z.shape[1]
    out = _block(X.shape[1], width, Z.dtype)
    out[:] = 0
    for rows in _pieces(X.shape[0]):
        part = _block(rows.stop - rows.start, width, Z.dtype)
        _fill(part, Z[rows] - shift)
        given = X.indptr, X.indices, X.data, rows.start, rows.stop
        _add_transposed(part.shape[1])(*given, part, out)
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


@intrinsic
def _fetch(_, array, row, column):
    """Ask for the cache line of an entry of a matrix."""

    def generate(context, builder, signature, arguments):
        ir = cgutils.ir
        matrix = context.make_array(signature.args[0])(context, builder, arguments[0])
        entry = cgutils.get_item_pointer(
            context, builder, signature.args[0], matrix, arguments[1:], boundscheck=False
        )
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        reading, near, data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(prefetch, [builder.bitcast(entry, pointer), reading, near, data])
        return context.get_dummy_value()

    return types.void(array, types.uintp, types.uintp), generate


@cache
def _multiply(width):
    @_compiled
    def product(indptr, indices, data, start, stop, U, shift, out):
        row, line = np.empty(width, out.dtype), LINE // U.itemsize
        last = indptr[stop] - 1
        for i in range(start, stop):
            row[:] = 0
            k, end = indptr[i], indptr[i + 1]
            while k + 4 <= end:
                for ahead in range(k + AHEAD, k + AHEAD + 4):
                    for j in range(0, width, line):
                        _fetch(U, indices[min(ahead, last)], j)
                a, b, c, d = data[k], data[k + 1], data[k + 2], data[k + 3]
                u, v = U[indices[k]], U[indices[k + 1]]
                w, x = U[indices[k + 2]], U[indices[k + 3]]
                for j in range(width):
                    row[j] += (a * u[j] + b * v[j]) + (c * w[j] + d * x[j])
                k += 4
            while k < end:
                a, u = data[k], U[indices[k]]
                for j in range(width):
                    row[j] += a * u[j]
                k += 1
            for j in range(out.shape[1]):
                out[i, j] = row[j] - shift[i, j]

    return product


@cache
def _add_transposed(width):
    @_compiled
    def product(indptr, indices, data, start, stop, Z, out):
        last, line = indptr[stop] - 1, LINE // Z.itemsize
        for i in range(start, stop):
            z = Z[i - start]
            for k in range(indptr[i], indptr[i + 1]):
                for j in range(0, width, line):
                    _fetch(out, indices[min(k + AHEAD, last)], j)
                a, u = data[k], out[indices[k]]
                for j in range(width):
                    u[j] += a * z[j]

    return product
