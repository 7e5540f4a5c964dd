"""Products that are added to what is there, by the BLAS that SciPy brings; NumPy has none.

Adding another product to it takes NumPy two more passes over a block, a third of the time.
"""

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np


def add_product(X: np.ndarray, Y: np.ndarray, out: np.ndarray) -> None:
    """Add X Y' to n x m float32, in place; numbers of a row are side by side in all three.

    To BLAS, which counts by columns, this is out' = Y X' + out'.
    """
    n, n_terms = X.shape
    m = len(Y)
    for array in (X, Y, out):
        if array.dtype != np.float32 or array.strides[1] != array.itemsize:
            raise ValueError("expected rows of float32")
    one = ctypes.c_float(1)
    _sgemm()(
        b"T",
        b"N",
        _integer(m),
        _integer(n),
        _integer(n_terms),
        ctypes.byref(one),
        Y.ctypes.data,
        _integer(Y.strides[0] // Y.itemsize),
        X.ctypes.data,
        _integer(X.strides[0] // X.itemsize),
        ctypes.byref(one),
        out.ctypes.data,
        _integer(out.strides[0] // out.itemsize),
    )


def _integer(value: int) -> ctypes.c_void_p:
    return ctypes.byref(ctypes.c_int(value))


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
    letter, number, numbers = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p
    transposes = [letter, letter]
    sizes = [number, number, number]
    factors = [number, numbers, number, numbers, number, number, numbers, number]
    return ctypes.CFUNCTYPE(None, *transposes, *sizes, *factors)(address)
