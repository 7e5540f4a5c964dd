"""Tab-separated text whose first line names the columns."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.lines import read_lines

QUOTE = '"'


def read_columns(path: str | Path, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Read some columns of a file, plain or compressed.

    Quotes around a field, as spreadsheets write them, are removed; a quote elsewhere is text. No
    field spans several lines.

    Args:
        path: the file.
        names: the columns to read.

    Yields:
        (`path, line n`, the fields in the order of `names`) of each line after the first; blank
        lines are skipped.

    Raises:
        UserError: with file and line: unreadable, a column is missing or named twice, or a line
            has more or fewer fields than the first.
    """
    lines = ((where, text) for where, text in read_lines(path) if text.strip())
    where, first = next(lines, (f"{path}, line 1", ""))
    header = _fields(first)
    places = [_place(name, header, where) for name in names]
    for where, text in lines:
        fields = _fields(text)
        if len(fields) != len(header):
            raise UserError(
                f"{where}: expected {len(header)} fields with tabs between ({', '.join(header)}), "
                f"found {len(fields)}"
            )
        yield where, [fields[place] for place in places]


def _place(name: str, header: list[str], where: str) -> int:
    if header.count(name) != 1:
        found = ", ".join(map(repr, header)) if any(header) else "nothing"
        many = "no column" if name not in header else "more than one column"
        raise UserError(
            f"{where}: {many} {name!r}; the first line must name the columns, with tabs between, "
            f"and has {found}: name another column, or write the names there"
        )
    return header.index(name)


def _fields(line: str) -> list[str]:
    return [_unquoted(field) for field in line.split("\t")]


def _unquoted(field: str) -> str:
    inner = field[1:-1]
    is_quoted = len(field) > 1 and field[0] == field[-1] == QUOTE
    if is_quoted and QUOTE not in inner.replace(2 * QUOTE, ""):
        return inner.replace(2 * QUOTE, QUOTE)
    return field
