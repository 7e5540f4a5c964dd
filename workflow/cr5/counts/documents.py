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

KIND, FILE, NOTES = "documents", "documents.parquet", "notes.json"
Record = tuple[str, str, str]
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
    written, options = 0, {"compression": "zstd", "use_dictionary": False}  # texts hardly repeat
    with job.making(path, KIND, language=language) as temporary:
        with pq.ParquetWriter(temporary / FILE, SCHEMA, **options) as file:
            for group in _groups(_once(records, path, repeated)):
                columns = [pa.array(column, pa.string()) for column in zip(*group, strict=True)]
                file.write_table(pa.table(columns, schema=SCHEMA), row_group_size=GROUP_ROWS)
                written += len(group)
        if not written and not may_be_empty:
            raise UserError(f"{path}: there is no document to write; look at the corpus it is from")
        write_json(temporary / NOTES, notes())
    return written


def _once(records: Iterable[Record], path: str | Path, repeated: str) -> Iterator[Record]:
    """One article of each concept, the first."""
    numbers: dict[int, int] = {}  # by the hash of a concept: strings are too large for Wikipedia
    number = 0
    for number, record in enumerate(records, start=1):
        first = numbers.setdefault(hash(record[0]), number)
        if first == number:
            yield record
        elif repeated == "refused":
            raise UserError(
                f"{path}: documents {first} and {number}, {record[1]!r}, are both about "
                f"{record[0]!r}; a language may have one for each concept: remove one of them"
            )
    if left_out := number - len(numbers):
        log.warning("%s: left out %d documents: another has their concept", path, left_out)


def _groups(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Articles that a row group holds together."""
    group, characters = [], 0
    for record in records:
        group.append(record)
        characters += len(record[2])
        if characters >= GROUP_CHARACTERS or len(group) == GROUP_ROWS:
            yield group
            group, characters = [], 0
    if group:
        yield group


def stream(
    path: str | Path, columns: Sequence[str] = COLUMNS, batch_size: int = 1024, **subject: str
) -> Iterator[tuple[str, ...]]:
    """Yield some columns of the articles, in order; memory holds one batch and its row group."""
    with pq.ParquetFile(Artefact(path, KIND, **subject).file(FILE)) as file:
        for batch in file.iter_batches(batch_size, columns=list(columns), use_threads=False):
            yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)


def texts(path: str | Path, concepts: Iterable[str], **subject: str) -> list[str]:
    """Read the texts of some articles, in the order of their concepts."""
    concepts = list(concepts)
    wanted = set(concepts)
    rows = stream(path, ("concept", "text"), **subject)
    found = {concept: text for concept, text in rows if concept in wanted}
    return [found[concept] for concept in concepts]


def notes_of(path: str | Path) -> dict[str, Any]:
    """Read what the source told of the articles."""
    return Artefact(path, KIND).json(NOTES)
