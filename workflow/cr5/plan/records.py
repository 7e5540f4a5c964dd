"""Snakemake's notes on how each result was made: what became unreadable would stop it, or be lost.

It goes by them to see whether parameters have changed since. Without a note they have not.
"""

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError

PLACE = ".snakemake/metadata"


def check(place: str | Path = PLACE) -> None:
    """Refuse notes that cannot be read, as after a loss of power.

    Args:
        place: folder of the notes, from where the run is started; it need not be there.

    Raises:
        UserError: it names each, and with it the result that must be made, and noted, again.
    """
    if found := [_said(path, place) for path in _damaged(Path(place))]:
        raise UserError("\n".join(found))


def _damaged(place: Path) -> Iterator[Path]:
    for path in sorted(place.rglob("*")):
        if path.is_file() and not _is_note(path.read_bytes()):
            yield path


def _is_note(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False


def _said(path: Path, place: str | Path) -> str:
    both = ", ".join(map(str, filter(None, [path, _result(path.relative_to(place))])))
    return f"Error: {path}: damaged, a note of snakemake's; remove {both} and run again"


def _result(name: Path) -> str | None:
    """The path of the result, which is the name of its note, in folders if it is long."""
    try:
        encoded = "".join(part.removeprefix("@") for part in name.parts)
        return urlsafe_b64decode(encoded).decode()
    except ValueError:
        return None
