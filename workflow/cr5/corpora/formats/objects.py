"""JSON lines: an object per line."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from cr5.base import json_lines
from cr5.base.compressed import open_stream
from cr5.base.lines import bounded


def read(path: Path, wanted: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the objects of a file; blank lines are skipped.

    Args:
        path: of the file.
        wanted: not used.

    Raises:
        UserError: with file and line: unreadable, not UTF-8, not one object per line.
    """
    with open_stream(path) as file:
        for number, line in enumerate(bounded(file, str(path)), start=1):
            if line.strip():
                where = f"{path}, line {number}"
                yield where, json_lines.parse(line, where)
