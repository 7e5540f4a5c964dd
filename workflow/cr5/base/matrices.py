"""Sparse matrices that jobs pass on; errors name the file."""

import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
from scipy import sparse

from cr5.base.artefacts import Folder
from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on

ARRAYS = "data", "indices", "indptr"  # of the rows of a matrix: a file each
BROKEN_NPZ = (*DAMAGED, NotImplementedError, zipfile.BadZipFile, zlib.error, struct.error)


def read_npz(path: str | Path) -> sparse.csr_matrix:
    """Read a sparse matrix.

    Raises:
        UserError: it is missing, truncated or damaged.
    """
    try:
        with Path(path).open("rb") as file:  # scipy would leave a damaged one open
            return sparse.load_npz(file).tocsr()
    except BROKEN_NPZ as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole sparse matrix ({error}); remove it and run again"
        ) from error


def save_rows(folder: Path, rows: sparse.csr_matrix) -> None:
    """Write a sparse matrix into the folder of an artefact, a file for each of its arrays."""
    for name in ARRAYS:
        np.save(folder / f"{name}.npy", getattr(rows, name))


def read_rows(found: Folder, n_columns: int) -> sparse.csr_matrix:
    """Read the sparse matrix of an opened artefact."""
    parts = tuple(np.load(found.file(f"{name}.npy")) for name in ARRAYS)
    return sparse.csr_matrix(parts, (len(parts[-1]) - 1, n_columns))
