"""The exceptions whose messages are for the user, refusals by the machine, and absent packages."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

MISPLACED = FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError


class UserError(Exception):
    """Bad input: the message names the file and place, what was expected, and the remedy."""


class UnfitError(UserError):
    """A result of ours is damaged, or another than expected; `what` says so without the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        """Take the two halves of the message."""
        super().__init__(f"{what}; {remedy}")
        self.what = what


class LeftOutError(UserError):
    """The data do not allow this setting or system; the message takes the place of figures."""


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Return which known name may be meant, or all of them."""
    meant = nearest(name, known)
    if meant:
        return f"did you mean {meant!r}?"
    return f"there are {', '.join(known)}."


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that is written most alike; empty if none is."""
    matches = get_close_matches(name, list(known), 1)
    return matches[0] if matches else ""


def is_refusal(error: BaseException) -> bool:
    """Return whether the machine refused room, permission or memory; no file is damaged then.

    What decompressors raise of damaged files has no number.
    """
    has_number = getattr(error, "errno", None) is not None
    return isinstance(error, MemoryError) or (has_number and not isinstance(error, MISPLACED))


def pass_on(error: BaseException) -> None:
    """Re-raise what the machine refused, before a reader calls its file damaged."""
    if is_refusal(error):
        raise error


@contextmanager
def needed(extra: str, by: str = "", otherwise: str = "") -> Iterator[None]:
    """Import what an extra of this package installs; UserError names it, and a way without."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "cr5"):
            raise
        message = f"needs the package {package}, which is not installed: pip install 'cr5[{extra}]'"
        if by:
            message = f"{by}: {message}"
        if otherwise:
            message = f"{message}, or {otherwise}"
        raise UserError(message) from error
