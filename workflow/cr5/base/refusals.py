"""What the machine refuses: room on a disk, or permission. It says nothing about a file's content.

Whoever turns an `OSError` into "this file is damaged" lets these through first.
"""

import errno
import re
from pathlib import Path

FULL = (errno.ENOSPC, errno.EDQUOT)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
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


def _is_full(error: OSError) -> bool:
    return error.errno in FULL or (error.errno is None and bool(SHORT.search(str(error))))
