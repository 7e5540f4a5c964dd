"""The rows of a file of texts, in whichever of the known formats it is.

    JSON lines               an object per line
    CSV, TSV                 the first line names the columns, or a line `sep=;` before it what is
                             between them; fields may be quoted, in a TSV file only if the first
                             line is
    Parquet                  the columns of the table

All but Parquet may be compressed with gzip, xz or bzip2.
"""

import csv
import logging
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base import text_files
from cr5.base.errors import UserError, pass_on
from cr5.base.languages import folded_code
from cr5.base.not_text import plain
from cr5.base.text_files import Losses, open_stream, read_lines

log = logging.getLogger(__name__)

HEAD = 1024  # bytes that tell the format
PARQUET = b"PAR1"  # what files begin with
BATCH = 256  # rows of Parquet decoded at a time
TAB = "\t"
SEPARATORS = (TAB, ",", ";")
# what Excel writes above the names of columns, to say what is between them
SEPARATOR_LINE = re.compile(rb'"?sep=(.)"?', re.IGNORECASE)
COMPRESSED = {".gz", ".xz", ".bz2"}
IDS = ("id", "_id", "doc_id", "docid", "docno")  # columns of ids, as ranking collections have them
PAIRED_BY_ID = "there is no `concept`: texts of one id are taken to be about the same thing"
DELIMITED = {".csv", ".tsv", ".tab"}
OBJECTS = {".json", ".jsonl", ".ndjson"}
QUOTE_HINT = (
    "; fields in quotes, as pandas writes those of several lines, are read where the first line "
    "is quoted too: frame.to_csv(..., quoting=csv.QUOTE_ALL)"
)
OBJECT = re.compile(rb'(\[\s*)?\{\s*["}]')

# where each row is, and its fields by column; None of a blank line
Fields = Iterator[tuple[str, Mapping[str, Any] | None]]
Reader = Callable[[Path, Collection[str]], Fields]


@dataclass(frozen=True)
class Row:
    """A row: its file and line, for messages, and its fields by column.

    Of Parquet the columns that are not wanted are not read, and None.
    """

    where: str
    fields: Mapping[str, Any]

    @property
    def is_blank(self) -> bool:
        """Whether nothing is in any of its columns, as spreadsheets leave rows."""
        return bool(self.fields) and all(x in (None, "") for x in self.fields.values())

    def name(self, column: str) -> str:
        """Return an id or a label, see `text_files.name`; UserError if there is none."""
        return text_files.name(column, self._value(column), self.where)

    def text(self, column: str) -> str | None:
        """Return a text that can be stored, None if it is missing; UserError if it is no text."""
        value = self.fields.get(column)
        if text_files.is_missing(value):
            return None
        return text_files.text(column, value, self.where)

    def column(self, names: Iterable[str]) -> str | None:
        """Return its column of the first of some names, compared without case; None if none is."""
        of_name = {column.casefold(): column for column in self.fields}
        return next((of_name[name] for name in names if name in of_name), None)

    @property
    def columns(self) -> str:
        """The names of its columns, for messages."""
        return ", ".join(map(repr, self.fields)) or "nothing"

    def _value(self, column: str) -> Any:
        if column in self.fields:
            return self.fields[column]
        raise UserError(f'{self.where}: "{column}" is missing; there is {self.columns}')


def rows(
    path: str | Path,
    wanted: Collection[str],
    otherwise: Reader | None = None,
    with_blank_lines: bool = False,
) -> Iterator[Row]:
    """Read a file, whose content, or else name, tells the format, or else as `otherwise` does.

    Of Parquet the wanted columns are read. Blank lines are rows without fields, but for those at
    the end, where rows are paired by their numbers; elsewhere no rows. UserError with the place.
    """
    path = Path(path)
    csv.field_size_limit(sys.maxsize)
    reader = _reader(path)
    if reader is None and otherwise and not _has_header(path, wanted):
        reader = otherwise
    reader = reader or _delimited
    blank: list[Row] = []
    for where, values in reader(path, wanted):
        if values is None:
            blank.append(Row(where, {}))
            continue
        if with_blank_lines:
            yield from blank
        blank = []
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
    losses = Losses()
    for name, row in named(rows(path, [identity, label, text]), identity):
        content = row.text(text)
        losses.count(content, row.where)
        if content is not None:
            yield name, content, row.name(label)
    if losses.missing == losses.texts:
        raise UserError(f"{path}: no document; expected a row for each, with {text!r}")
    losses.tell(path)


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
    if ending in DELIMITED or SEPARATOR_LINE.fullmatch(start.partition(b"\n")[0].strip(b"\r")):
        return _delimited
    return None


def _objects(path: Path, _: Any) -> Fields:
    for where, line in read_lines(path):
        yield where, text_files.parse(line, where) if line.strip() else None


@dataclass(frozen=True)
class _Layout:
    """How fields are separated, and whether they may be quoted."""

    separator: str
    is_quoted: bool


def _delimited(path: Path, wanted: Collection[str]) -> Fields:
    layout = _layout(path, wanted)
    quoting = csv.QUOTE_MINIMAL if layout.is_quoted else csv.QUOTE_NONE
    reader = csv.reader(_content(path), delimiter=layout.separator, quoting=quoting, strict=True)
    doubts = _Doubts(layout)
    header: list[str] = []
    for where, fields in _placed(reader, path):
        if not header:
            header = fields if any(map(str.strip, fields)) else []
            if twice := [x for x in wanted if header.count(x) > 1]:
                raise UserError(f"{where}: more than one column {twice[0]!r}; rename one")
        elif len(fields) > 1 or fields == [""] or (fields and fields[0].strip()):
            doubts.look(fields, len(header), where)
            if len(fields) != len(header):
                message = (
                    f"{where}: expected {len(header)} fields ({', '.join(header)}) with "
                    f"{layout.separator!r} between, found {len(fields)}"
                )
                raise UserError(message + doubts.hint)
            yield where, dict(zip(header, fields, strict=True))
        else:
            yield where, None
    doubts.tell(path)


def _content(path: Path) -> Iterator[str]:
    """Yield the lines of a table, that of the separator empty."""
    is_first = True
    for _, line in plain(read_lines(path)):
        if is_first and line.strip():
            is_first = False
            if _told_separator(line):
                line = ""
        yield line.replace("\r", " ") + "\n"


def _told_separator(line: str) -> str:
    """Return the separator that a line of its own tells; empty if it does not."""
    told = SEPARATOR_LINE.fullmatch(line.encode())
    return told[1].decode() if told else ""


def _layout(path: Path, wanted: Collection[str]) -> _Layout:
    """Choose the separator: that which is told, or else that by which wanted columns are named."""
    first = _first_line(path)
    if told := _told_separator(first):
        return _Layout(told, is_quoted=True)
    of_one_column = "," if ".csv" in map(str.lower, path.suffixes) else TAB
    there = [x for x in SEPARATORS if x in first] or [of_one_column]
    separator = max(there, key=lambda x: _n_wanted(first, x, wanted))  # of equals the first
    return _Layout(separator, is_quoted=separator != TAB or first.startswith('"'))


def _n_wanted(header: str, separator: str, wanted: Collection[str]) -> int:
    """Number of the wanted columns that a header names, if this is between them.

    They may end in the code of a language.
    """
    names = next(csv.reader([header], delimiter=separator), [])
    return len({*map(folded_code, names)} & {*map(folded_code, wanted)})


def _has_header(path: Path, wanted: Collection[str]) -> bool:
    """Whether the first line of a file names columns, and so is no text."""
    first = _first_line(path)
    return any(_n_wanted(first, separator, wanted) > 1 for separator in SEPARATORS)


def _first_line(path: Path) -> str:
    first = next((line for _, line in read_lines(path) if line.strip()), "")
    return first.replace("\r", " ")


@dataclass
class _Doubts:
    """Rows that may have been meant otherwise, to be told at the end."""

    layout: _Layout
    open_quotes: int = 0
    first_open: str = ""
    swallowing: int = 0
    first_swallowing: str = ""

    def look(self, fields: list[str], n_columns: int, where: str) -> None:
        """Count a row if a quote is open in it, or if each of its lines would be a whole row."""
        if not self.layout.is_quoted:
            if any(x.startswith('"') and x.count('"') % 2 for x in fields):
                self.open_quotes += 1
                self.first_open = self.first_open or where
        elif any("\n" in x for x in fields):
            separator = self.layout.separator
            others = separator.join(fields).split("\n")[1:]
            if n_columns > 1 and all(x.count(separator) == n_columns - 1 for x in others):
                self.swallowing += 1
                self.first_swallowing = self.first_swallowing or where

    @property
    def hint(self) -> str:
        """Say how quoted fields are written, if there may be some."""
        return QUOTE_HINT if self.open_quotes else ""

    def tell(self, path: Path) -> None:
        """Warn of them."""
        if self.open_quotes:
            log.warning(
                "%s: fields that begin with a quote which does not end are read as they stand, as "
                "the first line has no quotes: %d; the first: %s",
                path, self.open_quotes, self.first_open,
            )  # fmt: skip
        if self.swallowing:
            log.warning(
                "%s: is a quote left open? Rows of several lines, each of which has as many fields "
                "as a row: %d; the first: %s",
                path, self.swallowing, self.first_swallowing,
            )  # fmt: skip


def _placed(reader: Any, path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield where each row of a reader of CSV begins, and its fields."""
    where = f"{path}, line 1"
    try:
        for fields in reader:
            yield where, fields
            where = f"{path}, line {reader.line_num + 1}"
    except csv.Error as error:
        raise UserError(
            f"{where}: {error}; is a quote left open? Quotes within a quoted field are doubled"
        ) from error


def _parquet(path: Path, wanted: Collection[str]) -> Fields:
    import pyarrow as pa  # late: what plans jobs imports this module, too
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            there = file.schema_arrow.names
            codes = {*map(folded_code, wanted)}  # a column of a language may end in its code
            names, number = [x for x in there if folded_code(x) in codes], 0
            if not names:
                raise UserError(f"{path}: none of the wanted columns; it has {', '.join(there)}")
            unread = dict.fromkeys(x for x in there if x not in names)
            # memory holds a group of rows
            for batch in file.iter_batches(BATCH, columns=names, use_threads=False):
                for fields in batch.to_pylist():
                    number += 1
                    yield f"{path}, row {number}", fields | unread
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:  # strings may be any bytes
        pass_on(error)
        raise UserError(f"{path}: not a whole Parquet file ({error})") from error
