"""Tables that jobs pass on; errors name the file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pyarrow as pa

from cr5.base import csv_files
from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on


def read_parquet(path: str | Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a table.

    Args:
        path: the file.
        columns: the columns to read; all by default.

    Raises:
        UserError: it is missing, truncated or lacks a column.
    """
    with reading(path, columns):
        return pd.read_parquet(path, columns=None if columns is None else list(columns))


@contextmanager
def reading(path: str | Path, columns: Sequence[str] | None = None) -> Iterator[None]:
    """Name the file in what pyarrow raises while reading it; arguments as for `read_parquet`."""
    try:
        yield
    except (*DAMAGED, pa.ArrowException) as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole parquet file with the columns "
            f"{', '.join(columns) if columns else 'it was written with'} ({error}); remove it and "
            "run again"
        ) from error


def load_csv(path: str | Path) -> pd.DataFrame:
    """Read a table that another job wrote, after checking it against its JSON file.

    Raises:
        UserError: as for `read_csv`; or it is not what was written.
    """
    csv_files.check(path)
    return read_csv(path)


def read_csv(path: str | Path) -> pd.DataFrame:
    """Read a table; only empty cells are missing values: `nan` is the language code of Min Nan.

    Raises:
        UserError: it is missing, empty or not a table of comma-separated values in UTF-8.
    """
    try:
        return pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole CSV file ({str(error).strip()}); remove it and run again"
        ) from error
