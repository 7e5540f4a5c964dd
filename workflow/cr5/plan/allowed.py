"""What options may be, as a module says it in the literal `ALLOWED` beside its `DEFAULTS`.

    ALLOWED = {
        "rank": {"ge": 1},                          # bounds of a number: ge, gt, le, lt
        "ridges": {"gt": 0},                        # of a list: of each of its elements
        "solver": ("auto", "dense", "iterative"),   # a tuple: one of these
        "tolerance": ("paper", {"gt": 0, "lt": 1}),
        "pivot": (None, "{language}"),              # a language of the setting
        "documents": "{path}",
        "label": "{column}",
    }

An option that is not named there may be all that is of the kind of its default.
"""

import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.plan.catalogue import constant

LANGUAGE = "{language}"
TEXTS = {
    LANGUAGE: "a language of the setting",
    "{path}": "a path",
    "{column}": "the name of a column",
}
HOLDS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}
SAID = {"ge": "{:g} or more", "gt": "more than {:g}", "le": "{:g} or less", "lt": "less than {:g}"}


def allowed_of(source: Path) -> dict[str, Any]:
    """Return what a module allows of each of its options.

    Raises:
        UserError: it is none of the forms above, or names what is no option.
    """
    found = constant(source, "ALLOWED", {})
    options = constant(source, "DEFAULTS", {})
    if not isinstance(found, dict):
        raise UserError(f"{source}: ALLOWED must be a dictionary by option, found {found!r}")
    for name, allowed in found.items():
        if name not in options or not all(map(_is_form, _alternatives(allowed))):
            raise UserError(
                f"{source}: ALLOWED has {name!r}: {allowed!r}; expected the name of an option in "
                "DEFAULTS, and bounds such as {'ge': 1}, a value, or a tuple of these"
            )
    return found


def is_allowed(value: Any, allowed: Any) -> bool:
    """Whether a value is as its module allows; a list must have elements, each as allowed."""
    if isinstance(value, list):
        return bool(value) and all(is_allowed(x, allowed) for x in value)
    return any(_is_one(value, x) for x in _alternatives(allowed))


def expected(allowed: Any, default: Any) -> str:
    """Say what is allowed of an option.

    Args:
        allowed: of it.
        default: of it, which tells a list.
    """
    said = " or ".join(map(_said, _alternatives(allowed)))
    return f"a list of one or more, each {said}" if isinstance(default, list | tuple) else said


def names_language(value: Any, allowed: Any) -> bool:
    """Whether a value can only be meant as a language."""
    others = [x for x in _alternatives(allowed) if x != LANGUAGE]
    return LANGUAGE in _alternatives(allowed) and not is_allowed(value, tuple(others))


def _alternatives(allowed: Any) -> tuple[Any, ...]:
    return allowed if isinstance(allowed, tuple) else (allowed,)


def _is_form(alternative: Any) -> bool:
    if isinstance(alternative, Mapping):
        return set(alternative) <= set(HOLDS) and all(map(_is_number, alternative.values()))
    return alternative is None or isinstance(alternative, str | int | float)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_one(value: Any, alternative: Any) -> bool:
    if isinstance(alternative, Mapping):
        return _is_number(value) and all(HOLDS[k](value, x) for k, x in alternative.items())
    if alternative in TEXTS:
        return isinstance(value, str)
    return type(value) is type(alternative) and value == alternative


def _said(alternative: Any) -> str:
    if isinstance(alternative, Mapping):
        return " and ".join(SAID[key].format(bound) for key, bound in alternative.items())
    if alternative is None:
        return "null"
    return TEXTS.get(alternative, repr(alternative))
