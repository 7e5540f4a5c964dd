"""Texts in, rows out: what the commands of `cli` read and print."""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from textwrap import shorten
from typing import Any, NamedTuple

from cr5.base.errors import UserError
from cr5.base.text_files import read_lines
from cr5.texts.rows import Column, rows

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # line ends, tabs, cursor movement
BLANK = {"text_": None}  # the fields of a line that counts, but has a text in no language
PIPE = "-"
as_line = partial(json.dumps, ensure_ascii=False)


class Columns(NamedTuple):
    """The columns of a table, or keys of JSON lines; those of a language end in its code."""

    text: str = "text"
    id: str | None = None  # `id`, or else `concept`
    title: str = "title"


class Text(NamedTuple):
    """One text; `id` is its own, or the file's name and the line's number."""

    id: str
    text: str
    title: str = ""


def read(given: Sequence[str], files: Sequence[str], language: str, columns: Columns) -> list[Text]:
    """Return texts as they are, then those of files, or of a pipe if there are none of either."""
    if not (given or files):
        if sys.stdin is None or sys.stdin.isatty():
            raise UserError("no text is given: write one, name a file by --file, or pipe texts in")
        files = [PIPE]
    found = [Text(str(number), text) for number, text in enumerate(given, start=1)]
    return found + [x for name in files for x in read_file(name, language, columns)]


def read_file(name: str, language: str, columns: Columns) -> list[Text]:
    """Read the texts of a file, or of a pipe, which is called -.

    It is a table or JSON lines, of which rows without a text in that language are skipped; or lines
    of text, of which blank ones are.
    """
    prefix = "" if name == PIPE else f"{Path(name).name}:"
    found = [
        Text(own or f"{prefix}{line}", text, title)
        for line, own, text, title in _parts(name, language, columns)
        if text is not None
    ]
    if not found:
        called = "standard input" if name == PIPE else name
        raise UserError(f"{called}: there is no text in {language!r}")
    return found


def of_languages(
    files: Iterable[str], columns: Columns
) -> tuple[dict[str, list[str | None]], dict[str, list[str | None] | None]]:
    """Read files, each LANGUAGE=FILE: by language the texts of all rows, and their ids, if any."""
    texts, ids = defaultdict(list), defaultdict(list)
    for each in files:
        language, equals, path = each.partition("=")
        if not equals:
            raise UserError(f"{each}: expected LANGUAGE=FILE, such as en={each}")
        for _, own, text, _ in _parts(path, language, columns):
            texts[language].append(text)
            ids[language].append(own)
    return texts, {x: every if any(every) else None for x, every in ids.items()}


def _parts(
    name: str, language: str, columns: Columns
) -> Iterator[tuple[str, str | None, str | None, str]]:
    """Yield line, id if it has one, text if it has one in that language, and title of each row."""
    if name == PIPE:  # of which a copy is read: its first lines tell the format
        with NamedTemporaryFile(prefix="standard input ") as copy:
            copyfileobj(sys.stdin.buffer, copy)
            copy.flush()
            yield from _parts(copy.name, language, columns)
        return
    texts, titles = Column(columns.text, language), Column(columns.title, language)
    ids = [columns.id] if columns.id else ["id", "concept"]
    for row in rows(name, [*ids, *texts.names, *titles.names], _of_lines):
        text = texts.of(row)
        key = next((x for x in ids if x in row.fields), columns.id)
        own = row.name(key) if text is not None and key else None
        yield row.where.rpartition(" ")[2], own, text, titles.of(row, needed=False) or ""


def _of_lines(path: Path, _: Any) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    for where, line in read_lines(path):
        yield where, {"text": line.strip()} if line.strip() else BLANK


def option(given: str) -> tuple[str, Any]:
    """Read KEY=VALUE; what is no JSON is text."""
    key, equals, value = given.partition("=")
    if not (equals and key.isidentifier()):
        raise UserError(
            f"--set {given}: expected KEY=VALUE, such as rank=100; of a section "
            'bags={"min_documents": 2}'
        )
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def write(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows: as a table for people on a terminal, as JSON lines for programs."""
    if wants_table():
        write_table(rows)
    else:
        for row in rows:
            print(as_line(row))


def wants_table() -> bool:
    """Whether output is read by people: it is a terminal."""
    return sys.stdout.isatty()


def write_table(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows below the names of their columns, numbers right-aligned."""
    from tabulate import tabulate

    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_cell(row.get(column)) for column in columns] for row in rows]
    of_text = [n for n, x in enumerate(zip(*cells, strict=True)) if str in map(type, x)]
    print(tabulate(cells, headers=columns, floatfmt=".3f", disable_numparse=of_text))


def write_hits(query: str, rows: list[dict[str, Any]]) -> None:
    """Print what a query found, as a table for people."""
    print(shorten(query, 78, placeholder="…"))
    write_table(rows)
    print(flush=True)


def _cell(value: Any) -> Any:
    if isinstance(value, list):  # pairs of words
        return ", ".join(f"{a or '*'}/{b or '*'} {n:.3f}" for a, b, n in value)
    return CONTROL.sub(" ", value) if isinstance(value, str) else value
