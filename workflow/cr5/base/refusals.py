"""What the machine refuses: room on a disk, or permission. It says nothing about a file's content.

Whoever turns an `OSError` into "this file is damaged" lets these through first.
"""

import errno
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

FULL = (errno.ENOSPC, errno.EDQUOT)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
LEAST_FREE = 2**18  # bytes: less holds no log, no benchmark and no note of snakemake's
SHORT = re.compile(r"\d+ requested and \d+ written")  # all that numpy says of a full disk


def is_refusal(error: BaseException) -> bool:
    """Say whether it was the machine that refused."""
    return isinstance(error, OSError) and (_is_full(error) or error.errno in FORBIDDEN)


def pass_on(error: BaseException) -> None:
    """Raise the error again if the machine refused; else do nothing."""
    if is_refusal(error):
        raise error


def refusal(error: OSError, folder: str | Path) -> str:
    """Say what was refused, and the remedy.

    Args:
        error: of which `is_refusal` is true.
        folder: in which was written, for an error that names no file.
    """
    place, reason = error.filename or folder, error.strerror or str(error)
    if _is_full(error):
        return (
            f"{place}: the disk is full, or its quota is used up ({reason}). Make room, or put "
            "the results on another disk (`results: FOLDER`), and run again: what is finished is "
            "kept."
        )
    return (
        f"{place}: not permitted ({reason}). Files and folders that a run reads must be readable "
        "for you, its results writable: change their owner or mode (chown, chmod), or choose "
        "another folder (`results: FOLDER`), and run again."
    )


def told_of_full_disk(places: Iterable[str | Path]) -> Iterator[str]:
    """Say of each folder on a disk that has no room left what to do; one that is not there has."""
    for place in places:
        if Path(place).exists() and shutil.disk_usage(place).free < LEAST_FREE:
            error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place))
            yield refusal(error, place)


def _is_full(error: OSError) -> bool:
    return error.errno in FULL or (error.errno is None and bool(SHORT.search(str(error))))
