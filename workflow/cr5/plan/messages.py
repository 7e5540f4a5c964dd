"""Pydantic's errors as sentences: the key, what was expected, what was found."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from cr5.plan.mistakes import MistakesError, of_others, unexpected, unknown
from cr5.plan.schema import section_of
from cr5.plan.setting_kinds import KINDS
from cr5.plan.texts import UNQUOTED

Location = tuple[str | int, ...]

# Where pydantic's locations contain the name of the chosen dataclass.
TAGS = {"settings": 2, "vectors": 1, "alignments": 1}
KEY = "[key]"  # ends the location of an invalid key of a mapping

EXPECTED = {
    "bool_type": "true or false",
    "dataclass_type": "a mapping, key: value",
    "dict_type": "a mapping, key: value",
    "float_type": "a number",
    "int_type": "an integer",
    "list_type": "a list",
    "string_type": "text",
    "tuple_type": "a list",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "{ge:.10g} or more",
    "less_than": "less than {lt:g}",
    "less_than_equal": "{le:.10g} or less",
    "literal_error": "{expected}",
    "string_too_short": "text that is not empty",
    "too_short": "at least {min_length} entr{ending}",
    "too_long": "at most {max_length} entries",
    "value_error": "{error}",
}


def sentences(error: ValidationError) -> list[str]:
    """Return one or more sentences for each mistake, in the order of the keys."""
    details = error.errors(include_url=False)
    return [x for each in details if not _follows(each, details) for x in _sentences(each)]


def _follows(detail: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a list is too short only because its wrong entries, reported too, do not count."""
    inside = [x["loc"][: len(detail["loc"])] for x in others if x is not detail]
    return detail["type"] == "too_short" and detail["loc"] in inside


def _sentences(detail: Mapping[str, Any]) -> Iterator[str]:
    location, kind, context = detail["loc"], detail["type"], detail.get("ctx", {})
    place = _place(location)
    if kind == "missing":
        yield _missing(location)
    elif kind == "unexpected_keyword_argument":
        yield _unknown_key(location)
    elif isinstance(context.get("error"), MistakesError):
        yield from (place + x if x[0] == "." else x for x in context["error"].sentences)
    elif location[-1] == KEY and kind == "literal_error":
        known = re.findall("'(.+?)'", context["expected"])
        yield unknown(_place(location[:-2]) + ".", location[-2], known)
    else:
        expected = EXPECTED.get(kind)
        ending = "y" if context.get("min_length") == 1 else "ies"
        expected = expected.format(ending=ending, **context) if expected else detail["msg"]
        if kind == "string_type" and isinstance(detail["input"], int | float):
            expected += UNQUOTED
        yield unexpected(place, expected, detail["input"])


def _place(location: Location) -> str:
    """Return a location in the form in which users write keys."""
    tag = TAGS.get(location[0]) if location else None
    parts = [x for number, x in enumerate(location) if number != tag and x != KEY]
    written = "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in parts).lstrip(".")
    return written or "top level"


def _missing(location: Location) -> str:
    *_, key = location
    [annotation] = [x.type for x in fields(section_of(location)) if x.name == key]
    said = [x.description for x in get_args(annotation) if isinstance(x, FieldInfo)]
    hint = "".join(f": {x}" for x in said if x)
    return f"{_place(location[:-1])}: missing {key!r}{hint}"


def _unknown_key(location: Location) -> str:
    *above, key = location
    section = section_of(location)
    place = _place(tuple(above)) + "." if above else ""
    if section in KINDS.values():
        own = next(name for name, variant in KINDS.items() if variant is section)
        if others := [name for name, x in KINDS.items() if key in _keys(x)]:
            return of_others(f"{place}{key}", f"kind {own}", others)
    return unknown(place, str(key), _keys(section))


def _keys(section: type) -> list[str]:
    return [x.name for x in fields(section)]
