"""Where the iterative solver computes: on threads of the processor, or on a GPU.

The solver uses NumPy's functions, which dispatch to CuPy for its arrays (NEP 13 and 18). The rest
is here: where arrays are made, how sparse matrices are stored, and into which pieces work is
split. Pieces never depend on the number of threads, so neither do the bytes of a result.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from cr5.base import memory
from cr5.base.errors import UserError
from cr5.systems.algebra import compiled


def open_device(name: str, threads: int) -> "Device":
    """Open a device by name.

    Raises:
        UserError: the GPU cannot be used; the message says why.
    """
    return Cuda() if name == "cuda" else Cpu(threads)


class Device(ABC):
    """What the solver needs of a device besides NumPy's functions.

    Attributes:
        rows: of a tall matrix to process at a time.
        copies: number of copies of the features that the device makes.
    """

    rows: int
    copies: int

    def __enter__(self) -> "Device":
        """Return the device."""
        return self

    @abstractmethod
    def __exit__(self, *_: object) -> None:
        """Release the device's resources."""

    def pieces(self, n: int) -> Iterator[slice]:
        """Split n rows into slices of `rows`."""
        return (slice(start, min(start + self.rows, n)) for start in range(0, n, self.rows))

    def map(self, work: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """Results in the order of the items."""
        return list(self.results(work, items))

    def results(self, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """As `map`, one by one; to be iterated to the end, or some work may not be done."""
        return map(work, items)

    @abstractmethod
    def put(self, array: np.ndarray) -> Any:
        """The array on the device."""

    @abstractmethod
    def get(self, array: Any) -> np.ndarray:
        """An array of the device as a NumPy array."""

    @abstractmethod
    def empty(self, shape: tuple[int, int], dtype: type) -> Any:
        """An array on the device, its values not set."""

    @abstractmethod
    def sparse(self, X: csr_matrix) -> Any:
        """The matrix on the device, in the form that the products below take."""

    @abstractmethod
    def available_bytes(self) -> int | None:
        """Memory still available, None if unknown."""

    def space(self, use: str, rows: int, columns: int, dtype: type) -> Any:
        """A `block`, its values not set, that lasts until the next one for the same use."""
        return self.empty((rows, columns), dtype)

    def block(self, use: str, U: Any) -> Any:
        """A copy of some columns in the form that `multiply` takes, in the `space` for a use."""
        return U.copy()

    def multiply(self, X: Any, U: Any, shift: Any, out: Any) -> None:
        """Set `out` to X U - shift, for a `block` U; do not call within `map`."""
        np.subtract(X[0] @ U, shift, out=out)

    def product(self, use: str, X: Any, U: Any) -> Any:
        """X U as a `block` in the `space` for a use, for a `block` U; do not call within `map`."""
        return X[0] @ U

    def multiply_transposed(self, X: Any, Z: Any, shift: Any) -> Any:
        """X'(Z - shift)."""
        return X[1] @ (Z - shift)

    def sum_rows(self, X: Any, U: Any, out: Any) -> None:
        """Set `out` to X U for X of ones, with few in a row; do not call within `map`."""
        out[:] = X[0] @ U


class Cpu(Device):
    """NumPy on threads, and compiled products."""

    rows, copies = 4096, 0  # this many rows stay in cache

    def __init__(self, threads: int = 1):
        self._pool = ThreadPoolExecutor(threads)
        self._memory: dict[str, np.ndarray] = {}  # new pages cost as much as what is done in them

    def __exit__(self, *_: object) -> None:
        """End the threads, free the memory."""
        self._pool.shutdown()
        self._memory.clear()

    def results(self, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """As `map`, one by one."""
        return self._pool.map(work, items)

    def put(self, array: np.ndarray) -> np.ndarray:
        """The array itself."""
        return array

    def get(self, array: np.ndarray) -> np.ndarray:
        """The array itself."""
        return array

    def empty(self, shape: tuple[int, int], dtype: type) -> np.ndarray:
        """An array, its values not set."""
        return np.empty(shape, dtype)

    def sparse(self, X: csr_matrix) -> csr_matrix:
        """The matrix itself; its transpose is not stored."""
        return X

    def available_bytes(self) -> int | None:
        """Memory that can still be had, None if the system does not tell."""
        return memory.available_bytes()

    def space(self, use: str, rows: int, columns: int, dtype: type) -> np.ndarray:
        """A `block` in memory that is kept for its use."""
        needed = compiled.size(rows, columns, dtype)
        if use not in self._memory or len(self._memory[use]) < needed:
            self._memory.pop(use, None)
            self._memory[use] = np.empty(needed, np.uint8)
        return compiled.within(self._memory[use], rows, columns, dtype)

    def block(self, use: str, U: np.ndarray) -> np.ndarray:
        """A copy of some columns, aligned and filled up with columns of zeros."""
        out = self.space(use, *U.shape, U.dtype)
        width = U.shape[1]

        def fill(rows: slice) -> None:
            out[rows, :width] = U[rows]
            out[rows, width:] = 0

        self.map(fill, self.pieces(len(U)))
        return out

    def multiply(self, X: csr_matrix, U: np.ndarray, shift: np.ndarray, out: np.ndarray) -> None:
        """Set `out` to X U - shift; all threads work on the same block of words."""
        self.map(lambda rows: compiled.multiply(X, rows, U, shift, out), self.pieces(X.shape[0]))

    def product(self, use: str, X: csr_matrix, U: np.ndarray) -> np.ndarray:
        """X U as a `block`, for a `block` U."""
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
        """Set `out` to X U for X of ones; U is read where it is."""
        self.map(lambda rows: compiled.sum_rows(X, rows, U, out), self.pieces(X.shape[0]))


class Cuda(Device):
    """CuPy on the first visible GPU."""

    rows, copies = 2**17, 2

    def __init__(self):
        self._cupy = _import_cupy()

    def __exit__(self, *_: object) -> None:
        """Free the memory."""
        self._cupy.get_default_memory_pool().free_all_blocks()

    def put(self, array: np.ndarray) -> Any:
        """A copy on the device."""
        return self._cupy.asarray(array)

    def get(self, array: Any) -> np.ndarray:
        """A copy as a NumPy array."""
        return self._cupy.asnumpy(array)

    def empty(self, shape: tuple[int, int], dtype: type) -> Any:
        """An array on the device, its values not set."""
        return self._cupy.empty(shape, dtype)

    def sparse(self, X: csr_matrix) -> tuple[Any, Any]:
        """X and X' on the device: with X alone, the order of sums in X'Z would not be fixed."""
        from cupyx.scipy import sparse

        return sparse.csr_matrix(X), sparse.csr_matrix(X.T.tocsr())

    def available_bytes(self) -> int | None:
        """Memory that can still be had."""
        pool = self._cupy.get_default_memory_pool()
        return self._cupy.cuda.runtime.memGetInfo()[0] + pool.free_bytes()


def _import_cupy() -> Any:
    try:
        import cupy

        cupy.cuda.runtime.getDeviceCount()
    except ImportError as error:
        raise UserError(
            "Cr5: device is cuda, but CuPy is not installed; install the one for your CUDA "
            "(pip install cupy-cuda12x, or cupy-cuda13x), or set device: cpu"
        ) from error
    except Exception as error:  # CuPy's own exceptions exist only if it can be imported
        raise UserError(
            f"Cr5: device is cuda, but CuPy finds no GPU ({error}); see that nvidia-smi lists "
            "one, or set device: cpu"
        ) from error
    return cupy
