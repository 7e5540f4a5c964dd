"""Checksums of the user's files and folders, by which they count: each file is read once.

Notes in a file of the working folder say which checksum a file of that size, times and inode had.
"""

import hashlib
import json
import logging
import os
import shlex
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cr5.base.artefacts import crc32
from cr5.base.contents import checksum
from cr5.base.errors import UserError

log = logging.getLogger(__name__)

PIECE = 1 << 20
BETWEEN_MESSAGES = 4  # seconds
TRIES = 3  # of reading a file that changes meanwhile
TICK = 1_000_000_000  # nanoseconds; file systems may count the time of a change in whole seconds


class State(NamedTuple):
    """What shows, without reading it, that a file is still the one that was read."""

    size: int
    modified: int  # in nanoseconds, as is the next
    changed: int  # which nobody can set
    inode: int

    @classmethod
    def of(cls, path: Path) -> "State":
        """Return the state of a file, or of the one that a link leads to."""
        status = path.stat()
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Note(NamedTuple):
    """The SHA-256 of a file in a state.

    `is_settled` says that the file was read so long after its last change that another change
    shows in its times.
    """

    state: State
    is_settled: bool
    digest: str


class Progress:
    """Tells how much of a path has been read, every few seconds."""

    def __init__(self, path: Path, total: int):
        self._path = path
        self._total = total  # bytes
        self._read = 0
        self._told = time.monotonic()

    def advance(self, size: int) -> None:
        """Count bytes that have been read."""
        self._read += size
        if time.monotonic() - self._told >= BETWEEN_MESSAGES:
            self._told = time.monotonic()
            share = min(1, self._read / max(self._total, 1))  # a file may have grown
            log.info("reading %s for its checksum: %.0f %%", self._path, 100 * share)


class Contents:
    """The checksums of files and folders, as they were when each was first asked for.

    A plan writes the notes; a job takes what the plan noted, and reads nothing again that is in
    the same state.
    """

    def __init__(self, notes: Path, is_plan: bool = True):
        self._place = notes
        self._is_plan = is_plan
        self._checksums: dict[str, str | None] = {}

    @cached_property
    def _notes(self) -> dict[str, Note]:
        """Notes by file; most jobs read no file of the user, and need none."""
        return read_notes(self._place)

    def checksum(self, path: str | Path) -> str | None:
        """Return the checksum of a file or folder; None if it is not there.

        UserError: it cannot be read, is neither a file nor a folder, or changes all the time.
        """
        name = str(path)
        if name not in self._checksums:
            try:
                self._checksums[name] = self._compute(Path(path))
            except OSError as error:
                place = error.filename or path
                raise UserError(
                    f"{place}: it cannot be read ({error.strerror}); expected a file or a folder "
                    "that you may read"
                ) from error
        return self._checksums[name]

    def _compute(self, path: Path) -> str | None:
        if not path.exists():
            return None
        if not (path.is_file() or path.is_dir()):
            raise UserError(
                f"{path}: neither a file nor a folder; write what it gives to a file, and name that"
            )
        return checksum(path, lambda files: self._digests_of(path, files))

    def _digests_of(self, path: Path, files: Sequence[Path]) -> list[str]:
        """Return the SHA-256 of each file at or below a path, and note those that were read."""
        states = {file: State.of(file) for file in files}
        unread = [file for file in files if not self._is_noted(file, states[file])]
        progress = Progress(path, sum(states[file].size for file in unread))
        try:
            for file in unread:
                self._notes[str(file)] = _read(file, progress)
        finally:
            if unread and self._is_plan:
                self._save_notes()
        return [self._notes[str(file)].digest for file in files]

    def _is_noted(self, file: Path, state: State) -> bool:
        note = self._notes.get(str(file))
        if note is None or note.state != state:
            return False
        return note.is_settled or not self._is_plan

    def _save_notes(self) -> None:
        """Write the notes, with those of runs beside this one; where nobody can write, none."""
        notes = read_notes(self._place) | self._notes
        rows = json.dumps(notes).encode()
        part = self._place.with_name(f"{self._place.name}.{os.getpid()}")
        with suppress(OSError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(crc32(rows).encode() + b"\n" + rows)
            part.replace(self._place)


def check_dates(paths: Iterable[str]) -> None:
    """Refuse files of the future: snakemake takes what a job makes of them to be older than they.

    Each is looked at as snakemake does: a link, not what it leads to.
    """
    for path in paths:
        date = Path(path).lstat().st_mtime
        if date > time.time():
            raise UserError(
                f"{path}: its date, {time.strftime('%Y-%m-%d %H:%M', time.localtime(date))}, is in "
                f"the future; give it today's: touch -h {shlex.quote(path)}"
            )


def read_notes(place: Path) -> dict[str, Note]:
    """Return the notes by file, JSON below its CRC-32; none if they are not there or damaged."""
    try:
        seal, _, rows = place.read_bytes().partition(b"\n")
        if seal != crc32(rows).encode():
            return {}
        notes = {}
        for file, (state, is_settled, digest) in json.loads(rows).items():
            notes[file] = Note(State(*state), is_settled, digest)
        return notes
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _read(file: Path, progress: Progress) -> Note:
    """Return the note of a file, which is read again if it changes meanwhile."""
    for _ in range(TRIES):
        state = State.of(file)
        is_settled = time.time_ns() - state.changed > TICK
        digest = _digest(file, progress)
        if State.of(file) == state:
            return Note(state, is_settled, digest)
    raise UserError(f"{file}: it changes while it is read; wait until it is written, and run again")


def _digest(file: Path, progress: Progress) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while piece := stream.read(PIECE):
            digest.update(piece)
            progress.advance(len(piece))
    return digest.hexdigest()
