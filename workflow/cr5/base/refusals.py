"""What the machine refuses: disk space, permission, memory. It says nothing about a file.

Code that turns an `OSError` into "this file is damaged" must let these through first.
"""

import errno
import os
import re
import tokenize
from pathlib import Path

# what json, numpy and the like raise for files that are not theirs, cut off or damaged; an OSError
# may also be a refusal: see `pass_on`
DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError)
DAMAGED += (SyntaxError, RecursionError, tokenize.TokenError)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
BROKEN = (errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.ENXIO)
CROWDED = (errno.EMFILE, errno.ENFILE)
SHORT = re.compile(r"\d+ requested and \d+ written")  # all that numpy says of a full disk
NO_ROOM_TO_LOAD = "failed to map segment from shared object"
NUMBER = re.compile(r"\[Errno (\d+)\]")

NO_MEMORY = (
    "there is not enough memory for this job. Run fewer jobs at once (`--cores`), ask for more "
    "(`--set-resources RULE:mem_mb=N`, on a cluster), or take a larger machine, and run again: "
    "what is finished is kept."
)
REMEDIES = {
    FULL: "the disk is full, or its quota is used up ({reason}). Make room, or put the results on "
    "another disk (`results: FOLDER`), and run again: what is finished is kept.",
    FORBIDDEN: "not permitted ({reason}). Files and folders that a run reads must be readable for "
    "you, its results writable: change their owner or mode (chown, chmod), or choose another "
    "folder (`results: FOLDER`), and run again.",
    BROKEN: "the disk, or the network that it is reached by, failed ({reason}); the file "
    "itself may be fine. Check the disk, and run again: what is finished is kept.",
    CROWDED: "too many files are open ({reason}). Raise the limit (`ulimit -n`), and run again: "
    "what is finished is kept.",
}
"""By numbers of the system: what is said after the place."""


def is_refusal(error: BaseException) -> bool:
    """Say whether it was the machine that refused."""
    return _is_memory(error) or (isinstance(error, OSError) and _remedy(error) is not None)


def beneath(error: BaseException | None) -> BaseException | None:
    """The refusal that an error is, or while handling which it was raised; None if there is none.

    Matplotlib, for one, closes a PDF of which a part could not be written, and fails at that.
    """
    while error is not None and not is_refusal(error):
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return error


def is_refusal_to_write(error: BaseException) -> bool:
    """Say whether room or permission is what was refused."""
    return getattr(error, "errno", None) in FULL + FORBIDDEN


def pass_on(error: BaseException) -> None:
    """Raise the error again if the machine refused; else do nothing."""
    if is_refusal(error):
        raise error


def refusal(error: BaseException, folder: str | Path) -> str:
    """Say what was refused, and the remedy.

    Args:
        error: of which `is_refusal` is true.
        folder: in which was written, for an error that names no file.
    """
    if _is_memory(error):
        return NO_MEMORY
    place, reason = error.filename or folder, error.strerror or str(error)
    return f"{place}: {_remedy(error).format(reason=reason)}"


def of_text(said: str, path: str | Path) -> OSError | None:
    """What the machine refused to another program, by what that said; None where it was not that.

    Args:
        said: with Python's `[Errno 28]` in it, say.
        path: that it was writing.
    """
    for number in map(int, NUMBER.findall(said)):
        error = OSError(number, os.strerror(number), str(path))
        if is_refusal(error):
            return error
    return None


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, ImportError):  # of a library that is loaded when first needed
        return NO_ROOM_TO_LOAD in str(error)
    return isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM


def _remedy(error: OSError) -> str | None:
    if error.errno is None and SHORT.search(str(error)):
        return REMEDIES[FULL]
    return next((said for numbers, said in REMEDIES.items() if error.errno in numbers), None)
