"""Mistakes of the configuration in words: what was expected, found and probably meant."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from pydantic import Tag, ValidationError
from pydantic.fields import FieldInfo

from cr5.base.errors import UserError

SHOWN = 20  # of the mistakes of one configuration
UNQUOTED = ", in quotes, or YAML takes it for something else"

Location = tuple[str | int, ...]
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


class MistakesError(ValueError):
    """Several mistakes of one section, each a sentence that names its key.

    A pydantic validator may raise only once; this lets it report everything at once. A sentence
    that begins with a dot continues the place of the section.
    """

    def __init__(self, sentences: Iterable[str]):
        self.sentences = list(sentences)
        super().__init__("; ".join(self.sentences))


def raise_any(sentences: Iterable[str]) -> None:
    """Raise `MistakesError` if there are any."""
    if found := list(sentences):
        raise MistakesError(found)


def listed(sentences: Sequence[str]) -> UserError:
    """Return the error that lists the mistakes of a configuration; of very many, the first."""
    more = len(sentences) - SHOWN
    lines = ["The configuration has mistakes:", *sentences[:SHOWN]]
    if more > 0:
        lines.append(f"and {more} more")
    return UserError("\n  - ".join(lines) + "\ndocs/configuration.md explains every key.")


def unexpected(place: str, expected: str, found: Any) -> str:
    """Say what a key holds and what it should; add a remedy for numbers that YAML reads as text."""
    return f"{place}: expected {expected}, found {found!r}{number_hint(found)}"


def unknown(prefix: str, key: str, known: Iterable[str]) -> str:
    """Report an unknown key or name; suggest the nearest one, or else list all."""
    known = list(known)
    near = get_close_matches(str(key), known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    return f"{prefix}{key}: unknown key; {hint}"


def of_others(place: str, own: str, others: Sequence[str]) -> str:
    """Report a key that only other variants have.

    Args:
        place: of the key.
        own: what the variant is, and its name, such as `kind joint`.
        others: names of the variants that have the key.
    """
    what, _, name = own.partition(" ")
    what += "s" if len(others) > 1 else ""
    named = " and ".join(filter(None, [", ".join(others[:-1]), others[-1]]))
    return f"{place}: a key of the {what} {named}, not of {name}; remove it"


def number_hint(value: Any) -> str:
    """Return a remedy if a number was read as text, as YAML does with 1e-6; else nothing."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return ""
    if not isinstance(value, str) or not math.isfinite(number):
        return ""
    plain = str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if "e" in plain and "." not in plain:
        plain = plain.replace("e", ".0e")  # YAML's numbers have a dot before the exponent
    if value == plain:  # YAML reads it as a number unless it is quoted
        return f"; quoted, or given by --config, which nests only text: in a file, write {plain}"
    return f"; YAML takes that for text, write {plain}"


def sentences(error: ValidationError, root: type) -> list[str]:
    """Return pydantic's errors as sentences, in the order of the keys.

    Args:
        error: it may hold a `MistakesError`, which has several.
        root: the dataclass that was validated.
    """
    details = error.errors(include_url=False)
    return [x for each in details if not _follows(each, details) for x in _sentences(each, root)]


def _follows(detail: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a list is too short only because its wrong entries, reported too, do not count."""
    inside = [x["loc"][: len(detail["loc"])] for x in others if x is not detail]
    return detail["type"] == "too_short" and detail["loc"] in inside


def _sentences(detail: Mapping[str, Any], root: type) -> Iterator[str]:
    location, kind, context = detail["loc"], detail["type"], detail.get("ctx", {})
    section, variants, parts = _resolved(root, location)
    place, above = _written(parts) or "top level", _written(parts[:-1])
    if kind == "missing":
        yield f"{above or 'top level'}: missing {location[-1]!r}{_hint(section, location[-1])}"
    elif kind == "unexpected_keyword_argument":
        yield _unknown_key(above and f"{above}.", str(location[-1]), section, variants)
    elif isinstance(context.get("error"), MistakesError):
        yield from (place + x if x[0] == "." else x for x in context["error"].sentences)
    elif location[-1] == KEY and kind == "literal_error":
        known = re.findall("'(.+?)'", context["expected"])
        yield unknown(f"{above}.", location[-2], known)
    else:
        expected = EXPECTED.get(kind)
        ending = "y" if context.get("min_length") == 1 else "ies"
        expected = expected.format(ending=ending, **context) if expected else detail["msg"]
        if kind == "string_type" and isinstance(detail["input"], int | float):
            expected += UNQUOTED
        yield unexpected(place, expected, detail["input"])


def _resolved(root: type, location: Location) -> tuple[type, dict[str, type], Location]:
    """Return the dataclass that has, or should have, the last key, and the place as users know it.

    Returns:
        the dataclass; by name the variants of which it is one, if any; the location without names
        of variants, which pydantic adds.
    """
    kind = section = root
    variants: dict[str, type] = {}
    parts = []
    for part in location:
        kind = _bare(kind)
        if part in (tagged := _tagged(kind)):
            kind, variants = tagged[part], tagged
            continue
        parts += [] if part == KEY else [part]
        if is_dataclass(kind):
            section = kind
            kind = {x.name: x.type for x in fields(kind)}.get(part)
        else:
            kind = get_args(kind)[-1] if get_origin(kind) in (dict, list) else None
    return section, {tag: _bare(x) for tag, x in variants.items()}, tuple(parts)


def _bare(kind: Any) -> Any:
    """Return a type without annotations, and what may be None without that."""
    others = [x for x in get_args(kind) if x is not NoneType]
    if get_origin(kind) is Annotated or (NoneType in get_args(kind) and len(others) == 1):
        return _bare(others[0])
    return kind


def _tagged(kind: Any) -> dict[str, Any]:
    """Return the variants of a union by their tags; empty for any other type."""
    members = [x for x in get_args(kind) if get_origin(x) is Annotated]
    return {y.tag: x for x in members for y in x.__metadata__ if isinstance(y, Tag)}


def _written(parts: Location) -> str:
    return "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in parts).lstrip(".")


def _hint(section: type, key: str) -> str:
    [annotation] = [x.type for x in fields(section) if x.name == key]
    said = [x.description for x in get_args(annotation) if isinstance(x, FieldInfo)]
    return "".join(f": {x}" for x in said if x)


def _unknown_key(above: str, key: str, section: type, variants: Mapping[str, type]) -> str:
    if "kind" in _keys(section):
        own = next(name for name, variant in variants.items() if variant is section)
        if others := [name for name, x in variants.items() if key in _keys(x)]:
            return of_others(f"{above}{key}", f"kind {own}", others)
    return unknown(above, key, _keys(section))


def _keys(section: type) -> list[str]:
    return [x.name for x in fields(section)]
