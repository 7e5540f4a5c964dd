"""The rows of a file of texts, in whichever of the known formats it is.

    JSON lines               an object per line
    CSV, TSV                 the first line names the columns; a quoted field may have several lines
    Parquet                  the columns of the table

All but Parquet may be compressed with gzip, xz or bzip2.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base import json_lines
from cr5.base.compressed import TruncatedError, open_stream
from cr5.base.errors import UserError
from cr5.base.lines import bounded
from cr5.corpora.formats import delimited, parquet

HEAD = 1024  # bytes that tell the format
COMPRESSED = {".gz", ".xz", ".bz2"}
READ = "read are JSON lines, CSV, TSV and Parquet"
OTHERS = {".xlsx", ".xls", ".ods", ".docx", ".odt", ".pdf", ".html", ".xml", ".zip", ".pkl"}
DELIMITED = {".csv", ".tsv", ".tab"}
OBJECTS = {".json", ".jsonl", ".ndjson"}
LANGUAGE = "{language}"
ENDINGS = {".txt", ".parquet", *COMPRESSED, *OTHERS, *DELIMITED, *OBJECTS}
OBJECT = re.compile(rb'(\[\s*)?\{\s*["}]')
MARKUP = re.compile(rb"<(\?xml|!doctype|!--|html)", re.IGNORECASE)

Reader = Callable[[Path, Collection[str]], Iterator[tuple[str, Mapping[str, Any]]]]


@dataclass(frozen=True)
class Row:
    """A row of a table, or what is like it.

    Attributes:
        where: file and line, for messages.
        fields: by column.
    """

    where: str
    fields: Mapping[str, Any]

    def name(self, column: str) -> str:
        """Return an id or a label, stripped and in NFC.

        Raises:
            UserError: there is no such column, or no name in it.
        """
        return json_lines.name(column, self._value(column), self.where)

    def text(self, column: str) -> str:
        """Return a text that can be stored.

        Raises:
            UserError: there is no such column, or no text in it.
        """
        return json_lines.text(column, self._value(column), self.where)

    def text_or_none(self, column: str) -> str | None:
        """Return a text that can be stored; None if there is none.

        Raises:
            UserError: it is not text.
        """
        return None if self.fields.get(column) is None else self.text(column)

    def _value(self, column: str) -> Any:
        if column in self.fields:
            return self.fields[column]
        there = ", ".join(map(repr, self.fields)) or "nothing"
        raise UserError(
            f'{self.where}: "{column}" is missing; there is {there}: add or rename it, or name '
            "another one"
        )


class Column:
    """Texts of one language: a column of its own, or one of several with a language each.

    Args:
        name: `text`, where `text_da` is that of Danish; or with `{language}` in it.
        code: what columns call the language.

    Attributes:
        names: it has the first of these that is there; all but `plain` are of a language.
    """

    def __init__(self, name: str, code: str):
        self._plain = "" if LANGUAGE in name else name
        pattern = name if LANGUAGE in name else f"{name}_{LANGUAGE}"
        self._prefix = pattern.partition(LANGUAGE)[0]
        self._own = pattern.replace(LANGUAGE, code)
        self.names = [x for x in (self._plain, self._own) if x]

    def of(self, row: Row, needed: bool = True) -> str | None:
        """Return the text of a row; None if only other languages have one.

        Raises:
            UserError: it is not text; or it is needed, and there is no such column.
        """
        if self._plain in row.fields:
            return row.text(self._plain) if needed else row.text_or_none(self._plain)
        if needed and not any(x.startswith(self._prefix) for x in row.fields):
            return row.text(self.names[0])  # which says what is missing
        return row.text_or_none(self._own) or None

    def is_of_all(self, row: Row) -> bool:
        """Return whether a row has the text of every language, rather than one for each."""
        return self._plain in row.fields

    def spread(self, row: Row) -> Row:
        """Make columns of a mapping by language, as data sets of translations have it."""
        value = row.fields.get(self._plain)
        if not isinstance(value, Mapping):
            return row
        others = {key: x for key, x in row.fields.items() if key != self._plain}
        return Row(row.where, others | {f"{self._prefix}{key}": x for key, x in value.items()})


def rows(
    path: str | Path, wanted: Collection[str], otherwise: Reader = delimited.read
) -> Iterator[Row]:
    """Read a file, row by row.

    Args:
        path: of it; its content, or else its name, tells the format.
        wanted: columns that the caller may ask for.
        otherwise: reads a file of which neither content nor name tells the format.

    Raises:
        UserError: with the place: it cannot be read, or is in none of these formats.
    """
    where = "line 0"
    try:
        for where, values in _reader(Path(path), otherwise)(Path(path), wanted):
            yield Row(where, values)
    except TruncatedError as error:
        good = where.rpartition(", ")[2]
        raise TruncatedError(f"{error} (good up to {good})") from error


def named(found: Iterable[Row], column: str, remedy: str) -> Iterator[tuple[str, Row]]:
    """Yield rows with their names, which are distinct.

    Args:
        found: the rows.
        column: that has the names.
        remedy: for a name that is repeated.

    Raises:
        UserError: a row has no name, or that of another one.
    """
    first: dict[str, str] = {}
    for row in found:
        name = row.name(column)
        if name in first:
            raise UserError(
                f"{row.where}: the {column} {name!r} was already on {first[name]}; {remedy}"
            )
        first[name] = row.where.rpartition(", ")[2]
        yield name, row


def labelled(
    path: str | Path, identity: str, label: str, text: str | None = None
) -> Iterator[tuple[str, str, str]]:
    """Read documents with an id, a label and a text.

    Args:
        path: of the file.
        identity: name of the column or key with the ids.
        label: likewise for the labels.
        text: likewise for the texts; None if only the labels are wanted.

    Yields:
        (id, text, label) per document, id and label stripped and in NFC.

    Raises:
        UserError: with file and line: unreadable, in no known format, a missing column or key, no
            id or label, a repeated id, or no documents.
    """
    found = rows(path, [identity, label, *([text] if text else [])])
    remedy = "a document has one label: remove one of them"
    is_empty = True
    for name, row in named(found, identity, remedy):
        is_empty = False
        yield name, row.text(text) if text else "", row.name(label)
    if is_empty:
        raise UserError(f"{path}: no document; expected a row for each")


def _reader(path: Path, otherwise: Reader) -> Reader:
    endings = _endings(path)
    if found := endings & OTHERS:
        raise UserError(f"{path}: {min(found)} is not read; {READ}: convert it")
    with open_stream(path) as file:
        head = file.read(HEAD)
    return _by_content(path, head) or _by_name(endings) or otherwise


def _by_content(path: Path, head: bytes) -> Reader | None:
    if head.startswith(parquet.MAGIC):
        return parquet.read
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if MARKUP.match(start):
        raise UserError(f"{path}: begins like HTML or XML, which is not read; {READ}: convert it")
    return _objects if OBJECT.match(start) else None


def _by_name(endings: Collection[str]) -> Reader | None:
    if OBJECTS & endings:
        return _objects
    return delimited.read if DELIMITED & endings else None


def _endings(path: Path) -> set[str]:
    """Return the endings of a name that may tell the format: of a.b.csv.gz, `.csv`."""
    found = [x.lower() for x in path.suffixes if x.lower() not in COMPRESSED]
    return set(found[-1:])


def _objects(path: Path, wanted: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """JSON lines: an object per line."""
    with open_stream(path) as file:
        for number, line in enumerate(bounded(file, str(path)), start=1):
            if line.strip():
                where = f"{path}, line {number}"
                yield where, json_lines.parse(line, where)
