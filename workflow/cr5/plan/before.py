"""Snakemake's notes on results, by which it sees changed parameters: damaged ones stop a run."""

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError

NOTES = ".snakemake/metadata"


def check_notes(place: str | Path = NOTES) -> None:
    """Reject unreadable notes of snakemake's on results, such as a power cut leaves.

    Snakemake compares the notes to see whether parameters have changed; it stops at some unreadable
    ones and skips others: the result would then count as made with the current parameters.

    Args:
        place: folder of the notes, from where the run is started; need not exist.

    Raises:
        UserError: it names each, and the result that must be made and noted again.
    """
    if found := [_damaged(path, place) for path in _unreadable(Path(place))]:
        raise UserError("\n".join(found))


def _unreadable(place: Path) -> Iterator[Path]:
    for path in sorted(place.rglob("*")):
        is_part = path.is_dir() and path.name.startswith("@")  # of a note's name
        if not is_part and not (path.is_file() and _is_note(path.read_bytes())):
            yield path


def _is_note(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


def _damaged(path: Path, place: str | Path) -> str:
    both = ", ".join(map(str, filter(None, [path, _result(path.relative_to(place))])))
    return f"Error: {path}: a damaged note of snakemake's; remove {both} and run again"


def _result(name: Path) -> str | None:
    """Return the path of the result: the name of its note, split into folders if it is long."""
    try:
        encoded = "".join(part.removeprefix("@") for part in name.parts)
        return urlsafe_b64decode(encoded).decode()
    except ValueError:
        return None
