"""Compiled products of a sparse and a dense matrix.

They are bound by memory: words of a large vocabulary are not in cache. Hence rows are fetched ahead
of their use and begin at a cache line, and the number of columns is known when the product is
compiled. (Measured with 200,000 words and 200 entries a row, both products together: 3 to 4 times
as fast as without the three; alignment alone, 1.6 to 3 times.)
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

# Numba may fuse multiplications and additions; it may not reorder sums.
_compiled = njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})

AHEAD = 32  # entries between fetching a row and its use


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
def multiply(width: int, bytes_of_line: int) -> Callable[..., None]:
    """X U - shift for rows of X, for a U of some columns whose rows begin at cache lines."""

    @_compiled
    def product(indptr, indices, data, start, stop, U, shift, out):
        row, line = np.empty(width, out.dtype), bytes_of_line // U.itemsize
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
def add_transposed(width: int, bytes_of_line: int) -> Callable[..., None]:
    """Add X'Z to `out`, for rows of X and a Z of some columns whose rows begin at cache lines."""

    @_compiled
    def product(indptr, indices, data, start, stop, Z, out):
        last, line = indptr[stop] - 1, bytes_of_line // Z.itemsize
        for i in range(start, stop):
            z = Z[i - start]
            for k in range(indptr[i], indptr[i + 1]):
                for j in range(0, width, line):
                    _fetch(out, indices[min(k + AHEAD, last)], j)
                a, u = data[k], out[indices[k]]
                for j in range(width):
                    u[j] += a * z[j]

    return product
