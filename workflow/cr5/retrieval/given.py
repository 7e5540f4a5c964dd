"""Checks of texts, ids and titles that a caller gives."""

from collections.abc import Iterable, Iterator
from numbers import Integral
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.text_files import UNPRINTABLE

LONGEST_PATH = 4096


def check_texts(texts: Iterable[str]) -> Iterator[str]:
    """Pass on texts that a person wrote, such as queries.

    Raises:
        UserError: there are none; or one is not a string, is empty, or is the path of an existing
            file.
    """
    number = 0
    for number, text in enumerate(texts, start=1):
        check_kind(text, f"text {number}")
        if not text.strip():
            raise UserError(f"text {number} is empty: leave it out")
        if is_path(text):
            raise UserError(
                f"text {number} is the path of a file, {text!r}: read it, and give what is in it "
                "(on the command line: --file)"
            )
        yield text
    if not number:
        raise UserError("no text is given; give one")


def check_kind(text: Any, name: str) -> str:
    """Return a text of a collection, which may be empty or look like a path.

    Raises:
        UserError: it is not a string.
    """
    if not isinstance(text, str):
        raise UserError(f"{name}: expected a string, found {type(text).__name__}")
    return text


def several(what: str, values: Any) -> Iterable:
    """Return the values; refuse a single string, whose letters would be taken as values.

    Raises:
        UserError: it is a string, or not iterable.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise UserError(
            f"{what}: expected several, such as a list; found {values!r:.40}: put it in a list"
        )
    return values


def identity(value: Any, where: str = "") -> str | int:
    """Return the id of a new text; `where` is its place for messages, such as a file and a line.

    Raises:
        UserError: it is neither a string nor a whole number, is empty, or has control characters.
    """
    where = where and f"{where}: "
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if not isinstance(value, str):
        raise UserError(
            f"{where}id {value!r:.40}: expected a string or a whole number, found "
            f"{type(value).__name__}"
        )
    if not value.strip():
        raise UserError(f"{where}id {value!r} is empty; give every text an id")
    if UNPRINTABLE.search(value):
        raise UserError(
            f"{where}id {value!a:.40} has a character that cannot be kept; give another"
        )
    return value


def is_path(text: str) -> bool:
    """Whether a text of one word with a dot or slash in it names a file."""
    if len(text) > LONGEST_PATH or len(text.split()) != 1 or not set("./\\") & set(text):
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
