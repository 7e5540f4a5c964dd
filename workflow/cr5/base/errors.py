"""The exceptions whose messages are for the user, and refusals by the machine."""

import errno

REFUSED = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG),  # no room
    *(errno.EACCES, errno.EPERM, errno.EROFS),
    *(errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.ENXIO),  # the disk, or a network to it
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM),
}


class UserError(Exception):
    """Bad input: the message names the file and place, what was expected, and the remedy.

    Scripts print the message alone, without a traceback.
    """


class LeftOutError(UserError):
    """The data do not allow this setting or system; others go on without it.

    The message says why and takes the place of figures in the tables.
    """


def is_refusal(error: BaseException) -> bool:
    """Return whether the machine refused room, permission or memory; no file is damaged then."""
    return isinstance(error, MemoryError) or getattr(error, "errno", None) in REFUSED


def pass_on(error: BaseException) -> None:
    """Re-raise what the machine refused, before a reader calls its file damaged."""
    if is_refusal(error):
        raise error
