"""What keys and options may hold.

Types of keys for pydantic; and the allowed values of options, as modules declare them, in the forms
that `cr5.base.options` explains.
"""

import datetime
import math
import operator
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from cr5.base.errors import UserError
from cr5.base.options import Option, declared
from cr5.plan.catalogue import constant
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


LANGUAGE, FILE, DATE, PATTERN = "{language}", "{file}", "{date}", "{pattern}"
TEXTS = {
    DATE: "latest, YYYY-MM-DD or YYYYMMDD",
    PATTERN: "a regular expression",
    LANGUAGE: "a language of the setting",
    "{path}": "a path",
    FILE: "the path of one file for all languages, without {language}",
    "{text}": "text",
    "{column}": "the name of a column",
}
HOLDS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}
SAID = {"ge": "{:g} or more", "gt": "more than {:g}", "le": "{:g} or less", "lt": "less than {:g}"}


def options_of(source: Path) -> dict[str, Option]:
    """Return the options that a module declares, without running it.

    Raises:
        UserError: `OPTIONS` is not a dictionary, or an option's allowed values have no known form.
    """
    if constant(source, "ALLOWED", None) is not None:
        raise UserError(
            f"{source}: ALLOWED is now a part of OPTIONS; write OPTIONS = "
            "{'rank': (300, {'ge': 1}, 'dimensions of the model')}, and so on"
        )
    before = {key: (x, ..., "") for key, x in constant(source, "DEFAULTS", {}).items()}
    found = constant(source, "OPTIONS", before)
    if not isinstance(found, dict):
        raise UserError(f"{source}: OPTIONS must be a dictionary by option, found {found!r}")
    for name, said in found.items():
        if isinstance(said, tuple) and not _is_declaration(said):
            raise UserError(
                f"{source}: OPTIONS has {name!r}: {said!r}; expected a default, or a tuple of "
                "default, bounds such as {'ge': 1} or a value or a tuple of these, and meaning"
            )
    return declared(found)


def is_allowed(value: Any, allowed: Any) -> bool:
    """Return whether a value is allowed; a list must not be empty, and each element be allowed."""
    if allowed is ...:
        return True
    if isinstance(value, list):
        return bool(value) and all(is_allowed(x, allowed) for x in value)
    return any(_is_one(value, x) for x in _alternatives(allowed))


def expected(allowed: Any, default: Any, found: Any = None) -> str:
    """Say which values an option allows.

    Args:
        allowed: the option's allowed values.
        default: the option's default, which tells whether it is a list.
        found: a value that is not allowed, which tells likewise.
    """
    alternatives = _alternatives(allowed)
    if not any(isinstance(x, list | tuple) for x in (default, found)):
        return _listed(alternatives)
    or_none = "null or " if None in alternatives else ""
    said = _listed([x for x in alternatives if x is not None])
    return f"{or_none}a list of one or more, each {said}"


def _listed(alternatives: Sequence[Any]) -> str:
    *others, last = map(_said, alternatives)
    return " or ".join(filter(None, [", ".join(others), last]))


def names_language(value: Any, allowed: Any) -> bool:
    """Return whether a value can only be a language."""
    others = [x for x in _alternatives(allowed) if x != LANGUAGE]
    return LANGUAGE in _alternatives(allowed) and not is_allowed(value, tuple(others))


def _alternatives(allowed: Any) -> tuple[Any, ...]:
    return allowed if isinstance(allowed, tuple) else (allowed,)


def _is_declaration(said: tuple) -> bool:
    forms = said[1:-1] or (...,)
    is_known = forms == (...,) or all(map(_is_form, _alternatives(forms[0])))
    return len(said) in (2, 3) and isinstance(said[-1], str) and is_known


def _is_form(alternative: Any) -> bool:
    if isinstance(alternative, Mapping):
        return set(alternative) <= set(HOLDS) and all(map(_is_number, alternative.values()))
    return alternative is None or isinstance(alternative, str | int | float)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_one(value: Any, alternative: Any) -> bool:
    if isinstance(alternative, Mapping):
        finite = _is_number(value) and math.isfinite(value)
        return finite and all(HOLDS[k](value, x) for k, x in alternative.items())
    if alternative in TEXTS:
        return _is_text(value, alternative)
    return type(value) is type(alternative) and value == alternative


def _is_text(value: Any, form: str) -> bool:
    try:
        if form == DATE:
            day(value)
        elif form == PATTERN:
            re.compile(value)
        if form == FILE and LANGUAGE in value:
            return False
        return form == DATE or isinstance(value, str)
    except (ValueError, TypeError, re.error):
        return False


def day(value: Any) -> str:
    """Return `latest` or YYYY-MM-DD, from text, a number or a date: YAML yields all of these.

    Raises:
        ValueError: it is none of these.
    """
    text = str(value)
    if text == "latest":
        return text
    digits = re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)", text)
    if not digits:
        raise ValueError(text)
    return datetime.date(*map(int, digits.groups())).isoformat()


def _said(alternative: Any) -> str:
    if isinstance(alternative, Mapping):
        return " and ".join(SAID[key].format(bound) for key, bound in alternative.items())
    if alternative is None:
        return "null"
    return TEXTS.get(alternative, repr(alternative))
