"""A stand-in for a GPU: arrays that are not NumPy's and cannot be mixed with them.

CuPy's arrays take over NumPy's functions and refuse arrays of NumPy, except for numbers. So do
these; hence code that runs here keeps the two apart. What CuPy itself computes is not shown.
"""

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from cr5.systems.algebra.device import Device


def _open(value):
    if isinstance(value, Array):
        return value.inside
    if isinstance(value, np.ndarray) and value.ndim:
        raise TypeError("an array of NumPy where one of the device is expected")
    if isinstance(value, tuple | list):
        return type(value)(_open(each) for each in value)
    return value


def _close(value):
    return Array(value) if isinstance(value, np.ndarray) else value


class Array(NDArrayOperatorsMixin):
    def __init__(self, inside):
        self.inside = inside

    shape = property(lambda self: self.inside.shape)
    dtype = property(lambda self: self.inside.dtype)
    T = property(lambda self: Array(self.inside.T))

    def __array__(self, *_, **__):
        raise TypeError("implicit conversion to NumPy")

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        if out:
            options["out"] = tuple(_open(each) for each in out)
        return _close(getattr(ufunc, method)(*_open(inputs), **options))

    def __array_function__(self, function, types, arguments, options):
        assert all(issubclass(each, Array) for each in types)
        options = {name: _open(value) for name, value in options.items()}
        return _close(function(*_open(arguments), **options))

    def __len__(self):
        return len(self.inside)

    def __int__(self):
        return int(self.inside)

    def __getitem__(self, key):
        found = self.inside[_open(key)]
        return Array(np.asarray(found))

    def __setitem__(self, key, value):
        self.inside[_open(key)] = _open(value)

    def astype(self, dtype):
        return Array(self.inside.astype(dtype))

    def copy(self, order="C"):
        return Array(self.inside.copy(order))

    def sum(self, **options):
        return Array(self.inside.sum(**options))


class Sparse:
    def __init__(self, X):
        self._inside = X

    def __matmul__(self, other):
        return Array(self._inside @ _open(other))


class Elsewhere(Device):
    rows, copies = 1000, 2

    def __exit__(self, *_):
        pass

    def available_bytes(self):
        return None

    def put(self, array):
        assert isinstance(array, np.ndarray)
        return Array(array)

    def get(self, array):
        assert isinstance(array, Array)
        return array.inside

    def empty(self, shape, dtype):
        return Array(np.full(shape, np.nan, dtype))

    def sparse(self, X):
        return Sparse(X), Sparse(X.T.tocsr())
