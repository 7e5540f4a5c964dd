"""Whether results can be written, and whether their disk has room: what snakemake says badly."""

import errno
import os
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.refusals import refusal

LEAST = 2**18  # bytes: less holds no log, no benchmark and no note of snakemake's


def check_writable(folder: str | Path) -> None:
    """Refuse results that cannot be added to, or one of their folders.

    Args:
        folder: of the results; it need not be there.

    Raises:
        UserError: it names the folder, the reason and the remedy.
    """
    there = Path(folder)
    for path in [there, *(sorted(there.iterdir()) if there.is_dir() else [])]:
        if path.is_dir() and not os.access(path, os.W_OK | os.X_OK):
            number = errno.EROFS if os.statvfs(path).f_flag & os.ST_RDONLY else errno.EACCES
            raise UserError(refusal(_error(number, path), path))


def check_name(folder: Path) -> None:
    """Refuse a checkout in whose path snakemake would look for wildcards.

    Raises:
        UserError: it names the folder.
    """
    if {"{", "}"} & {*str(folder)}:
        raise UserError(
            f"{folder}: snakemake takes braces in the path of a workflow for wildcards; rename the "
            "folder, or move the checkout to another one, and run again"
        )


def full_now(folder: str | Path) -> str | None:
    """Say that the disk of a folder is full, and the remedy; None where it has room for files."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    if found.f_bavail * found.f_frsize >= LEAST and (found.f_favail or not found.f_files):
        return None
    return refusal(_error(errno.ENOSPC, folder), folder)


def _error(number: int, path: str | Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
