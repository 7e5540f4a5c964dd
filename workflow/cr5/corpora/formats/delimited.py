"""CSV and TSV: a table whose first line names the columns.

Fields may be quoted, as pandas and spreadsheets write them: then they may hold separators, line
ends, and quotes, written twice. A quote elsewhere is text. Many TSV files are not quoted at all, so
there a quote that is not closed on its line is text, too, if this line and the next are whole rows.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.lines import LONGEST, read_lines

TAB = "\t"
SHOWN = 60  # characters of a line
SEPARATORS = {TAB: "tabs", ",": "commas", ";": "semicolons"}
INSIDE = r'(?:[^"]|"")*+'  # of a quoted field
OPEN = re.compile(f'"{INSIDE}')  # not closed at the end of the line


def read(path: Path, wanted: Collection[str] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Read the rows of a file; blank lines between them are skipped.

    Args:
        path: of the file.
        wanted: columns; no two may have such a name, and one is there.

    Raises:
        UserError: with file and line: unreadable, a wanted column twice, or none of them, a row
            with more or fewer fields than there are columns, a quote that is never closed.
    """
    lines = _Lines(read_lines(path))
    lines.skip_blank()
    where, first = lines.take() or (f"{path}, line 1", "")
    of_one_column = "," if ".csv" in map(str.lower, path.suffixes) else TAB
    separator = next((x for x in SEPARATORS if x in first), of_one_column)
    header = [_unquoted(x) for x in _split(first, separator)]
    for name in wanted:
        if header.count(name) > 1:
            raise UserError(f"{where}: more than one column {name!r}; rename one of them")
    if wanted and not set(wanted) & set(header):
        raise UserError(
            f"{where}: expected the names of columns, {', '.join(wanted)} among them, found "
            f"{first[:SHOWN]!r}; files of one text a line, whose names end in .txt, are for `cr5 "
            "fit`, `index`, `embed` and `search` only"
        )
    while line := lines.skip_blank():
        fields = _row(lines, separator, len(header))
        if len(fields) != len(header):
            named = SEPARATORS[separator]
            raise UserError(
                f"{line[0]}: expected {len(header)} fields with {named} between "
                f"({', '.join(header)}), found {len(fields)}; put double quotes around fields "
                f"that have {named} in them"
            )
        yield line[0], dict(zip(header, map(_unquoted, fields), strict=True))


class _Lines:
    """Lines of a file, each its place and text.

    Attributes:
        next: the next one, None at the end.
    """

    def __init__(self, lines: Iterator[tuple[str, str]]):
        self._lines = lines
        self.next = next(lines, None)

    def take(self) -> tuple[str, str] | None:
        """Return the next line, and go on."""
        taken, self.next = self.next, next(self._lines, None)
        return taken

    def skip_blank(self) -> tuple[str, str] | None:
        """Return the next line that is not blank, but stay before it."""
        while self.next and not self.next[1].strip():
            self.take()
        return self.next


def _row(lines: _Lines, separator: str, n: int) -> list[str]:
    """Take the next row, of one line or several; quoted fields keep their quotes."""
    where, text = lines.take()
    fields = _split(text, separator)
    if separator == TAB and _is_unquoted(text, fields, n, lines.next):
        return text.split(TAB)
    while OPEN.fullmatch(fields[-1]):
        closed, rest = _closed(fields.pop(), lines, separator, where)
        fields += [closed, *(_split(rest[1:], separator) if rest else ())]
    return fields


def _is_unquoted(text: str, fields: list[str], n: int, following: tuple[str, str] | None) -> bool:
    """Whether the quotes of a line are text: it makes a row only if they are."""
    if text.count(TAB) + 1 != n:
        return False
    is_row = len(fields) == n and not OPEN.fullmatch(fields[-1])
    return not is_row and (not following or following[1].count(TAB) + 1 == n)


def _closed(opened: str, lines: _Lines, separator: str, where: str) -> tuple[str, str]:
    """Take lines up to the end of a quoted field; return it, and the rest of its last line."""
    parts, size, end = [opened], len(opened), _end(separator)
    while line := lines.take():
        if found := end.match(line[1]):
            return "\n".join([*parts, found[0]]), line[1][found.end() :]
        parts.append(line[1])
        size += len(line[1])
        if size > LONGEST:
            break
    raise UserError(
        f"{where}: a double quote begins a field and none ends it; end it with one, or write each "
        "quote in it twice and put quotes around"
    )


def _split(line: str, separator: str) -> list[str]:
    return _field(separator).findall(line)


def _unquoted(field: str) -> str:
    is_quoted = len(field) > 1 and field[0] == field[-1] == '"' and OPEN.fullmatch(field[:-1])
    return field[1:-1].replace('""', '"') if is_quoted else field


@cache
def _field(separator: str) -> re.Pattern:
    """Return the expression of a field: closed on the line, or going on, or without quotes."""
    forms = f'"{INSIDE}"(?={separator}|\\Z)|"{INSIDE}\\Z|[^{separator}]*'
    return re.compile(rf"(?:\A|{separator})({forms})")


@cache
def _end(separator: str) -> re.Pattern:
    return re.compile(f'{INSIDE}"(?={separator}|\\Z)')
