"""What would stop or spoil a run and can be known before any job: places, dates, notes, owners."""

import errno
import json
import os
import time
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.provenance import TIMESTAMP
from cr5.base.refusals import refusal

LEAST = 2**18  # bytes: less cannot hold a log, a benchmark and snakemake's notes
SKEW = 60  # seconds by which the clocks of two machines may differ
NOTES = ".snakemake"


def check_name(folder: Path) -> None:
    """Reject a checkout whose path snakemake would search for wildcards.

    Raises:
        UserError: it names the folder.
    """
    if {"{", "}"} & {*str(folder)}:
        raise UserError(
            f"{folder}: snakemake takes braces in the path of a workflow for wildcards; rename the "
            "folder, or move the checkout to another one, and run again"
        )


def check_writable(folder: str | Path) -> None:
    """Reject results if they, or one of their folders, cannot be written to.

    Args:
        folder: the results; if they do not exist, the nearest folder above them counts.

    Raises:
        UserError: it names the folder, the reason and the remedy.
    """
    there = next(x for x in (Path(folder), *Path(folder).absolute().parents) if x.exists())
    below = sorted(there.iterdir()) if there == Path(folder) and there.is_dir() else []
    for path in [there, *below]:
        if path.is_dir() and not os.access(path, os.W_OK | os.X_OK):
            number = errno.EROFS if os.statvfs(path).f_flag & os.ST_RDONLY else errno.EACCES
            raise UserError(refusal(_error(number, path), path))


def full_now(folder: str | Path) -> str | None:
    """Say that the disk of a folder is full, and the remedy; None if it has room for files."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    if found.f_bavail * found.f_frsize >= LEAST and (found.f_favail or not found.f_files):
        return None
    return refusal(_error(errno.ENOSPC, folder), folder)


def _error(number: int, path: str | Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def check_dates(paths: Iterable[str]) -> None:
    """Reject inputs dated in the future: a job's output would seem older and be thrown away.

    Args:
        paths: files and folders; they need not exist.

    Raises:
        UserError: it names each, its date and the remedy, one line each.
    """
    now = time.time()
    dated = {path: path.stat().st_mtime for path in map(_dated, sorted({*paths})) if path.exists()}
    if found := {path: date for path, date in dated.items() if date > now + SKEW}:
        raise UserError("\n".join(_future(path, date, now) for path, date in found.items()))


def _dated(name: str) -> Path:
    """Return the file whose date counts: of a folder, the one where snakemake keeps its date."""
    own = Path(name, TIMESTAMP)
    return own if own.exists() else Path(name)


def _future(path: Path, date: float, now: float) -> str:
    then, today = (datetime.fromtimestamp(x).isoformat(" ", "seconds") for x in (date, now))
    return (
        f"Error: {path}: dated {then}, in the future: this machine's clock says {today}. Set the "
        f"clock if it is wrong; else date the file today, touch {path}, and run again"
    )


def check_notes(place: str | Path = f"{NOTES}/metadata") -> None:
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


DEFAULT = "config/config.yaml"
MARKER = "made_by.txt"
"""A marker in the folder names the files. Values on the command line and changes within the same
files do not count: snakemake then reruns the affected jobs."""


def check_owner(results: str | Path, given: Sequence[str | Path]) -> None:
    """Reject a folder that other configuration files made.

    Args:
        results: folder of the corpus; need not exist.
        given: configuration files on the command line, in order; none for the default.

    Raises:
        UserError: it names both, and the remedy.
    """
    marker, own = Path(results) / MARKER, _names(given)
    owner = _owner(marker)
    if owner not in ([], own) and not _is_description(results, own):
        raise UserError(
            f"{results} was made by {' and '.join(owner)}; {' and '.join(own)} would overwrite it: "
            "give it a `corpus.name` or `results` of its own, or, to let it take the folder over, "
            f"remove {marker}"
        )


def claim(results: str | Path, given: Sequence[str | Path]) -> None:
    """Write the marker unless there is one; arguments as for `check_owner`."""
    own = _names(given)
    if not _owner(Path(results) / MARKER) and not _is_description(results, own):
        with atomic_file(Path(results) / MARKER) as path:
            path.write_text("".join(f"{name}\n" for name in own), encoding="utf-8")


def _names(given: Sequence[str | Path]) -> list[str]:
    """Return paths relative to the working folder, as both may be moved together."""
    return [
        os.path.relpath(Path(path).resolve(), Path.cwd().resolve()) for path in given or [DEFAULT]
    ]


def _owner(marker: Path) -> list[str]:
    try:
        return marker.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except UnicodeDecodeError:
        raise UserError(
            f"{marker}: damaged, expected names of configuration files; remove {marker} and run "
            "again"
        ) from None


def _is_description(results: str | Path, own: list[str]) -> bool:
    """Return whether the configuration is the one that a run wrote into its results."""
    return own == _names([Path(results) / "config.yaml"])
