"""What somebody gives for a text, looked at before it is taken for one."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cr5.base.errors import UserError

LONGEST_PATH = 4096


def check_texts(texts: Iterable[str]) -> Iterator[str]:
    """Give the texts on.

    Raises:
        UserError: one is no text, is empty, or is the path of a file that is there; or none is
            given.
    """
    number = 0
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise UserError(f"text {number}: expected a string, found {type(text).__name__}")
        if not text.strip():
            raise UserError(f"text {number} is empty: leave it out")
        if is_path(text):
            raise UserError(
                f"text {number} is the path of a file, {text!r}: read it, and give what is in it "
                "(on the command line: --file)"
            )
        yield text
    if not number:
        raise UserError("no text is given")


def is_path(text: str) -> bool:
    """Say whether a text of one word with a dot or slash in it names a file."""
    if len(text) > LONGEST_PATH or len(text.split()) != 1 or not set("./\\") & set(text):
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
