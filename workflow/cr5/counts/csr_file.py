"""A sparse matrix that does not fit into memory, written to a file that scipy reads."""

import os
import shutil
import zipfile
from pathlib import Path
from typing import BinaryIO

import numpy as np

LONGEST_INT32 = np.iinfo(np.int32).max


class CsrFile:
    """Takes rows in any order, then writes the bytes that `scipy.sparse.save_npz` would write.

    Until then, data and indices are kept beside the file, which needs twice its size on disk.
    """

    def __init__(self, path: Path, lengths: np.ndarray, n_columns: int) -> None:
        """Make room for the matrix.

        Args:
            path: of the file to write, ending in .npz; its folder must exist.
            lengths: (rows,) nonzeros of each row.
            n_columns: of the matrix.
        """
        self._path, self._shape = path, (len(lengths), n_columns)
        indptr = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        self._nonzeros = int(indptr[-1])
        # scipy uses one type for both, int64 if any number needs it
        is_long = max(self._nonzeros, n_columns) > LONGEST_INT32
        self._indptr = indptr.astype(np.int64 if is_long else np.int32, copy=False)
        self._dtypes = {"data": np.dtype(np.int32), "indices": self._indptr.dtype}
        for name, dtype in self._dtypes.items():
            with self._raw(name).open("wb") as file:
                _reserve(file, self._nonzeros * dtype.itemsize)

    def write(self, rows: np.ndarray, lengths: np.ndarray, indices, data) -> None:
        """Write some rows.

        Args:
            rows: (n,) numbers of the rows.
            lengths: (n,) nonzeros of each.
            indices: of all of them, one row after the other; ascending within a row.
            data: the values that belong to them.
        """
        if not len(indices):
            return
        starts = np.cumsum(lengths) - lengths
        target = np.repeat(self._indptr[rows] - starts, lengths) + np.arange(len(indices))
        first, last = int(target.min()), int(target.max())
        target -= first
        for name, values in (("indices", indices), ("data", data)):
            dtype = self._dtypes[name]
            # mapped anew each time, so that written data does not stay in memory
            window = np.memmap(
                self._raw(name), dtype, "r+", first * dtype.itemsize, (last - first + 1,)
            )
            window[target] = values
            del window

    def finish(self) -> None:
        """Put everything into one file."""
        # order, names and dates as scipy and numpy write them
        with zipfile.ZipFile(self._path, "w", zipfile.ZIP_STORED) as archive:
            self._add_raw(archive, "indices")
            self._add(archive, "indptr", self._indptr)
            self._add(archive, "format", np.array(b"csr"))
            self._add(archive, "shape", np.array(self._shape))
            self._add_raw(archive, "data")

    def _raw(self, name: str) -> Path:
        return self._path.with_name(f"{self._path.name}.{name}")

    def _add(self, archive: zipfile.ZipFile, name: str, values: np.ndarray) -> None:
        with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
            np.lib.format.write_array(file, values)

    def _add_raw(self, archive: zipfile.ZipFile, name: str) -> None:
        header = {
            "descr": np.lib.format.dtype_to_descr(self._dtypes[name]),
            "fortran_order": False,
            "shape": (self._nonzeros,),
        }
        with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
            np.lib.format.write_array_header_1_0(file, header)
            with self._raw(name).open("rb") as raw:
                shutil.copyfileobj(raw, file, 1 << 20)
        self._raw(name).unlink()


def _reserve(file: BinaryIO, size: int) -> None:
    """Allocate a file of zeros: a full disk raises here, but would kill a process that maps it."""
    file.truncate(size)
    if size and hasattr(os, "posix_fallocate"):  # not on macOS
        os.posix_fallocate(file.fileno(), 0, size)
