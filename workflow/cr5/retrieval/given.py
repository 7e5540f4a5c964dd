"""Checks of what a caller gives; each raises `UserError`."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

from cr5.base.errors import UserError
from cr5.base.text_files import UNPRINTABLE


def several(what: str, values: Any) -> Iterable:
    """Return the values; refuse a string or a frame, whose letters or names would be these."""
    is_whole = isinstance(values, str | bytes) or hasattr(values, "columns")
    if is_whole or not isinstance(values, Iterable):
        raise UserError(f"{what}: expected several, such as a list; found {values!r:.40}")
    return values


def strings(values: Any, what: str = "text") -> list[str]:
    """Return strings, or one, as a list; `what` names one of them."""
    found = [values] if isinstance(values, str) else list(several(f"{what}s", values))
    for number, each in enumerate(found, start=1):
        if not isinstance(each, str):
            raise UserError(f"{what} {number}: expected a string, found {type(each).__name__}")
    if not found:
        raise UserError(f"no {what} is given; give one")
    return found


def identity(value: Any) -> str:
    """Return the id of a new text as a string."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    if not isinstance(value, str) or not value.strip() or UNPRINTABLE.search(value):
        raise UserError(
            f"id {value!a:.40}: expected a whole number, or a string of characters that print"
        )
    return value
