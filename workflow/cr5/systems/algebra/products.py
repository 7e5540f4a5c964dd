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
        pointer = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        address = builder.bitcast(entry, pointer)
        reading = ir.Constant(number, 0)  # not writing
        near = ir.Constant(number, 3)  # into all levels of the cache
        data = ir.Constant(number, 1)  # not instructions
        builder.call(prefetch, [address, reading, near, data])
        return context.get_dummy_value()

    return types.void(array, types.uintp, types.uintp), generate


@cache
def multiply(width: int, bytes_of_line: int) -> Callable[..., None]:
    """Compile X U - shift for rows of X; those of U, some columns, begin at cache lines."""

    @_compiled
    def product(indptr, indices, data, start, stop, U, shift, out):
        row = np.empty(width, out.dtype)
        line = bytes_of_line // U.itemsize
        last = indptr[stop] - 1
        for i in range(start, stop):
            row[:] = 0
            k = indptr[i]
            end = indptr[i + 1]
            while k + 4 <= end:  # four entries at a time
                for ahead in range(k + AHEAD, k + AHEAD + 4):
                    for j in range(0, width, line):
                        _fetch(U, indices[min(ahead, last)], j)
                x0 = data[k]
                x1 = data[k + 1]
                x2 = data[k + 2]
                x3 = data[k + 3]
                u0 = U[indices[k]]
                u1 = U[indices[k + 1]]
                u2 = U[indices[k + 2]]
                u3 = U[indices[k + 3]]
                for j in range(width):
                    row[j] += (x0 * u0[j] + x1 * u1[j]) + (x2 * u2[j] + x3 * u3[j])
                k += 4
            while k < end:
                x0 = data[k]
                u0 = U[indices[k]]
                for j in range(width):
                    row[j] += x0 * u0[j]
                k += 1
            for j in range(out.shape[1]):
                out[i, j] = row[j] - shift[i, j]

    return product


@cache
def add_transposed(width: int, bytes_of_line: int) -> Callable[..., None]:
    """Compile out += X'Z for rows of X; those of Z, some columns, begin at cache lines."""

    @_compiled
    def product(indptr, indices, data, start, stop, Z, out):
        last = indptr[stop] - 1
        line = bytes_of_line // Z.itemsize
        for i in range(start, stop):
            z = Z[i - start]
            for k in range(indptr[i], indptr[i + 1]):
                for j in range(0, width, line):
                    _fetch(out, indices[min(k + AHEAD, last)], j)
                x = data[k]
                sums = out[indices[k]]
                for j in range(width):
                    sums[j] += x * z[j]

    return product
