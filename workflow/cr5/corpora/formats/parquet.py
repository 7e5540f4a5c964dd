"""Tables in Parquet."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on

MAGIC = b"PAR1"  # what files begin with
BATCH = 256  # rows decoded at a time

Rows = Iterator[tuple[str, dict[str, Any]]]


def read(path: Path, wanted: Collection[str]) -> Rows:
    """Read the wanted columns of a file.

    Memory holds a group of its rows.

    Raises:
        UserError: it is not a whole Parquet file.
    """
    with _reading(path), pq.ParquetFile(path) as file:
        there = file.schema_arrow.names
        names = [x for x in there if x in wanted]
        batches = file.iter_batches(BATCH, columns=names, use_threads=False)
        yield from _rows(path, batches, names, there)


def _rows(path: Path, batches, names: Sequence[str], there: Sequence[str]) -> Rows:
    if not names:
        raise UserError(f"{path}: none of the wanted columns; it has {', '.join(there) or 'none'}")
    number = 0
    for batch in batches:
        columns = [batch.column(name).to_pylist() for name in names]
        for values in zip(*columns, strict=True):
            number += 1
            yield f"{path}, row {number}", dict(zip(names, values, strict=True))


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except UserError:
        raise
    except (*DAMAGED, pa.ArrowException) as error:
        pass_on(error)
        raise UserError(f"{path}: not a whole Parquet file ({error}); get a whole copy") from error
