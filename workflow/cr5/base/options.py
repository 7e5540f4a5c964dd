"""How a system or task declares its options: as a literal, readable without running the module.

    OPTIONS = {
        "rank": (300, {"ge": 1}, "dimensions of the model"),    # default, what it may be, meaning
        "merged": (True, "one column for a string of all languages"),    # of the default's kind
        "ranks": [2, 8, 30],    # only the default, if it is not a tuple
    }

The allowed values are one of these, or a tuple of alternatives; for a list, of its elements:

    {"ge": 1}                  bounds of a number: ge, gt, le, lt
    "dense", None              this value
    "{language}"               a language of the setting
    "{path}", "{column}", "{text}"
    "{file}"                   a path without {language}
    "{date}", "{pattern}"      `latest` or a date; a regular expression

Modules share options: `{**MAPPED, "rounds": ...}`, `MAPPED` being such a literal of this package.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from dataclasses import fields as dataclass_fields
from types import EllipsisType
from typing import Any, ClassVar


class Section:
    """A section of the configuration, a frozen dataclass: other keys than its own are mistakes."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        default: its value if none is given.
        allowed: what it may be; `...` for anything of the default's kind.
        meaning: one line, for the documentation.
    """

    default: Any
    allowed: Any | EllipsisType = ...
    meaning: str = ""


def declared(options: Mapping[str, Any]) -> dict[str, Option]:
    """Return the options that a literal `OPTIONS` declares."""
    return {name: _option(said) for name, said in options.items()}


def complete(options: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given options, with the defaults of a literal `OPTIONS` for all others."""
    return {name: option.default for name, option in declared(options).items()} | dict(given)


def settings_class(name: str, options: Mapping[str, Any]) -> type:
    """Return a frozen dataclass with a literal's options and their defaults; see `_from_config`."""
    fields = [
        (key, Any, field(default_factory=lambda x=option.default: x))
        for key, option in declared(options).items()
    ]
    own = {"from_config": classmethod(_from_config)}
    return make_dataclass(name, fields, frozen=True, namespace=own)


def _from_config(cls: type, section: Mapping[str, Any]) -> Any:
    """Take the relevant keys of a section of the configuration; ignore others."""
    return cls(**{x.name: section[x.name] for x in dataclass_fields(cls) if x.name in section})


def _option(said: Any) -> Option:
    if not isinstance(said, tuple):
        return Option(said)
    default, *allowed, meaning = said
    return Option(default, *(allowed or [...]), meaning)
