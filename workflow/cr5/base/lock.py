"""Only one run at a time writes to a folder, from whatever checkout or machine it comes."""

import errno
import fcntl
import os
import socket
from io import TextIOWrapper
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.refusals import is_refusal, refusal

NAME = ".lock"
HELD = (errno.EAGAIN, errno.EACCES)


def check_folder(folder: str | Path) -> None:
    """Refuse what can be no folder for results.

    Raises:
        UserError: it is a file, or would be below one.
    """
    for path in (Path(folder), *Path(folder).parents):
        if os.path.lexists(path) and not path.is_dir():
            raise UserError(
                f"{folder}: results cannot be written there, because {path} is no folder. Move "
                "it, or choose another folder (`results: FOLDER`)."
            )


def hold(folder: str | Path) -> TextIOWrapper:
    """Lock a folder, which is made, for as long as the file that is returned stays open.

    A file system that knows no locks is used without.

    Raises:
        UserError: another process holds it, or the folder cannot be written.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / NAME).open("a+", encoding="utf-8")
    except OSError as error:
        if not is_refusal(error):
            raise
        raise UserError(refusal(error, folder)) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in HELD:
            raise UserError(_held(folder, file)) from None
    return _signed(file)


def _held(folder: Path, file: TextIOWrapper) -> str:
    with file:
        file.seek(0)
        holder = file.read(1000).strip()
    return (
        f"{folder}: another run{holder and f' ({holder})'} writes there. Wait for its end, or "
        "give this one a folder of its own (`results: FOLDER`)."
    )


def _signed(file: TextIOWrapper) -> TextIOWrapper:
    """Leave word for others of who it is."""
    file.truncate(0)
    file.write(f"process {os.getpid()} on {socket.gethostname()}, started in {Path.cwd()}\n")
    file.flush()
    return file
