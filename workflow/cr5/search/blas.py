"""Products that are added to what is there, by the BLAS that SciPy brings; NumPy has none.

Adding another product to it takes NumPy two more passes over a block, a third of the time.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np


def add_product(X: np.ndarray, Y: np.ndarray, out: np.ndarray) -> None:
    """Add X Y' to n x m float32, in place; numbers of a row are side by side in all three.

    To BLAS, which counts by columns, this is out' = Y X' + out'.
    """
    n, n_terms = X.shape
    for array in (X, Y, out):
        if array.dtype != np.float32 or array.strides[1] != array.itemsize:
            raise ValueError("expected rows of float32")
    one = ctypes.byref(ctypes.c_float(1))
    sizes = [_integer(len(Y)), _integer(n), _integer(n_terms)]
    _sgemm()(b"T", b"N", *sizes, one, *_rows(Y), *_rows(X), one, *_rows(out))


def _integer(value: int) -> Any:
    return ctypes.byref(ctypes.c_int(value))


def _rows(array: np.ndarray) -> tuple[int, Any]:
    """Return where an array begins, and how many numbers there are from row to row."""
    return array.ctypes.data, _integer(array.strides[0] // array.itemsize)


@cache
def _sgemm() -> Callable[..., None]:
    """Return BLAS's product of float32, which lets other threads of Python run meanwhile."""
    from scipy.linalg import cython_blas  # slow to import

    capsule = cython_blas.__pyx_capi__["sgemm"]
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype = ctypes.c_char_p
    name_of.argtypes = [ctypes.py_object]
    address_of = ctypes.pythonapi.PyCapsule_GetPointer
    address_of.restype = ctypes.c_void_p
    address_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = address_of(capsule, name_of(capsule))
    # Two letters, and eleven numbers and arrays by their addresses.
    types = [ctypes.c_char_p] * 2 + [ctypes.c_void_p] * 11
    return ctypes.CFUNCTYPE(None, *types)(address)
