"""Lower triangles of X'X for sparse X, column by column, compiled by Numba.

A column of the result stays in cache while the rows of X that contain it are added up.
"""

import numpy as np
from numba import njit
from scipy.sparse import csr_matrix

_compiled = njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})


def add_gram(Xt: csr_matrix, X: csr_matrix, first: int, scale: float, out: np.ndarray) -> None:
    """Add scale X'X to the columns of its lower triangle that are in `out`.

    Args:
        Xt: X', its rows in column order.
        X: the same, rows x p, float64, indices sorted.
        first: first column of `out`.
        scale: of the product.
        out: (p - first) x some columns, the rows from `first` on; float64, in Fortran order.
            Entries above the diagonal are not changed.
    """
    _add_gram(Xt.indptr, Xt.indices, Xt.data, X.indptr, X.indices, X.data, first, float(scale), out)


@_compiled
def _add_gram(starts, rows, values, indptr, indices, data, first, scale, out):
    for c in range(first, first + out.shape[1]):
        for k in range(starts[c], starts[c + 1]):
            a, row = scale * values[k], rows[k]
            low, j = indptr[row], indptr[row + 1] - 1
            while j >= low and indices[j] >= c:
                out[indices[j] - first, c - first] += a * data[j]
                j -= 1
