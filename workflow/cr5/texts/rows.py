"""The rows of a file of texts, in whichever of the known formats it is.

    JSON lines               an object per line
    CSV, TSV                 the first line names the columns; fields may be quoted, in a TSV file
                             only if the first line is
    Parquet                  the columns of the table

All but Parquet may be compressed with gzip, xz or bzip2.
"""

import csv
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base import text_files
from cr5.base.errors import UserError, pass_on
from cr5.base.text_files import open_stream, read_lines

HEAD = 1024  # bytes that tell the format
PARQUET = b"PAR1"  # what files begin with
BATCH = 256  # rows of Parquet decoded at a time
TAB = "\t"
SEPARATORS = (TAB, ",", ";")
COMPRESSED = {".gz", ".xz", ".bz2"}
DELIMITED = {".csv", ".tsv", ".tab"}
OBJECTS = {".json", ".jsonl", ".ndjson"}
LANGUAGE = "{language}"
OBJECT = re.compile(rb'(\[\s*)?\{\s*["}]')

Fields = Iterator[tuple[str, Mapping[str, Any]]]
Reader = Callable[[Path, Collection[str]], Fields]


@dataclass(frozen=True)
class Row:
    """A row: its file and line, for messages, and its fields by column."""

    where: str
    fields: Mapping[str, Any]

    @property
    def is_blank(self) -> bool:
        """Whether nothing is in any of its columns, as spreadsheets leave rows."""
        return bool(self.fields) and all(x in (None, "") for x in self.fields.values())

    def name(self, column: str) -> str:
        """Return an id or a label, stripped and in NFC; UserError if there is none."""
        return text_files.name(column, self._value(column), self.where)

    def text(self, column: str) -> str:
        """Return a text that can be stored; UserError if there is none."""
        return text_files.text(column, self._value(column), self.where)

    def _value(self, column: str) -> Any:
        if column in self.fields:
            return self.fields[column]
        there = ", ".join(map(repr, self.fields)) or "nothing"
        raise UserError(f'{self.where}: "{column}" is missing; there is {there}')


class Column:
    """Texts of one language: the column `text`, or else `text_da`; or named with `{language}`."""

    def __init__(self, name: str, code: str):
        self._plain = "" if LANGUAGE in name else name
        pattern = name if LANGUAGE in name else f"{name}_{LANGUAGE}"
        self._prefix = pattern.partition(LANGUAGE)[0]
        self._own = pattern.replace(LANGUAGE, code)
        self.names = [x for x in (self._plain, self._own) if x]

    def of(self, row: Row, needed: bool = True) -> str | None:
        """Return the text of a row, None if only other languages have one; UserError if missing."""
        is_there = self._plain in row.fields
        if needed and (is_there or not any(x.startswith(self._prefix) for x in row.fields)):
            return row.text(self.names[0])  # which says what is missing
        name = self._plain if is_there else self._own
        found = None if row.fields.get(name) is None else row.text(name)
        return found if is_there else found or None

    def is_of_all(self, row: Row) -> bool:
        """Return whether a row has the text of every language, rather than one for each."""
        return self._plain in row.fields


def rows(
    path: str | Path, wanted: Collection[str], otherwise: Reader | None = None
) -> Iterator[Row]:
    """Read a file, whose content, or else name, tells the format, or else as `otherwise` does.

    Of Parquet the wanted columns are read. UserError with the place.
    """
    path = Path(path)
    reader = _reader(path) or otherwise or _delimited
    for where, values in reader(path, wanted):
        yield Row(where, values)


def named(found: Iterable[Row], column: str) -> Iterator[tuple[str, Row]]:
    """Yield rows with their names in a column; UserError if two have the same."""
    first: dict[str, str] = {}
    for row in found:
        name = row.name(column)
        if name in first:
            raise UserError(f"{row.where}: the {column} {name!r} was already on {first[name]}")
        first[name] = row.where.rpartition(", ")[2]
        yield name, row


def labelled(
    path: str | Path, identity: str, label: str, text: str
) -> Iterator[tuple[str, str, str]]:
    """Yield (id, text, label) of documents by their columns; UserError with file and line."""
    is_empty = True
    for name, row in named(rows(path, [identity, label, text]), identity):
        is_empty = False
        yield name, row.text(text), row.name(label)
    if is_empty:
        raise UserError(f"{path}: no document; expected a row for each")


def _reader(path: Path) -> Reader | None:
    with open_stream(path) as file:
        head = file.read(HEAD)
    if head.startswith(PARQUET):
        return _parquet
    # of a.b.csv.gz, `.csv`
    ending = next((x.lower() for x in path.suffixes[::-1] if x.lower() not in COMPRESSED), "")
    start = head.removeprefix(text_files.BOM.encode()).lstrip()
    if OBJECT.match(start) or ending in OBJECTS:
        return _objects
    return _delimited if ending in DELIMITED else None


def _objects(path: Path, _: Any) -> Fields:
    for where, line in read_lines(path):
        if line.strip():
            yield where, text_files.parse(line, where)


def _delimited(path: Path, wanted: Collection[str]) -> Fields:
    csv.field_size_limit(sys.maxsize)
    first = next((line for _, line in read_lines(path) if line.strip()), "")
    of_one_column = "," if ".csv" in map(str.lower, path.suffixes) else TAB
    separator = next((x for x in SEPARATORS if x in first), of_one_column)
    quoting = csv.QUOTE_MINIMAL if separator != TAB or first.startswith('"') else csv.QUOTE_NONE
    lines = (line.replace("\r", " ") + "\n" for _, line in read_lines(path))
    reader = csv.reader(lines, delimiter=separator, quoting=quoting, strict=True)
    header: list[str] = []
    for where, fields in _placed(reader, path):
        if not header:
            header = fields if any(map(str.strip, fields)) else []
            if twice := [x for x in wanted if header.count(x) > 1]:
                raise UserError(f"{where}: more than one column {twice[0]!r}; rename one")
        elif len(fields) > 1 or fields == [""] or (fields and fields[0].strip()):
            if len(fields) != len(header):
                raise UserError(
                    f"{where}: expected {len(header)} fields ({', '.join(header)}) with "
                    f"{separator!r} between, found {len(fields)}"
                )
            yield where, dict(zip(header, fields, strict=True))


def _placed(reader: Any, path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield where each row of a reader of CSV begins, and its fields."""
    where = f"{path}, line 1"
    try:
        for fields in reader:
            yield where, fields
            where = f"{path}, line {reader.line_num + 1}"
    except csv.Error as error:
        raise UserError(f"{where}: {error}") from error


def _parquet(path: Path, wanted: Collection[str]) -> Fields:
    import pyarrow as pa  # late: what plans jobs imports this module, too
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            there = file.schema_arrow.names
            names, number = [x for x in there if x in wanted], 0
            if not names:
                raise UserError(f"{path}: none of the wanted columns; it has {', '.join(there)}")
            # memory holds a group of rows
            for batch in file.iter_batches(BATCH, columns=names, use_threads=False):
                for fields in batch.to_pylist():
                    number += 1
                    yield f"{path}, row {number}", fields
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:  # strings may be any bytes
        pass_on(error)
        raise UserError(f"{path}: not a whole Parquet file ({error})") from error
