"""Texts in, rows out: what the commands of `cli` read and print."""

import json
import logging
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from textwrap import shorten
from typing import Any, NamedTuple

from cr5.base.errors import UserError
from cr5.base.not_text import plain
from cr5.base.text_files import read_lines
from cr5.texts.columns import LANGUAGES, Column, with_texts
from cr5.texts.rows import IDS, PAIRED_BY_ID, Row, rows

log = logging.getLogger(__name__)

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # line ends, tabs, cursor movement
ID, CONCEPT = "id", "concept"
PIPE = "-"
as_line = partial(json.dumps, ensure_ascii=False)


class Columns(NamedTuple):
    """The columns of a table, or keys of JSON lines; those of a language end in its code."""

    text: str = "text"
    id: str | None = None  # one of `IDS`, or else `concept`; to pair texts the other way round
    title: str = "title"


class Text(NamedTuple):
    """One text; `id` is its own, or the file's path and the line's number."""

    id: str
    text: str
    title: str = ""


class Part(NamedTuple):
    """What a row of a file has of a text."""

    line: str
    text: str | None  # None if it is missing
    title: str
    id: str | None  # None if it has none, or the text is missing
    id_column: str  # the kind of the id: that column, `concept` or `id`; empty if it has none


def read(given: Sequence[str], files: Sequence[str], language: str, columns: Columns) -> list[Text]:
    """Return texts as they are, then those of files, or of a pipe if there are none of either."""
    if not (given or files):
        if sys.stdin is None or sys.stdin.isatty():
            raise UserError("no text is given: write one, name a file by --file, or pipe texts in")
        files = [PIPE]
    texts = [Text(str(number), text) for number, text in enumerate(given, start=1)]
    for name in files:
        texts += read_file(name, language, columns)
    _check_ids(texts)
    return texts


def read_file(name: str, language: str, columns: Columns) -> list[Text]:
    """Read the texts of a file, or of a pipe, which is called -.

    It is a table or JSON lines, of which rows without a text in that language are skipped; or lines
    of text, of which blank ones are. The id of a text that has none is the path as it is given, and
    the line, so that it does not depend on what else is read.
    """
    prefix = "" if name == PIPE else f"{name}:"
    texts = [
        Text(part.id or f"{prefix}{part.line}", part.text, part.title)
        for part in _parts(name, language, columns, (*IDS, CONCEPT))
        if part.text is not None
    ]
    _check_ids(texts)
    return texts


def _check_ids(texts: Iterable[Text]) -> None:
    """Raise `UserError` if two texts have one id."""
    times = Counter(text.id for text in texts)
    if twice := [text_id for text_id, number in times.items() if number > 1]:
        raise UserError(
            f"the id {twice[0]!r} is there {times[twice[0]]} times; give each text its own, or "
            "name another column by --id"
        )


def of_languages(
    files: Iterable[str], columns: Columns
) -> tuple[dict[str, list[str | None]], dict[str, list[str | None] | None]]:
    """Read files, each LANGUAGE=FILE: by language the texts of all rows, and what pairs these.

    That is the concept, or else the id, of each; None where it is the number.
    """
    texts = defaultdict(list)
    pairing = defaultdict(list)
    id_columns = set()
    for each in files:
        language, equals, path = each.partition("=")
        if not equals:
            raise UserError(f"{each}: expected LANGUAGE=FILE, such as en={each}")
        for part in _parts(path, language, columns, (CONCEPT, *IDS), is_paired=True):
            texts[language].append(part.text)
            pairing[language].append(part.id)
            if part.id is not None:
                id_columns.add(part.id_column)
    if len(id_columns) > 1:
        raise UserError(
            f"some texts have {' and others '.join(map(repr, sorted(id_columns)))}: give all of "
            "them `concept`, the same for texts about the same thing, or name a column by --id"
        )
    _check_shared(pairing)
    if ID in id_columns and not columns.id:
        log.warning(PAIRED_BY_ID)
    return texts, {x: names if any(names) else None for x, names in pairing.items()}


def _check_shared(pairing: Mapping[str, Sequence[str | None]]) -> None:
    """Raise `UserError` if texts have ids, and none has a counterpart in another language."""
    n_languages = Counter()
    examples = []
    for language, ids in pairing.items():
        names = {own for own in ids if own is not None}
        if not names:  # `from_texts` refuses numbers beside ids
            return
        n_languages.update(names)
        examples.append(f"{language!r} has {min(names)!r}")
    if len(pairing) > 1 and max(n_languages.values()) == 1:
        raise UserError(
            f"no text has a counterpart: {', '.join(examples)}; give texts about the same thing "
            "the same `concept`, or leave ids out where lines of one number belong together"
        )


def _parts(
    name: str, language: str, columns: Columns, ids: Sequence[str], is_paired: bool = False
) -> Iterator[Part]:
    """Yield the parts of each row; its id is in the first of some columns that it has.

    Where rows are paired, a blank line is one, and what pairs them tells which have no text.
    """
    if name != PIPE:
        yield from _parts_of(name, name, language, columns, ids, is_paired)
        return
    # its first lines tell the format, so that a copy is read
    with NamedTemporaryFile(prefix="standard input ") as copy:
        copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        yield from _parts_of(copy.name, "standard input", language, columns, ids, is_paired)


def _parts_of(
    path: str, source: str, language: str, columns: Columns, ids: Sequence[str], is_paired: bool
) -> Iterator[Part]:
    texts = Column(columns.text, language)
    titles = Column(columns.title, language)
    wanted = [columns.id] if columns.id else [*ids]
    columns_of_rows = [*wanted, *texts.wanted, *titles.names]
    found = rows(path, columns_of_rows, _of_lines, with_blank_lines=is_paired)
    have_ids = False
    others: list[str] = []
    for row, text in with_texts(found, texts, source, is_told=not is_paired):
        column = columns.id or row.column(ids) or ""
        own = row.name(column) if text is not None and column else None
        kind = ID if column.casefold() in IDS else column.casefold()
        yield Part(row.where.rpartition(" ")[2], text, titles.of(row) or "", own, kind)
        have_ids = have_ids or bool(column)
        others = others or _others(row, (texts, titles))
    if others and not have_ids:
        log.warning(
            "%s: no row has an id (%s), so that its number is taken; if another column has one, "
            "name it by --id: there is %s", source, ", ".join(ids), ", ".join(others),
        )  # fmt: skip


def _others(row: Row, columns: Sequence[Column]) -> list[str]:
    """Return the columns of a row that are none of these, in whichever language."""
    others = [name for name in row.fields if name.casefold() not in LANGUAGES]
    return [name for name in others if not any(column.may_name(name) for column in columns)]


def _of_lines(path: Path, _: Any) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield a text for each line; or an id and a text, if a tab is between these in all lines."""
    lines = list(plain(read_lines(path)))
    have_ids = _have_ids(path, lines)
    for where, line in lines:
        own, _, text = line.partition("\t")
        if have_ids and own:
            yield where, {ID: own, "text": text.strip()}
        else:
            yield where, {"text": line.strip()}


def _have_ids(path: Path, lines: Sequence[tuple[str, str]]) -> bool:
    """Tell whether lines are an id of their own, a tab and a text, as those of BUCC are."""
    filled = [(where, line) for where, line in lines if line.strip()]
    with_tabs = [where for where, line in filled if "\t" in line]
    if not with_tabs:
        return False
    fields = [line.split("\t") for _, line in filled]
    ids = [each[0] for each in fields]
    are_ids = all(own and not re.search(r"\s", own) for own in ids) and len({*ids}) == len(ids)
    if are_ids and all(len(each) == 2 for each in fields):
        log.warning("%s: what is before the tab of each line is its id, as %r", path, ids[0])
        return True
    log.warning(
        "%s: tabs are white space in %d of %d lines, the first: %s; they end ids only where each "
        "line has one tab and an id of its own, without blanks",
        path, len(with_tabs), len(fields), with_tabs[0],
    )  # fmt: skip
    return False


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
