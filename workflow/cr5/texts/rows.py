"""The rows of a file of texts, in whichever of the known formats it is.

    JSON lines               an object per line
    CSV, TSV                 the first line names the columns, or a line `sep=;` before it what is
                             between them; fields may be quoted, in a TSV file only if the first
                             line is
    Parquet                  the columns of the table

What is in an object in a field, or in a struct of Parquet, has a name with dots: `translation.en`.
All but Parquet may be compressed with gzip, xz, bzip2 or zstd, or be alone in a zip archive.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from cr5.base import text_files
from cr5.base.errors import UserError, pass_on
from cr5.base.languages import ENDINGS, folded_code
from cr5.base.losses import Losses
from cr5.base.text_files import decoded, open_stream
from cr5.texts.delimited import (
    Fields,
    Line,
    delimited,
    layout_of,
    names_columns,
    refuse_repeated,
    told_separator,
)

log = logging.getLogger(__name__)

HEAD = 1024  # bytes that tell the format
PARQUET = b"PAR1"  # what files begin with
BATCH = 256  # rows of Parquet decoded at a time
IDS = ("id", "_id", "doc_id", "docid", "docno")  # columns of ids, as ranking collections have them
PAIRED_BY_ID = "there is no `concept`: texts of one id are taken to be about the same thing"
COLUMNS_SHOWN = 10
DELIMITED = {".csv", ".tsv", ".tab"}
OBJECTS = {".json", ".jsonl", ".ndjson"}
OBJECT = re.compile(rb'(\[\s*)?\{\s*["}]')

Reader = Callable[[Path, str], Fields]
"""Reads a file of that encoding."""


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
        values = self.fields.values()
        return bool(values) and all(value in (None, "") for value in values)

    def name(self, column: str) -> str:
        """Return an id or a label, see `text_files.checked_name`; UserError if there is none."""
        return text_files.checked_name(column, self._value(column), self.where)

    def text(self, column: str) -> str | None:
        """Return a text that can be stored, None if it is missing; UserError if it is no text."""
        value = self.fields.get(column)
        if text_files.is_missing(value):
            return None
        return text_files.checked_text(column, value, self.where)

    def column(self, names: Iterable[str]) -> str | None:
        """Return its column of the first of some names, compared without case; None if none is."""
        columns = {column.casefold(): column for column in self.fields}
        for name in names:
            if name in columns:
                return columns[name]
        return None

    @property
    def columns(self) -> str:
        """The names of its first columns, for messages."""
        quoted = [repr(column) for column in self.fields]
        shown = ", ".join(quoted[:COLUMNS_SHOWN]) or "nothing"
        if len(quoted) > COLUMNS_SHOWN:
            shown += f" and {len(quoted) - COLUMNS_SHOWN} more"
        return shown

    def _value(self, column: str) -> Any:
        if column in self.fields:
            return self.fields[column]
        raise UserError(f'{self.where}: "{column}" is missing; there is {self.columns}')


def rows(
    path: str | Path,
    wanted: Collection[str],
    otherwise: Reader | None = None,
    with_blank_lines: bool = False,
    encoding: str = "utf-8",
    name: str = "",
) -> Iterator[Row]:
    """Read a file, whose content, or else name, tells the format, or else as `otherwise` does.

    Of Parquet the wanted columns are read. Blank lines are rows without fields, but for those at
    the end, where rows are paired by their numbers; elsewhere no rows. UserError with the place.
    Where each row is, and what is warned of, names the file as `name`, if that is given.
    """
    blank: list[Row] = []
    outer = {name.partition(".")[0] for name in wanted if "." in name}
    for place, fields in _fields(Path(path), wanted, otherwise, encoding, name or str(path)):
        if fields is None:
            blank.append(Row(place, {}))
            continue
        if with_blank_lines:
            yield from blank
        blank = []
        yield Row(place, _flat(fields, outer) if outer else fields)


def _flat(fields: Mapping[str, Any], outer: Collection[str]) -> dict[str, Any]:
    """Return fields with those in objects by their names with dots, of the outer ones named."""
    flat = {}
    for name, value in fields.items():
        if name in outer and isinstance(value, Mapping):
            inner = _flat(value, value.keys())
            flat |= {f"{name}.{inner_name}": text for inner_name, text in inner.items()}
        else:
            flat[name] = value
    return flat


class Names:
    """The names of rows in a column, each of one row."""

    def __init__(self, column: str) -> None:
        self._column = column
        self._first: dict[str, str] = {}

    def of(self, row: Row) -> str:
        """Return the name of a row; UserError if another row had it."""
        name = row.name(self._column)
        if name in self._first:
            first = self._first[name]
            raise UserError(f"{row.where}: the {self._column} {name!r} was already on {first}")
        self._first[name] = row.where.rpartition(", ")[2]
        return name


def named(all_rows: Iterable[Row], column: str) -> Iterator[tuple[str, Row]]:
    """Yield rows with their names in a column; UserError if two have the same."""
    names = Names(column)
    for row in all_rows:
        yield names.of(row), row


def labelled(
    path: str | Path, identity: str, label: str, text: str
) -> Iterator[tuple[str, str, str]]:
    """Yield (id, text, label) of documents by their columns; UserError with file and line.

    Labels that differ by case alone are told.
    """
    losses = Losses()
    labels: set[str] = set()
    for name, row in named(rows(path, [identity, label, text]), identity):
        content = row.text(text)
        losses.count(content, row.where)
        if content is not None:
            label_of_row = row.name(label)
            labels.add(label_of_row)
            yield name, content, label_of_row
    if losses.missing == losses.texts:
        raise UserError(f"{path}: no document; expected a row for each, with {text!r}")
    losses.tell(path)
    _tell_labels_alike(path, labels)


def _tell_labels_alike(path: str | Path, labels: Iterable[str]) -> None:
    """Warn of labels that differ by case alone."""
    first_spelling: dict[str, str] = {}
    for label in sorted(labels):
        first = first_spelling.setdefault(label.casefold(), label)
        if first != label:
            log.warning(
                "%s: %r and %r are different labels, though they differ by case alone",
                path, first, label,
            )  # fmt: skip


def _fields(
    path: Path, wanted: Collection[str], otherwise: Reader | None, encoding: str, name: str
) -> Fields:
    """Yield where each row is, and its fields, in whichever format the file is."""
    with open_stream(path) as stream:
        head = stream.read(HEAD)
        stream.seek(0)
        if head.startswith(PARQUET):
            yield from _parquet(path, wanted, name)
            return
        lines = decoded(stream, name, encoding)
        inner_path = Path(getattr(stream, "name", path))  # of an archive the file that is in it
        ending = _ending(inner_path)
        start = head.removeprefix(text_files.BOM.encode()).lstrip()
        if OBJECT.match(start) or ending in OBJECTS:
            yield from _objects(lines)
            return
        beginning = _beginning(lines)
        header = ""
        if beginning:
            _, last_line = beginning[-1]
            header = last_line.replace("\r", " ")
        is_table = ending in DELIMITED or told_separator(header) or names_columns(header, wanted)
        if otherwise and not is_table:
            yield from otherwise(path, encoding)
        else:
            layout = layout_of(header, inner_path, wanted)
            yield from delimited(chain(beginning, lines), layout, name, wanted)


def _ending(path: Path) -> str:
    """Return the ending of a file's name: `.csv` of a.b.CSV.gz."""
    for suffix in reversed(path.suffixes):
        if suffix.lower() not in ENDINGS:
            return suffix.lower()
    return ""


def _objects(lines: Iterable[Line]) -> Fields:
    for place, line in lines:
        if line.strip():
            yield place, text_files.parse_object(line, place)
        else:
            yield place, None


def _beginning(lines: Iterator[Line]) -> list[Line]:
    """Take the first lines, up to one that is not blank."""
    beginning = []
    for place, line in lines:
        beginning.append((place, line))
        if line.strip():
            break
    return beginning


def _parquet(path: Path, wanted: Collection[str], name: str) -> Fields:
    import pyarrow as pa  # late: what plans jobs imports this module, too
    import pyarrow.parquet as pq

    with path.open("rb") as packed:
        if packed.read(len(PARQUET)) != PARQUET:
            raise UserError(f"{name}: a compressed Parquet file, expected one as it is; unpack it")
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            columns = file.schema_arrow.names
            # a column of a language may end in its code
            outer = [name.partition(".")[0] for name in wanted if "." in name]
            wanted_codes = {folded_code(name) for name in [*wanted, *outer]}
            wanted_columns = [name for name in columns if folded_code(name) in wanted_codes]
            if not wanted_columns:
                message = f"{name}: none of the wanted columns; it has {', '.join(columns)}"
                raise UserError(message)
            refuse_repeated(wanted_columns, wanted_columns, name)
            unread = dict.fromkeys(name for name in columns if name not in wanted_columns)
            # memory holds a group of rows
            for batch in file.iter_batches(BATCH, columns=wanted_columns, use_threads=False):
                for fields in batch.to_pylist():
                    number += 1
                    yield f"{name}, row {number}", fields | unread
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:  # strings may be any bytes
        pass_on(error)
        raise UserError(f"{name}: not a whole Parquet file ({error})") from error
