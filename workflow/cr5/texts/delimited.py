"""Tables in lines of text: fields with tabs, commas or semicolons between.

The first line names the columns, or a line `sep=;` before it what is between them. Fields may be
quoted, in a table with tabs only if the first line is.
"""

import csv
import logging
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.languages import folded_code
from cr5.base.not_text import refusing_markup

log = logging.getLogger(__name__)
csv.field_size_limit(sys.maxsize)  # a text may be long, and so may the first line of texts

TAB = "\t"
SEPARATORS = (TAB, ",", ";")
# what Excel writes above the names of columns, to say what is between them
SEPARATOR_LINE = re.compile(rb'"?sep=(.)"?', re.IGNORECASE)
QUOTE_HINT = (
    "; fields in quotes, as pandas writes those of several lines, are read where the first line "
    "is quoted too: frame.to_csv(..., quoting=csv.QUOTE_ALL)"
)
OPEN = (
    "fields that begin with a quote which does not end are read as they stand, as the first line "
    "has no quotes"
)
IN_QUOTES = (
    "fields in quotes are read with their quotes, as the first line has none (if they are no part "
    "of the text, write that in quotes too)"
)
AGAIN = "rows that name the columns again, as where files were joined, are left out"
MISSING_IN_DATABASES = r"\N"
OF_A_DATABASE = (
    r"\N, by which databases mean that nothing is there, is read as it stands, and so are \n and "
    r"\t within their texts; let the database write CSV"
)
SWALLOWING = (
    "is a quote left open? Rows of several lines, each of which has as many fields as a row"
)
QUOTED = re.compile(r'"(?:[^"]|"")*"')  # a field wholly in quotes, those within it doubled

Line = tuple[str, str]  # where it is, and its text

# where each row is, and its fields by column; None of a blank line
Fields = Iterator[tuple[str, Mapping[str, Any] | None]]


@dataclass(frozen=True)
class Layout:
    """How fields are separated, and whether they may be quoted."""

    separator: str
    is_quoted: bool


def layout_of(header: str, path: Path, wanted: Collection[str]) -> Layout:
    """Choose the separator: that which is told, or else that by which wanted columns are named."""
    told = told_separator(header)
    if told:
        return Layout(told, is_quoted=True)
    endings = [suffix.lower() for suffix in path.suffixes]
    of_one_column = TAB
    if ".csv" in endings:
        of_one_column = ","
    n_wanted = {}
    for separator in SEPARATORS:
        if separator in header:
            n_wanted[separator] = _n_wanted(header, separator, wanted)
    # of equals the first
    separator = max(n_wanted, key=n_wanted.__getitem__, default=of_one_column)
    return Layout(separator, is_quoted=separator != TAB or header.startswith('"'))


def told_separator(line: str) -> str:
    """Return the separator that a line of its own tells; empty if it does not."""
    told = SEPARATOR_LINE.fullmatch(line.encode())
    if told:
        return told[1].decode()
    return ""


def names_columns(header: str, wanted: Collection[str]) -> bool:
    """Whether the first line of a file names columns, and so is no text."""
    return any(_n_wanted(header, separator, wanted) > 1 for separator in SEPARATORS)


def _n_wanted(header: str, separator: str, wanted: Collection[str]) -> int:
    """Number of the wanted columns that a header names, if this is between them.

    They may end in the code of a language.
    """
    names = next(csv.reader([header], delimiter=separator), [])
    wanted_codes = {folded_code(name) for name in wanted}
    return len(wanted_codes.intersection(folded_code(name) for name in names))


def delimited(lines: Iterable[Line], layout: Layout, name: str, wanted: Collection[str]) -> Fields:
    """Yield where each row of the file `name` is, and its fields.

    UserError if one has more or fewer than columns.
    """
    quoting = csv.QUOTE_MINIMAL if layout.is_quoted else csv.QUOTE_NONE
    content = _content(lines)
    reader = csv.reader(content, delimiter=layout.separator, quoting=quoting, strict=True)
    doubts = _Doubts(layout)
    header: list[str] = []
    for place, fields in _placed(reader, name):
        if not header:
            header = _header(fields, wanted, place)
        elif _is_blank(fields):
            yield place, None
        elif fields == header:
            doubts.add(AGAIN, place)
        else:
            doubts.look(fields, len(header), place)
            if len(fields) != len(header):
                message = (
                    f"{place}: expected {len(header)} fields ({', '.join(header)}) with "
                    f"{layout.separator!r} between, found {len(fields)}"
                )
                raise UserError(message + doubts.hint)
            yield place, dict(zip(header, fields, strict=True))
    doubts.tell(name)


def _header(fields: list[str], wanted: Collection[str], place: str) -> list[str]:
    """Return the names of columns; none of a line without any. UserError if one is there twice."""
    if not any(field.strip() for field in fields):
        return []
    refuse_repeated(fields, wanted, place)
    return fields


def refuse_repeated(columns: Sequence[str], wanted: Iterable[str], place: str) -> None:
    """Raise `UserError` if a wanted column is there twice."""
    for column in wanted:
        if columns.count(column) > 1:
            raise UserError(f"{place}: more than one column {column!r}; rename one")


def _is_blank(fields: list[str]) -> bool:
    """Whether a line has nothing on it; two quotes are a field that is empty."""
    if len(fields) > 1 or fields == [""]:
        return False
    return not (fields and fields[0].strip())


def _content(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines of a table, that of the separator empty."""
    is_first = True
    for _, line in refusing_markup(lines):
        if is_first and line.strip():
            is_first = False
            if told_separator(line):
                line = ""
        yield line.replace("\r", " ") + "\n"


class _Doubts:
    """Rows that may have been meant otherwise, to be told at the end."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._rows: Counter[str] = Counter()  # how many, by doubt
        self._first: dict[str, str] = {}

    def look(self, fields: list[str], n_columns: int, place: str) -> None:
        """Count a row with quotes that mean nothing, or whose lines would be whole rows each.

        So is one with fields as databases write them.
        """
        if MISSING_IN_DATABASES in fields:
            self.add(OF_A_DATABASE, place)
        if self._layout.is_quoted:
            if self._may_swallow(fields, n_columns):
                self.add(SWALLOWING, place)
            return
        quoted = [field for field in fields if field.startswith('"')]
        if any(field.count('"') % 2 for field in quoted):
            self.add(OPEN, place)
        if any(QUOTED.fullmatch(field) for field in quoted):
            self.add(IN_QUOTES, place)

    def add(self, doubt: str, place: str) -> None:
        """Count a row."""
        self._rows[doubt] += 1
        self._first.setdefault(doubt, place)

    def _may_swallow(self, fields: list[str], n_columns: int) -> bool:
        """Whether each line of a row would be a whole row, as behind a quote that is left open."""
        separator = self._layout.separator
        _, *next_lines = separator.join(fields).split("\n")
        if n_columns < 2 or not next_lines:
            return False
        return all(line.count(separator) == n_columns - 1 for line in next_lines)

    @property
    def hint(self) -> str:
        """Say how quoted fields are written, if there may be some."""
        return QUOTE_HINT if OPEN in self._rows else ""

    def tell(self, name: str) -> None:
        """Warn of them in the file `name`."""
        for doubt, number in self._rows.items():
            log.warning("%s: %s: %d; the first: %s", name, doubt, number, self._first[doubt])


def _placed(reader: Any, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield where each row of a reader of CSV begins, and its fields."""
    place = f"{name}, line 1"
    try:
        for fields in reader:
            yield place, fields
            place = f"{name}, line {reader.line_num + 1}"
    except csv.Error as error:
        raise UserError(
            f"{place}: {error}; is a quote left open? Quotes within a quoted field are doubled"
        ) from error
