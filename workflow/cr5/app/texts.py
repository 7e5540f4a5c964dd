"""Texts for a command: from the command line, files or a pipe.

Tables and JSON lines have a `text`, or `text_en`
and so on, and optionally an `id` (or `concept`) and a `title`; rows without a text in the language
asked for are skipped. Of other files, plain or compressed, each line is a text, and of pipes too,
unless the first line is a JSON object. Blank lines are skipped.
"""

import argparse
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TextIO

from cr5.base import json_lines
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.lines import bounded, decode
from cr5.corpora.formats.rows import OBJECT, Column, Row, rows
from cr5.retrieval.given import identity, is_path

NAMES = ("id", "concept")
BLANK = {"text_": None}  # the fields of a line that counts, but has a text in no language


@dataclass(frozen=True)
class Text:
    """One text.

    Attributes:
        id: given, or the file's name and the line's number.
        text: the text itself.
        title: if it has one.
        number: of its row in a table, or of its line.
    """

    id: str
    text: str
    title: str = ""
    number: int = 0


def add(parser: argparse.ArgumentParser, positional: bool = True) -> None:
    """Add the options that name texts."""
    if positional:
        parser.add_argument("text", nargs="*", help="a text; several are several texts")
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="FILE",
        help="read texts, also compressed: CSV, TSV, Parquet or JSON lines with `text` (or "
        "`text_en` and so on), and `id` and `title` if wanted; or one text "
        "a line; - is standard input",
    )


def read(given: argparse.Namespace) -> Iterator[Text]:
    """Yield all texts; from a pipe if nothing else is given.

    Args:
        given: the arguments; `language` is that of the texts.

    Raises:
        UserError: with file and line; or there is no text.
    """
    words = getattr(given, "text", [])
    for number, text in enumerate(words, start=1):
        if is_path(text):
            raise UserError(f"{text} is a file: to read texts from it, write --file {text}")
        yield Text(str(number), text)
    files = _files(given)
    if not (words or files):
        raise UserError("no text is given: write one, name a file by --file, or pipe texts in")
    numbered: dict[str, str] = {}
    if twice := next((x for x in files if files.count(x) > 1), None):
        raise UserError(f"{twice} is given twice")
    for name in files:
        yield from _from(name, given.language, numbered)


def length(name: str, language: str) -> int:
    """Return how many rows a table has, or lines a file, those without a text too."""
    return sum(1 for _ in _rows(name, [*NAMES, *Column("text", language).names]))


def is_piped(given: argparse.Namespace) -> bool:
    """Whether texts are read from standard input."""
    return "-" in _files(given)


def _files(given: argparse.Namespace) -> list[str]:
    unnamed = not (given.file or getattr(given, "text", [])) and has_pipe()
    return ["-"] if unnamed else given.file


def has_pipe() -> bool:
    """Whether standard input is a pipe or a file, rather than a terminal or nothing."""
    return sys.stdin is not None and not sys.stdin.isatty() and not _is_null(sys.stdin)


def _is_null(stream: TextIO) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), Path(os.devnull).stat())
    except (OSError, ValueError):
        return False  # not backed by a system file


def _from(name: str, language: str, numbered: dict[str, str]) -> Iterator[Text]:
    """Yield the texts of a file or pipe.

    Args:
        name: of it.
        language: of the texts; others in the file are left out.
        numbered: files whose texts got ids from their names and lines, by these names.
    """
    if name != "-" and not Path(name).exists():
        raise UserError(f"{name}: no such file")
    texts, titles = Column("text", language), Column("title", language)
    prefix = "" if name == "-" else f"{Path(name).name}:"
    row = text = None
    wanted = [*NAMES, *texts.names, *titles.names]
    for number, row in enumerate(_rows(name, wanted), start=1):
        if (of_row := texts.of(row)) is None:
            continue
        text = of_row
        if prefix and not any(x in row.fields for x in NAMES):
            _check_name(name, numbered)
        title = titles.of(row, needed=False) or ""
        yield Text(_id(row, prefix), text, title, number)
    if text is None:
        what = (
            "the file has no text" + (f" in {language!r}" if row else "") + "; give one with some"
        )
        raise UserError(f"{'standard input' if name == '-' else name}: {what}")


def _rows(name: str, wanted: list[str]) -> Iterator[Row]:
    return _piped() if name == "-" else rows(name, wanted, _of_lines)


def _piped() -> Iterator[Row]:
    """Yield JSON lines, or lines of text; the first that is not blank tells which."""
    lines = _lines(sys.stdin.buffer, "standard input")
    places = ((where, line) for where, line in lines if line.strip())
    if first := next(places, None):
        values = json_lines.parse if OBJECT.match(first[1].lstrip()) else _line
        yield from (Row(where, values(line, where)) for where, line in chain([first], places))


def _of_lines(path: Path, _: Collection[str]) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    with open_stream(path) as file:
        for where, line in _lines(file, str(path)):
            yield where, _line(line, where) if line.strip() else BLANK


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[str, bytes]]:
    return ((f"{name}, line {n}", line) for n, line in enumerate(bounded(file, name), start=1))


def _line(line: bytes, where: str) -> dict[str, str]:
    return {"text": decode(line, where).strip()}


def _check_name(name: str, numbered: dict[str, str]) -> None:
    """Refuse a second file of one name, whose texts would get the ids of the first."""
    if (other := numbered.setdefault(Path(name).name, name)) is not name:
        raise UserError(
            f"{other} and {name} have one name, by which their texts would get the same ids: "
            "rename one, or give the texts ids (a column `id`, or JSON lines with `id`)"
        )


def _id(row: Row, prefix: str) -> str:
    """Return the id of a row: its own, or else the file's name and the line's number."""
    otherwise = f"{prefix}{_place(row)}"
    own = row.fields.get("id", row.fields.get("concept", otherwise))
    return str(identity(own, row.where))


def _place(row: Row) -> str:
    return row.where.rpartition(" ")[2]
