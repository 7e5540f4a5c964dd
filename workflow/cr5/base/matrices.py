"""Sparse matrices that jobs pass on; errors name the file."""

import struct
import zipfile
import zlib
from pathlib import Path

from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on

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
