"""JSON lines from users: one object per line, with text that can be stored."""

import json
import re
import unicodedata
from typing import Any

from cr5.base.errors import UserError
from cr5.base.lines import decode

# A lone surrogate cannot be stored as UTF-8; text cut in the middle of an emoji ends in one.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
UNPRINTABLE = re.compile("[\0-\x1f\x7f\ud800-\udfff]")


def loads(text: str) -> Any:
    """Parse JSON in which no object repeats a key: Python would take the last one.

    Raises:
        KeyError: with the repeated key.
        ValueError, RecursionError: as for `json.loads`.
    """
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise KeyError(key)
        found[key] = value
    return found


def parse(line: bytes, where: str) -> dict[str, Any]:
    """Read a line.

    Args:
        line: a line of a file.
        where: file and line, for messages.

    Raises:
        UserError: not UTF-8, not JSON, not an object, or a key is repeated.
    """
    try:
        value = loads(decode(line, where).rstrip("\r\n"))
    except json.JSONDecodeError as error:
        raise UserError(
            f"{where}, column {error.colno}: not JSON ({error.msg}); expected one object a line"
            f"{_guess(line, error.pos)}"
        ) from error
    except KeyError as error:
        raise UserError(f"{where}: the key {error} stands there twice; keep one") from error
    except (ValueError, RecursionError) as error:  # numbers or nesting beyond Python's limits
        raise UserError(f"{where}: unreadable JSON ({error}); shorten or remove it") from error
    if not isinstance(value, dict):
        raise UserError(
            f"{where}: expected an object, {{...}}, on each line, got {type(value).__name__}"
            f"{_guess(line, 0)}"
        )
    return value


def _guess(line: bytes, place: int) -> str:
    """Say what a file probably is whose line is no object."""
    text = line.decode().strip()
    if text.startswith("["):
        return ". Is it a list? `jq -c '.[]'` makes lines of one"
    if text.endswith(",") and place >= len(text) - 1:
        return ". A comma ends the line, as in a list: remove such commas, and the list's brackets"
    if text in ("{", "}", "]") or place >= len(text):
        return ". Has an object several lines? `jq -c .` makes one of them"
    return ""


def text(key: str, value: Any, where: str) -> str:
    """Check that a value is text; replace what cannot be stored by U+FFFD, which is not a letter.

    Raises:
        UserError: it is not a string.
    """
    if not isinstance(value, str):
        raise UserError(f'{where}: "{key}" must be a string, got {type(value).__name__}')
    return storable(value)


def storable(value: str) -> str:
    """Replace what cannot be stored by U+FFFD."""
    return UNSTORABLE.sub("\ufffd", value)


def name(key: str, value: Any, where: str) -> str:
    """Read an id or a label as text, stripped and in NFC.

    Raises:
        UserError: it is neither text nor an integer; it is empty; or it has a character that no
            table or message can hold. Nothing is replaced: two names could become equal.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UserError(f'{where}: "{key}" must be text or an integer, got {type(value).__name__}')
    found = unicodedata.normalize("NFC", str(value)).strip()
    if not found:
        raise UserError(f'{where}: "{key}" is empty; give one to each document')
    if UNPRINTABLE.search(found):
        raise UserError(f'{where}: "{key}": remove the character that cannot be kept: {found!a}')
    return found
