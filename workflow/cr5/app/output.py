"""Printing: a table for people on a terminal, JSON lines for programs."""

import argparse
import codecs
import json
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # line ends, tabs, cursor movement

GAP = 2  # between columns
NARROWEST = 12


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose between the two."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="print JSON lines; the default in a pipe or file"
    )
    form.add_argument(
        "--table", action="store_true", help="print a table; the default on a terminal"
    )


def wants_table(given: argparse.Namespace) -> bool:
    """Whether to print a table, for a person."""
    return given.table or (sys.stdout.isatty() and not given.json)


def write(rows: Iterable[Row], given: argparse.Namespace, columns: Sequence[str]) -> None:
    """Print rows.

    Args:
        rows: all with the same keys.
        given: the arguments.
        columns: those that a table shows.
    """
    if wants_table(given):
        write_table(list(rows), columns)
        return
    for row in rows:
        print(as_line(row))


def as_line(content: Any) -> str:
    """Return JSON in one line, with escapes if standard output cannot encode all letters."""
    is_unicode = codecs.lookup(sys.stdout.encoding or "utf-8").name.startswith("utf")
    return json.dumps(content, ensure_ascii=not is_unicode)


def write_table(rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Print columns, a row after the other, numbers right-aligned; strings are never numbers.

    On a terminal the widest columns of text are wrapped, so that it breaks no line.
    """
    from tabulate import tabulate

    cells = [[_one_line(row.get(column)) for column in columns] for row in rows]
    of_text = [n for n, column in enumerate(zip(*cells, strict=True)) if _has_text(column)]
    most: list[int | None] = [None] * len(columns)
    if sys.stdout.isatty():
        for n, width in _narrowed(cells, columns, of_text).items():
            most[n] = width
    shown = {"headers": columns, "floatfmt": ".3f", "disable_numparse": of_text}
    print(tabulate(cells, maxcolwidths=most, **shown))


def _narrowed(
    cells: Sequence[Sequence[Any]], columns: Sequence[str], of_text: Sequence[int]
) -> dict[int, int]:
    """Widths of columns of text, by their numbers, with which a table fits the terminal."""
    widths = [len(column) + GAP for column in columns]  # tabulate pads its heads
    for row in cells:
        widths = [max(width, len(_shown(x))) for width, x in zip(widths, row, strict=True)]
    text = {n: widths[n] for n in of_text}
    room = shutil.get_terminal_size().columns - GAP * (len(columns) - 1)
    while sum(widths) > room and max(text.values(), default=0) > NARROWEST:
        widest = max(text, key=lambda n: text[n])
        text[widest] = widths[widest] = widths[widest] - 1
    return text


def _shown(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _one_line(value: Any) -> Any:
    return CONTROL.sub(" ", value) if isinstance(value, str) else value


def _has_text(column: Sequence[Any]) -> bool:
    return any(isinstance(value, str) for value in column)
