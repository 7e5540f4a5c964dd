"""The artefact documents/{language}: concept, title and text of articles, and notes on them."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError
from cr5.base.files import write_json

log = logging.getLogger(__name__)

KIND = "documents"
FILE = "documents.parquet"
NOTES = "notes.json"
Record = tuple[str, str, str]
"""Concept, title and text."""
COLUMNS = ("concept", "title", "text")
SCHEMA = pa.schema([(column, pa.string()) for column in COLUMNS])
GROUP_CHARACTERS = 16_000_000  # of text in a row group, which is held in memory
GROUP_ROWS = 16_384


def write(
    path: str | Path,
    records: Iterable[Record],
    language: str | None = None,
    repeated: Literal["refused", "first"] = "refused",
    may_be_empty: bool = False,
    notes: Callable[[], Mapping[str, Any]] = dict,
    job: Job = NO_JOB,
) -> int:
    """Write articles in the order given, and return how many; memory holds one row group.

    A second article about a concept is refused, or left out and told. A part of a language may be
    empty. `notes` returns what the source tells, as JSON, once all are read.
    """
    n_written = 0
    distinct = _one_of_each_concept(records, path, repeated)
    with job.making(path, KIND, language=language) as temporary:
        options = {"compression": "zstd", "use_dictionary": False}  # texts hardly repeat
        with pq.ParquetWriter(temporary / FILE, SCHEMA, **options) as file:
            for group in _row_groups(distinct):
                file.write_table(_table(group), row_group_size=GROUP_ROWS)
                n_written += len(group)
        if not n_written and not may_be_empty:
            raise UserError(f"{path}: there is no document to write; look at the corpus it is from")
        write_json(temporary / NOTES, notes())
    return n_written


def _table(records: Sequence[Record]) -> pa.Table:
    columns = []
    for values in zip(*records, strict=True):
        columns.append(pa.array(values, pa.string()))
    return pa.table(columns, schema=SCHEMA)


def _one_of_each_concept(
    records: Iterable[Record], path: str | Path, repeated: str
) -> Iterator[Record]:
    """Yield the first article about each concept."""
    numbers: dict[int, int] = {}  # by the hash of a concept: strings are too large for Wikipedia
    number = 0
    for number, record in enumerate(records, start=1):
        concept, title, _ = record
        first = numbers.setdefault(hash(concept), number)
        if first == number:
            yield record
        elif repeated == "refused":
            raise UserError(
                f"{path}: documents {first} and {number}, {title!r}, are both about "
                f"{concept!r}; a language may have one for each concept: remove one of them"
            )
    n_left_out = number - len(numbers)
    if n_left_out:
        log.warning("%s: left out %d documents: another has their concept", path, n_left_out)


def _row_groups(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield the articles that a row group holds together."""
    group: list[Record] = []
    n_characters = 0
    for record in records:
        _, _, text = record
        group.append(record)
        n_characters += len(text)
        if n_characters >= GROUP_CHARACTERS or len(group) == GROUP_ROWS:
            yield group
            group = []
            n_characters = 0
    if group:
        yield group


def stream(
    path: str | Path, columns: Sequence[str] = COLUMNS, batch_size: int = 1024, **subject: str
) -> Iterator[tuple[str, ...]]:
    """Yield some columns of the articles, in order; memory holds one batch and its row group."""
    artefact = Artefact(path, KIND, **subject)
    with pq.ParquetFile(artefact.file(FILE)) as file:
        for batch in file.iter_batches(batch_size, columns=list(columns), use_threads=False):
            values_by_column = [batch.column(name).to_pylist() for name in columns]
            yield from zip(*values_by_column, strict=True)


def texts(path: str | Path, concepts: Iterable[str], **subject: str) -> list[str]:
    """Read the texts of some articles, in the order of their concepts."""
    in_order = list(concepts)
    wanted = set(in_order)
    text_of_concept = {}
    for concept, text in stream(path, ("concept", "text"), **subject):
        if concept in wanted:
            text_of_concept[concept] = text
    return [text_of_concept[concept] for concept in in_order]


def notes_of(path: str | Path) -> dict[str, Any]:
    """Read what the source told of the articles."""
    return Artefact(path, KIND).json(NOTES)
