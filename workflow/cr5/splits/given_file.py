"""The file of a split that is given: a row for each concept, with the part that it is for."""

from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError
from cr5.texts.rows import named, rows

PARTS = ("train", "test", "validation")


def read(path: str) -> dict[str, str]:
    """Return the part of each concept that a file has."""
    return dict(_parts(path))


def check(path: str) -> None:
    """Refuse a file whose first row cannot be read: of another format, or of other columns.

    A plan does so before any job; of a file that is not there the plan tells.
    """
    if Path(path).is_file():
        next(_parts(path), None)


def _parts(path: str) -> Iterator[tuple[str, str]]:
    for concept, row in named(rows(path, ["concept", "split"]), "concept"):
        part = row.name("split")
        if part not in PARTS:
            raise UserError(
                f"{row.where}: the split is {part!r}; expected one of {', '.join(PARTS)}"
            )
        yield concept, part
