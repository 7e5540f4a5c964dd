"""The rows of a file or folder of texts, in whichever of the known formats it is.

    JSON lines               an object per line
    CSV, TSV                 the first line names the columns; a quoted field may have several lines
    Parquet, Arrow           the columns of the table
    Hugging Face dataset     a folder, as `Dataset.save_to_disk` writes it
    TMX, PO, MO              a column `text_LANGUAGE` for each language
    a folder of .txt files   a text each, whose concept is the file's name

All but Parquet, Arrow and data sets may be compressed with gzip, xz or bzip2.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base import json_lines
from cr5.base.compressed import TruncatedError, open_stream
from cr5.base.errors import UserError
from cr5.base.extras import needed
from cr5.corpora.formats import arrow, catalogues, delimited, objects, text_files

HEAD = 1024  # bytes that tell the format
COMPRESSED = {".gz", ".xz", ".bz2"}
READ = (
    "read are JSON lines, CSV, TSV, Parquet, Arrow, Hugging Face datasets, TMX, PO, MO and "
    "folders of .txt files"
)
OTHERS = {".xlsx", ".xls", ".ods", ".docx", ".odt", ".pdf", ".html", ".xml", ".zip", ".pkl"}
DELIMITED = {".csv", ".tsv", ".tab"}
OBJECTS = {".json", ".jsonl", ".ndjson"}
ENDINGS = {".txt", ".parquet", ".arrow", ".tmx", ".po", ".mo"}
ENDINGS |= {*COMPRESSED, *OTHERS, *DELIMITED, *OBJECTS}
OBJECT = re.compile(rb'(\[\s*)?\{\s*["}]')
MARKUP = re.compile(rb"<(\?xml|!doctype|!--|html|tmx)", re.IGNORECASE)

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


def rows(
    path: str | Path, wanted: Collection[str], otherwise: Reader = delimited.read
) -> Iterator[Row]:
    """Read a file or a folder, row by row.

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


def _reader(path: Path, otherwise: Reader) -> Reader:
    if path.is_dir():
        return arrow.dataset if arrow.is_dataset(path) else text_files.read
    endings = _endings(path)
    if found := endings & OTHERS:
        raise UserError(f"{path}: {min(found)} is not read; {READ}: convert it")
    with open_stream(path) as file:
        head = file.read(HEAD)
    return _by_content(path, head) or _by_name(endings) or otherwise


def _by_content(path: Path, head: bytes) -> Reader | None:
    if head.startswith(arrow.PARQUET):
        return arrow.parquet
    if head.startswith(arrow.ARROW):
        return arrow.ipc
    if head.startswith(catalogues.MAGIC):
        return catalogues.mo
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if MARKUP.match(start):
        if b"<tmx" in start or b"<!DOCTYPE tmx" in start:
            return _tmx()
        raise UserError(f"{path}: begins like HTML or XML, which is not read; {READ}: convert it")
    return objects.read if OBJECT.match(start) else None


def _tmx() -> Reader:
    with needed("workflow"):  # which lxml comes with
        from cr5.corpora.formats import tmx
    return tmx.read


def _by_name(endings: Collection[str]) -> Reader | None:
    if OBJECTS & endings:
        return objects.read
    if ".po" in endings:
        return catalogues.po
    return delimited.read if DELIMITED & endings else None


def _endings(path: Path) -> set[str]:
    """Return the endings of a name that may tell the format: of a.b.csv.gz, `.csv`."""
    found = [x.lower() for x in path.suffixes if x.lower() not in COMPRESSED]
    return set(found[-1:])
