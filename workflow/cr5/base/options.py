"""How a system or task declares its options: a literal, so that no module is run to read it.

    OPTIONS = {
        "rank": (300, {"ge": 1}, "dimensions of the model"),    # default, what it may be, meaning
        "merged": (True, "one column for a string of all languages"),    # of the default's kind
        "ranks": [2, 8, 30],    # the default alone, which is no tuple
    }

What an option may be is one of these, or a tuple of alternatives; of a list, what its elements are:

    {"ge": 1}                  bounds of a number: ge, gt, le, lt
    "dense", None              this value
    "{language}"               a language of the setting
    "{path}", "{column}"       text

Modules share options: `{**MAPPED, "rounds": ...}`, `MAPPED` being such a literal of this package.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from types import EllipsisType
from typing import Any


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        default: its value where none is given.
        allowed: what it may be; `...` for all of the default's kind.
        meaning: in a line, for the documentation.
    """

    default: Any
    allowed: Any | EllipsisType = ...
    meaning: str = ""


def declared(options: Mapping[str, Any]) -> dict[str, Option]:
    """Return what a literal `OPTIONS` says of each option."""
    return {name: _option(said) for name, said in options.items()}


def complete(options: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given options, and the defaults of a literal `OPTIONS` for all others."""
    return {name: option.default for name, option in declared(options).items()} | dict(given)


def settings_class(name: str, options: Mapping[str, Any]) -> type:
    """Return a frozen dataclass that has a literal's options, with their defaults."""
    fields = [
        (key, Any, field(default_factory=lambda x=option.default: x))
        for key, option in declared(options).items()
    ]
    return make_dataclass(name, fields, frozen=True)


def _option(said: Any) -> Option:
    if not isinstance(said, tuple):
        return Option(said)
    default, *allowed, meaning = said
    return Option(default, *(allowed or [...]), meaning)
