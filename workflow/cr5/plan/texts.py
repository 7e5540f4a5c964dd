"""Texts of the configuration with a required form: languages, names, patterns of paths."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from cr5.plan.mistakes import UNQUOTED


def like(pattern: str, expected: str, unquoted: str = "") -> BeforeValidator:
    """Accept text, or an integer, that matches a regular expression as a whole.

    Args:
        pattern: the expression.
        expected: the error message for anything else.
        unquoted: added to the message if YAML did not read it as text.
    """

    def check(value: Any) -> str:
        text = str(value) if type(value) is int else value  # such as keys that are numbers
        if not isinstance(text, str):
            raise ValueError(expected + unquoted)
        if not re.fullmatch(pattern, text):
            raise ValueError(expected)
        return text

    return BeforeValidator(check)


def holding(*parts: str) -> BeforeValidator:
    """Accept text that contains all of the parts, such as `{language}`."""
    expected = f"a path with {' and '.join(parts)} in it"

    def check(value: Any) -> str:
        if not isinstance(value, str) or not all(part in value for part in parts):
            raise ValueError(expected)
        return value

    return BeforeValidator(check)


def each_once(what: str) -> AfterValidator:
    """Accept a list without duplicates."""

    def check(values: Sequence[Any]) -> Sequence[Any]:
        if len(set(values)) < len(values):
            raise ValueError(f"each {what} once")
        return values

    return AfterValidator(check)


LONGEST = 60  # of names, which become file names and parts of them
NAME = f"[A-Za-z0-9][A-Za-z0-9_.]{{0,{LONGEST - 1}}}"
NAME_FORM = f"a name of at most {LONGEST} letters, digits, dots and underscores"

CODE = "[a-z]{2,12}(_[a-z]+)*"
Language = Annotated[
    str,
    like(
        CODE,
        'an ISO 639-1 code in lower case, such as en or da ("no" in quotes, or YAML reads false); '
        "variants with an underscore, pt_br",
    ),
]
Name = Annotated[str, like(NAME, NAME_FORM, UNQUOTED)]
SettingName = Annotated[
    str,
    like(
        f"[A-Za-z0-9_]{{1,{LONGEST}}}",
        f"a name of at most {LONGEST} letters, digits and underscores",
    ),
]
Folder = Annotated[
    str,
    like(
        r"[^~{}$\x00-\x1f\x7f][^{}$\x00-\x1f\x7f]*",
        "a folder written out: without {, }, $, control characters, or ~ at the beginning",
    ),
]
