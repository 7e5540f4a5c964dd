"""Refusals by the machine: disk space, permission, memory. They say nothing about a file.

Code that turns an `OSError` into "this file is damaged" must let these through first.
"""

import errno
import re
import tokenize
from pathlib import Path

# what json, numpy and the like raise for files of another format, cut off or damaged; an OSError
# may also be a refusal: see `pass_on`
DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError)
DAMAGED += (SyntaxError, RecursionError, tokenize.TokenError)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
BROKEN = (errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.ENXIO)  # the disk, or a network to it
CROWDED = (errno.EMFILE, errno.ENFILE)
SHORT = re.compile(r"\d+ requested and \d+ written")  # all that numpy says about a full disk
NO_ROOM_TO_LOAD = "failed to map segment from shared object"

NO_MEMORY = (
    "there is not enough memory for this job. Run fewer jobs at once (`--cores`), ask for more "
    "(`--set-resources RULE:mem_mb=N`, on a cluster), or take a larger machine, and run again: "
    "what is finished is kept."
)
KEPT = "Mend that, and run again: what is finished is kept."


def is_refusal(error: BaseException) -> bool:
    """Return whether the machine refused."""
    return _is_memory(error) or (isinstance(error, OSError) and _is_of_the_machine(error))


def beneath(error: BaseException | None) -> BaseException | None:
    """Return the refusal that an error is, or that led to it; None if there is none.

    Matplotlib, for example, closes a PDF that could not be written in full, and fails at that.
    """
    while error is not None and not is_refusal(error):
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return error


def is_refusal_to_write(error: BaseException) -> bool:
    """Return whether disk space or permission was refused."""
    return getattr(error, "errno", None) in FULL + FORBIDDEN


def pass_on(error: BaseException) -> None:
    """Re-raise the error if the machine refused; otherwise do nothing."""
    if is_refusal(error):
        raise error


def refusal(error: BaseException, folder: str | Path) -> str:
    """Say what was refused, as the system says it.

    Args:
        error: one for which `is_refusal` is true.
        folder: the folder written to, for an error that names no file.
    """
    if _is_memory(error):
        return NO_MEMORY
    return f"{error.filename or folder}: {error.strerror or error}. {KEPT}"


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, ImportError):  # of a library loaded on first use
        return NO_ROOM_TO_LOAD in str(error)
    return isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM


def _is_of_the_machine(error: OSError) -> bool:
    if error.errno is None:
        return SHORT.search(str(error)) is not None
    return error.errno in FULL + FORBIDDEN + BROKEN + CROWDED
