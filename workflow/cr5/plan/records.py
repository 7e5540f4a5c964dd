"""Snakemake's notes on how each result was made: what became unreadable would stop it, or be lost.

It goes by them to see whether parameters have changed since. Without a note they have not.
"""

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError

FOLDER = ".snakemake"
PLACE = f"{FOLDER}/metadata"
KINDS = {
    **dict.fromkeys(("rule", "code", "conda_env", "container_img_url"), str | None),
    **dict.fromkeys(("input", "params", "log"), list | None),
    "input_checksums": dict | None,
    **dict.fromkeys(("starttime", "endtime"), int | float | None),
}
"""Of what snakemake reads there, and compares."""


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
        is_part = path.is_dir() and path.name.startswith("@")  # of the name of a note
        if not is_part and not (path.is_file() and _is_note(path.read_bytes())):
            yield path


def _is_note(content: bytes) -> bool:
    try:
        note = json.loads(content)
        return all(isinstance(note.get(key), kind) for key, kind in KINDS.items())
    except (ValueError, RecursionError, AttributeError):
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
