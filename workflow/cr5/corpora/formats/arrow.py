"""Parquet, Arrow, and data sets as Hugging Face's `Dataset.save_to_disk` writes them."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base import limits
from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on

PARQUET = b"PAR1"
ARROW = (b"ARROW1", b"\xff\xff\xff\xff")  # what files begin with, and streams
INFO, STATE, SPLITS = "dataset_info.json", "state.json", "dataset_dict.json"
BATCH = 256  # rows decoded at a time

Rows = Iterator[tuple[str, dict[str, Any]]]


def parquet(path: Path, wanted: Collection[str], stream: BinaryIO | None = None) -> Rows:
    """Read the wanted columns of a Parquet file, or of one that is open already.

    Memory holds a group of its rows.

    Raises:
        UserError: it is not a whole Parquet file.
    """
    with _reading(path), pq.ParquetFile(stream or path) as file:
        there = file.schema_arrow.names
        names = [x for x in there if x in wanted]
        batches = file.iter_batches(BATCH, columns=names, use_threads=False)
        yield from _rows(path, batches, names, there)


def ipc(path: Path, wanted: Collection[str]) -> Rows:
    """Read the wanted columns of an Arrow file, or of a stream in a file.

    Raises:
        UserError: it is neither.
    """
    with _reading(path), pa.memory_map(str(path)) as source:
        is_file = source.read(len(ARROW[0])) == ARROW[0]
        source.seek(0)
        if is_file:
            file = pa.ipc.open_file(source)
            batches = (file.get_batch(i) for i in range(file.num_record_batches))
        else:
            file = batches = pa.ipc.open_stream(source)
        names = [x for x in file.schema.names if x in wanted]
        small = (batch.slice(i, BATCH) for batch in batches for i in range(0, len(batch), BATCH))
        yield from _rows(path, small, names, file.schema.names)


def is_dataset(folder: Path) -> bool:
    """Whether a folder is a data set, or a collection of several."""
    return any((folder / x).is_file() for x in (INFO, STATE, SPLITS))


def dataset(folder: Path, wanted: Collection[str]) -> Rows:
    """Read the wanted columns of a data set, file by file.

    Raises:
        UserError: it is several data sets, lists files that are not in it, or one is damaged.
    """
    if (folder / SPLITS).is_file():
        splits = sorted(x.name for x in folder.iterdir() if is_dataset(x))
        raise UserError(
            f"{folder}: a data set in parts, {', '.join(splits)}; name one, such as "
            f"{folder / (splits or ['train'])[0]}"
        )
    yield from chain.from_iterable(ipc(file, wanted) for file in _files(folder))


def _files(folder: Path) -> Sequence[Path]:
    state = folder / STATE
    if not state.is_file():
        return sorted(folder.glob("*.arrow"))
    try:
        limits.check_whole(state.stat().st_size, str(state))
        told = json.loads(state.read_text(encoding="utf-8"))
        names = [x["filename"] for x in told["_data_files"]]
        is_whole = all(Path(x).name == x for x in names) and not told.get("_indices_data_files")
    except DAMAGED as error:
        pass_on(error)
        raise UserError(f"{state}: does not list the files of a data set ({error})") from error
    if not is_whole:
        raise UserError(
            f"{state}: lists files elsewhere, or a selection of rows; write the data set again "
            "with `save_to_disk` of `datasets` 2 or later"
        )
    return [folder / name for name in names]


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
        raise UserError(
            f"{path}: not a whole Parquet or Arrow file ({error}); get a whole copy"
        ) from error
