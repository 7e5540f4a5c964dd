"""Texts for a command: from the command line, files or a pipe.

Files (plain or compressed) and pipes hold JSON lines if their first line is a JSON object or
their name ends in .jsonl or .ndjson: one object per text, with `text` and optionally `id` (or
`concept`) and `title`. Otherwise each line is a text. Blank lines are skipped.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from cr5.base import json_lines
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.lines import bounded
from cr5.retrieval.given import identity, is_path

JSON_LINES = {".jsonl", ".ndjson"}
TABLES = {".csv", ".tsv", ".parquet", ".xlsx"}
OBJECT = re.compile(rb'\s*\{\s*["}]')


@dataclass(frozen=True)
class Text:
    """One text.

    Attributes:
        id: given, or the file's name and the line's number.
        text: the text itself.
        title: if it has one.
    """

    id: str
    text: str
    title: str = ""


def add(parser: argparse.ArgumentParser, positional: bool = True) -> None:
    """Add the options that name texts."""
    if positional:
        parser.add_argument("text", nargs="*", help="a text; several are several texts")
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="FILE",
        help="read texts, also compressed: JSON lines with `text`, and `id` and `title` if wanted, "
        "or one text a line; - is standard input",
    )


def read(given: argparse.Namespace) -> Iterator[Text]:
    """Yield all texts; from a pipe if nothing else is given.

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
    for name in files:
        yield from _from(name)


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


def _from(name: str) -> Iterator[Text]:
    if name == "-":
        yield from _texts(sys.stdin.buffer, "standard input", "")
        return
    if not Path(name).is_file():
        raise UserError(f"{name}: no such file (--file)")
    if TABLES & set(Path(name).suffixes):
        raise UserError(
            f"{name}: tables are not read, but JSON lines with `text`, and `id` and `title` if "
            "wanted (.jsonl), or one text a line (.txt): convert the file"
        )
    with open_stream(name) as file:
        yield from _texts(file, name, f"{Path(name).name}:")


def _texts(file: BinaryIO, name: str, prefix: str) -> Iterator[Text]:
    is_json = None
    for number, line in enumerate(bounded(file, name), start=1):
        if not line.strip():
            continue
        if is_json is None:
            is_json = bool(OBJECT.match(line)) or bool(JSON_LINES & set(Path(name).suffixes))
        read_line = _of_json if is_json else _of_line
        yield read_line(line, f"{name}, line {number}", f"{prefix}{number}")
    if is_json is None:
        raise UserError(f"{name}: the file has no text")


def _of_json(line: bytes, where: str, otherwise: str) -> Text:
    entry = json_lines.parse(line, where, ("text",))
    if "text" not in entry:
        raise UserError(
            f'{where}: the key "text" is missing; this object has '
            f"{', '.join(map(repr, entry)) or 'no key'}: add or rename it"
        )
    own = entry.get("id", entry.get("concept", otherwise))
    title = entry.get("title") or ""
    return Text(
        str(identity(own, where)),
        json_lines.text("text", entry["text"], where),
        json_lines.text("title", title, where),
    )


def _of_line(line: bytes, where: str, own: str) -> Text:
    try:
        return Text(own, json_lines.text("text", line.decode().strip(), where))
    except UnicodeDecodeError as error:
        raise UserError(
            f"{where}, byte {error.start + 1}: not UTF-8; convert the file to UTF-8"
        ) from error
