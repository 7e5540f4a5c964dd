"""A lock: one run at a time writes to a folder, from any checkout or machine."""

import errno
import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.refusals import is_refusal, refusal

NAME = ".lock"
HELD = (errno.EAGAIN, errno.EACCES)
WAITS = (0.01, 0.1, 0.4)  # seconds


class TakenError(UserError):
    """Another process holds the lock."""


def check_folder(folder: str | Path) -> None:
    """Reject a place where no folder for results can be created.

    Raises:
        UserError: it is a file, or below one.
    """
    for path in (Path(folder), *Path(folder).parents):
        if os.path.lexists(path) and not path.is_dir():
            raise UserError(
                f"{folder}: results cannot be written there, because {path} is no folder. Move "
                "it, or choose another folder (`results: FOLDER`)."
            )


@contextmanager
def held(folder: str | Path) -> Iterator[None]:
    """Lock a folder, creating it if needed; do without on a file system without locks.

    The lock file stays behind, empty, so that equal runs leave equal files.

    Raises:
        TakenError: another process holds it.
        UserError: the folder cannot be written, or its lock file is unusable.
    """
    with _opened(Path(folder)) as file:
        if not _lock(file):
            raise TakenError(_taken(folder, file))
        _write(file, f"process {os.getpid()} on {socket.gethostname()}, started in {Path.cwd()}")
        try:
            yield
        finally:
            _write(file, "")


def _lock(file: TextIOWrapper) -> bool:
    """Lock a file; wait a moment for `is_free`, which takes a lock only to see whether it can."""
    for wait in (0, *WAITS):
        time.sleep(wait)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in HELD:
                continue
        return True  # also on a file system without locks
    return False


def is_free(folder: str | Path) -> bool:
    """Return whether no process holds a folder's lock; nothing is written."""
    try:
        with (Path(folder) / NAME).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in HELD
    return True


def _opened(folder: Path) -> TextIOWrapper:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return (folder / NAME).open("a+", encoding="utf-8")
    except IsADirectoryError:
        raise UserError(
            f"{folder / NAME}: this must be the lock file, but is a folder; remove or rename it, "
            "and run again"
        ) from None
    except OSError as error:
        if is_refusal(error):
            raise UserError(refusal(error, folder)) from None
        raise


def _taken(folder: str | Path, file: TextIOWrapper) -> str:
    file.seek(0)
    holder = file.read(1000).strip()
    return (
        f"{folder}: another run{holder and f' ({holder})'} writes there. Wait until it ends, or "
        "give this one a folder of its own (`results: FOLDER`)."
    )


def _write(file: TextIOWrapper, holder: str) -> None:
    """Name the holder for others; do without on a full disk."""
    with suppress(OSError):
        os.ftruncate(file.fileno(), 0)
        os.write(file.fileno(), holder.encode())
