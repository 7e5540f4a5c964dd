"""Labelled documents with an id, a label and a text, in JSON lines or in columns.

    {"concept": "Q64", "category": "geography", "text": "Berlin is the capital of ..."}

    index_id	category	text
    548	sports	Due to the change of distance ...

UTF-8, plain or compressed with gzip, xz or bzip2. Columns are named in the first line, as in
SIB-200; in JSON lines other keys are ignored.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cr5.base import json_lines
from cr5.base.columns import read_columns
from cr5.base.errors import UserError
from cr5.base.lines import read_lines

Found = tuple[str, list[Any]]


def records(
    path: str | Path, identity: str, label: str, text: str | None = None
) -> Iterator[tuple[str, str, str]]:
    """Read the documents of a file.

    Args:
        path: of the file; its first line determines the format.
        identity: name of the column or key with the ids.
        label: likewise for the labels.
        text: likewise for the texts; None if only the labels are wanted.

    Yields:
        (id, text, label) per document, id and label stripped and in NFC.

    Raises:
        UserError: with file and line: unreadable, of another layout, a missing column or key, no id
            or label, a repeated id, or no documents.
    """
    first_line: dict[str, str] = {}
    for where, found in _values(path, [identity, label, *([text] if text else [])]):
        name = json_lines.name(identity, found[0], where)
        if name in first_line:
            raise UserError(
                f"{where}: the {identity} {name!r} was already on {first_line[name]}; a document "
                "has one label: remove one of them"
            )
        first_line[name] = where.rpartition(", ")[2]
        content = json_lines.text(text, found[2], where) if text else ""
        yield name, content, json_lines.name(label, found[1], where)
    if not first_line:
        raise UserError(f"{path}: no document; expected a line for each")


def _values(path: str | Path, names: Sequence[str]) -> Iterator[Found]:
    return _of_json(path, names) if _is_json(path) else read_columns(path, names)


def _is_json(path: str | Path) -> bool:
    return next((x for _, x in read_lines(path) if x.strip()), "").lstrip().startswith("{")


def _of_json(path: str | Path, names: Sequence[str]) -> Iterator[Found]:
    for where, line in read_lines(path):
        if not line.strip():
            continue
        entry = json_lines.parse(line.encode(), where, names)
        for name in names:
            if name not in entry:
                raise UserError(
                    f'{where}: the key "{name}" is missing; this object has '
                    f"{', '.join(map(repr, entry)) or 'no key'}: add it, or name another one"
                )
        yield where, [entry[name] for name in names]
