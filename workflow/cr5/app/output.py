"""Printing: a table for people on a terminal, JSON lines for programs."""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # line ends, tabs, cursor movement


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose between the two."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="print JSON lines, as is done where no terminal reads"
    )
    form.add_argument("--table", action="store_true", help="print a table, as on a terminal")


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
        print(json.dumps(row, ensure_ascii=False))


def write_table(rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Print columns, one line per row, numbers right-aligned; strings of digits are not numbers."""
    from tabulate import tabulate

    cells = [[_one_line(row.get(column)) for column in columns] for row in rows]
    of_text = [n for n, column in enumerate(zip(*cells, strict=True)) if _has_text(column)]
    print(tabulate(cells, headers=columns, floatfmt=".3f", disable_numparse=of_text))


def _one_line(value: Any) -> Any:
    return CONTROL.sub(" ", value) if isinstance(value, str) else value


def _has_text(column: Sequence[Any]) -> bool:
    return any(isinstance(value, str) for value in column)
