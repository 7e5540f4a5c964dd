"""Texts in, rows out: what the commands of `cli` read and print."""

import json
import logging
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

from cr5.base.errors import UserError
from cr5.base.not_text import refusing_markup
from cr5.base.text_files import each_key_once, read_lines
from cr5.texts.columns import LANGUAGE_COLUMNS, Column, with_texts
from cr5.texts.folders import is_folder, page_rows, pages_at
from cr5.texts.markup.formats import PLAIN_TEXT, READERS
from cr5.texts.rows import IDS, PAIRED_BY_ID, Row, rows

log = logging.getLogger(__name__)

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # line ends, tabs, cursor movement
ID = "id"
CONCEPT = "concept"
PIPE = "-"
STANDARD_INPUT = "standard input"  # what messages call a pipe
as_line = partial(json.dumps, ensure_ascii=False)


class Columns(NamedTuple):
    """The columns of a table, or keys of JSON lines; those of a language end in its code.

    And the encoding of the file.
    """

    text: str = "text"
    id: str | None = None  # one of `IDS`, or else `concept`; to pair texts the other way round
    title: str = "title"
    encoding: str = "utf-8"


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


class Reading(NamedTuple):
    """How the rows of a file are read.

    Attributes:
        language: of the texts.
        columns: that have them.
        id_columns: the id of a row is in the first of these that it has.
        is_paired: rows are paired with those of other files, so that a blank line is a row, and
            what pairs them tells which have no text.
    """

    language: str
    columns: Columns
    id_columns: Sequence[str]
    is_paired: bool = False


def read(
    contents: Sequence[str], files: Sequence[str], language: str, columns: Columns
) -> list[Text]:
    """Return texts as they are, then those of files, or of a pipe if there are none of either.

    A pipe may also stand among the files, as -.
    """
    texts = list(each(contents, files, language, columns))
    _check_ids(texts)
    return texts


def each(
    contents: Sequence[str], files: Sequence[str], language: str, columns: Columns
) -> Iterator[Text]:
    """Yield the same as they are read; two may have one id."""
    if not (contents or files):
        if sys.stdin is None or sys.stdin.isatty():
            raise UserError("no text is given: write one, name a file by --file, or pipe texts in")
        files = [PIPE]
    for number, content in enumerate(contents, start=1):
        yield Text(str(number), content)
    for file in files:
        yield from _each_of(file, language, columns)


def _each_of(file: str, language: str, columns: Columns) -> Iterator[Text]:
    """Yield the texts of a file, or of a pipe, which is called -.

    It is a table or JSON lines, of which rows without a text in that language are skipped; or lines
    of text, of which blank ones are; or a folder of pages. The id of a page is its path there, that
    of a text that has none the path as it is given, and the line, so that it does not depend on
    what else is read.
    """
    prefix = "" if file == PIPE else f"{file}:"
    for part in _parts(file, Reading(language, columns, (*IDS, CONCEPT))):
        if part.text is not None:
            yield Text(part.id or f"{prefix}{part.line}", part.text, part.title)


def _check_ids(texts: Iterable[Text]) -> None:
    """Raise `UserError` if two texts have one id."""
    counts = Counter(text.id for text in texts)
    for text_id, count in counts.items():
        if count > 1:
            raise UserError(
                f"the id {text_id!r} is there {count} times; give each text its own, or "
                "name another column by --id"
            )


def of_languages(
    files: Iterable[str], columns: Columns
) -> tuple[dict[str, list[str | None]], dict[str, list[str | None] | None]]:
    """Read files, each LANGUAGE=FILE: by language the texts of all rows, and what pairs these.

    That is the concept, or else the id, of each; None where it is the number.
    """
    texts = defaultdict(list)
    ids = defaultdict(list)
    id_columns = set()
    for argument in files:
        language, equals, path = argument.partition("=")
        if not (equals and path):
            raise UserError(f"{argument}: expected LANGUAGE=FILE, such as en=english.txt")
        if language in texts:
            raise UserError(f"{argument}: {language!r} is there twice; give one file of a language")
        for part in _parts(path, Reading(language, columns, (CONCEPT, *IDS), is_paired=True)):
            texts[language].append(part.text)
            ids[language].append(part.id)
            if part.id is not None:
                id_columns.add(part.id_column)
    if len(id_columns) > 1:
        raise UserError(
            f"some texts have {' and others '.join(map(repr, sorted(id_columns)))}: give all of "
            "them `concept`, the same for texts about the same thing, or name a column by --id"
        )
    _check_shared(ids)
    if ID in id_columns and not columns.id:
        log.warning(PAIRED_BY_ID)
    pairing = {language: names if any(names) else None for language, names in ids.items()}
    return texts, pairing


def _check_shared(ids: Mapping[str, Sequence[str | None]]) -> None:
    """Raise `UserError` if texts have ids, and none has a counterpart in another language."""
    n_languages: Counter[str] = Counter()
    examples = []
    for language, ids_of_language in ids.items():
        names = {text_id for text_id in ids_of_language if text_id is not None}
        if not names:  # `from_texts` refuses numbers beside ids
            return
        n_languages.update(names)
        examples.append(f"{language!r} has {min(names)!r}")
    if len(ids) > 1 and max(n_languages.values()) == 1:
        raise UserError(
            f"no text has a counterpart: {', '.join(examples)}; give texts about the same thing "
            "the same `concept`, or leave ids out where lines of one number belong together"
        )


def _parts(file: str, reading: Reading) -> Iterator[Part]:
    """Yield the parts of each row of a file, or of a pipe."""
    if file != PIPE:
        yield from _parts_of(file, file, reading)
        return
    # its first lines tell the format, so that a copy is read
    with NamedTemporaryFile(prefix=f"{STANDARD_INPUT} ") as copy:
        copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        try:
            yield from _parts_of(copy.name, STANDARD_INPUT, reading)
        except UserError as error:  # whoever piped texts in knows of no copy
            raise UserError(str(error).replace(copy.name, STANDARD_INPUT)) from error


def _parts_of(path: str, source: str, reading: Reading) -> Iterator[Part]:
    """Yield the parts of each row of a file that messages call `source`."""
    id_column = reading.columns.id
    id_columns = list(reading.id_columns)
    if id_column:
        id_columns = [id_column]
    texts = Column(reading.columns.text, reading.language)
    titles = Column(reading.columns.title, reading.language)
    columns_of_rows = [*id_columns, *texts.to_read, *titles.names]
    if is_folder(path):
        read_rows = page_rows(pages_at(path, reading.language, reading.columns.encoding))
    else:
        read_rows = rows(
            path,
            columns_of_rows,
            partial(_of_lines, source),
            reading.is_paired,
            reading.columns.encoding,
            source,
        )
    have_ids = False
    unused: list[str] = []
    for row, text in with_texts(read_rows, texts, source, tells_losses=not reading.is_paired):
        column = id_column or row.column(reading.id_columns) or ""
        text_id = None
        if text is not None and column:
            text_id = row.name(column)
        kind = ID if column.casefold() in IDS else column.casefold()
        yield Part(row.where.rpartition(" ")[2], text, titles.text_of(row) or "", text_id, kind)
        have_ids = have_ids or bool(column)
        unused = unused or _unused_columns(row, (texts, titles))
    if unused and not have_ids:
        log.warning(
            "%s: no row has an id (%s), so that its number is taken; if another column has one, "
            "name it by --id: there is %s",
            source, ", ".join(reading.id_columns), ", ".join(unused),
        )  # fmt: skip


def _unused_columns(row: Row, columns: Sequence[Column]) -> list[str]:
    """Return the columns of a row that are none of these, in whichever language."""
    names = [name for name in row.fields if name.casefold() not in LANGUAGE_COLUMNS]
    return [name for name in names if not any(column.is_text_column(name) for column in columns)]


def _of_lines(source: str, path: Path, encoding: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield a text for each line; or an id and a text, if a tab is between these in all lines."""
    lines = list(refusing_markup(read_lines(path, encoding, source)))
    ending = path.suffix.lower()
    if ending in READERS and ending not in PLAIN_TEXT:
        log.warning(
            "%s: each line is taken for a text; where a folder is named, or a path such as '%s', "
            "each page is one",
            source, path.with_name(f"*{ending}"),
        )  # fmt: skip
    have_ids = _have_ids(source, lines)
    for where, line in lines:
        beginning, _, text = line.partition("\t")
        if have_ids and beginning:
            yield where, {ID: beginning, "text": text.strip()}
        else:
            yield where, {"text": line.strip()}


def _have_ids(source: str, lines: Sequence[tuple[str, str]]) -> bool:
    """Tell whether lines are an id of their own, a tab and a text, as those of BUCC are."""
    filled = [(where, line) for where, line in lines if line.strip()]
    with_tabs = [where for where, line in filled if "\t" in line]
    if not with_tabs:
        return False
    fields = [line.split("\t") for _, line in filled]
    ids = [fields_of_line[0] for fields_of_line in fields]
    are_words = all(text_id and not re.search(r"\s", text_id) for text_id in ids)
    are_unique = len(set(ids)) == len(ids)
    are_pairs = all(len(fields_of_line) == 2 for fields_of_line in fields)
    if are_words and are_unique and are_pairs:
        log.warning("%s: what is before the tab of each line is its id, as %r", source, ids[0])
        return True
    log.warning(
        "%s: tabs are white space in %d of %d lines, the first: %s; they end ids only where each "
        "line has one tab and an id of its own, without blanks",
        source, len(with_tabs), len(fields), with_tabs[0],
    )  # fmt: skip
    return False


def options(entries: Sequence[str]) -> dict[str, Any]:
    """Read what is written as KEY=VALUE; a value that is no JSON is text."""
    values: dict[str, Any] = {}
    for written in entries:
        key, equals, value = written.partition("=")
        if not (equals and key.isidentifier()):
            raise UserError(
                f"--set {written}: expected KEY=VALUE, such as rank=100; of a section "
                'bags={"min_documents": 2}'
            )
        if key in values:
            raise UserError(f"--set {key}: given twice; give it once")
        try:
            values[key] = json.loads(value, object_pairs_hook=each_key_once)
        except json.JSONDecodeError:
            values[key] = value
        except ValueError as error:
            raise UserError(f"--set {key}: {error}") from error
    return values


def encoder_option(name_or_folder: str) -> dict[str, str]:
    """Return the option of `best` for an encoder: by the name of a package, or by its folder."""
    from cr5.models.encoders.opening import PACKAGES

    if name_or_folder in PACKAGES:
        return {"encoder": name_or_folder}
    return {"encoder_path": name_or_folder}


def write(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows: as a table for people on a terminal, as JSON lines for programs."""
    if wants_table():
        write_table(rows)
    else:
        for row in rows:
            print(as_line(row))


def say(message: str) -> None:
    """Tell the user something that is no result; if nobody reads it, the work goes on."""
    with suppress(BrokenPipeError):
        print(message, file=sys.stderr, flush=True)


def wants_table() -> bool:
    """Return whether output is read by people: it is a terminal."""
    return sys.stdout.isatty()


def write_table(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows below the names of their columns, numbers right-aligned."""
    from tabulate import tabulate

    columns: list[str] = []
    for row in rows:
        columns += [name for name in row if name not in columns]
    cells = [[_cell(row.get(column)) for column in columns] for row in rows]
    of_text = [
        number
        for number in range(len(columns))
        if any(isinstance(cells_of_row[number], str) for cells_of_row in cells)
    ]
    print(tabulate(cells, headers=columns, floatfmt=".3f", disable_numparse=of_text))


def _cell(value: Any) -> Any:
    if isinstance(value, list):  # pairs of words, * for none, with what each adds to a score
        return ", ".join(f"{word or '*'}/{other or '*'} {part:.3f}" for word, other, part in value)
    if isinstance(value, str):
        return CONTROL.sub(" ", value)
    return value
