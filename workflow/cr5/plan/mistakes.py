"""What is wrong with a configuration, in sentences that name the place."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from cr5.base.errors import UserError, did_you_mean, nearest
from cr5.contracts.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.contracts.keys import sections_below
from cr5.plan.entries import PART

OF_OTHERS = {"random_state": "seed", "n_jobs": "threads"}
"""What other libraries call a key of ours."""

Place = tuple[str | int, ...]
"""The keys, and numbers in lists, that lead to a place of the configuration."""


def sentences(
    error: ValidationError, config: Mapping[str, Any], root: type[BaseModel]
) -> Iterator[str]:
    """Yield a sentence for each place of a mistake; what a value may be else is joined by "or".

    Args:
        error: pydantic's, of reading the configuration.
        config: the configuration as it was read.
        root: the class of the whole.
    """
    mistakes = error.errors(include_url=False)
    expected: dict[tuple[Place, str], list[str]] = {}
    for mistake in mistakes:
        if _follows(mistake, mistakes):
            continue
        place = _place(mistake, config)
        cause = mistake.get("ctx", {}).get("error")
        if mistake["type"] == "extra_forbidden":
            sentence = _unknown_key(place, config, root)
        elif mistake["type"] == "missing":
            sentence = "it is needed, and not there"
        elif isinstance(cause, UserError):
            sentence = str(cause)
        else:
            messages = expected.setdefault((place, _shown_value(mistake)), [])
            messages.append(_message(mistake))
            continue
        yield f"{_written(place)}: {sentence}"
    for (place, value), messages in expected.items():
        different = " or ".join(dict.fromkeys(messages))
        yield f"{_written(place)}: {different}, found {value}"


def _follows(mistake: ErrorDetails, mistakes: Sequence[ErrorDetails]) -> bool:
    """Return whether a mistake says nothing that another does not say.

    Pydantic counts no entries that it has just refused; and a name that is refused names no part.
    """
    place = mistake["loc"]
    places_below = {other["loc"] for other in mistakes if other["loc"][:-1] == place}
    if mistake["type"] == "too_short":
        return bool(places_below and mistake["input"])
    place_of_name = (*place, "[key]")
    return mistake["type"] == "value_error" and place_of_name in places_below


def _shown_value(mistake: ErrorDetails) -> str:
    """Return what was found, as a message shows it."""
    value = mistake["input"]
    shown = f"{value!r:.200}"
    if isinstance(value, bool):
        return f'{shown}; quote "no" and "on" if text is meant'
    return shown


def _message(mistake: ErrorDetails) -> str:
    """Return pydantic's message in the words of YAML, which has no tuples and no classes."""
    message = mistake["msg"].removeprefix("Value error, ")
    message, _, _ = message.partition(" or instance of ")
    return message.replace("valid tuple", "valid list")


def _place(mistake: ErrorDetails, config: Mapping[str, Any]) -> Place:
    """Return where a mistake is.

    Of pydantic's steps those count that lead on in what is given. The others are names of a
    union's members, unless a key is needed, or is one of a part, whose default may be wrong.
    """
    steps = [step for step in mistake["loc"] if step != "[key]"]
    place: Place = ()
    value: Any = config
    for number, step in enumerate(steps):
        is_needed = mistake["type"] == "missing" and number == len(steps) - 1
        is_key_of_part = number > 0 and steps[number - 1] == PART
        if step == PART and not is_key_of_part:
            continue
        if _leads_on(value, step):
            place += (step,)
            value = value[step]
        elif is_needed or is_key_of_part:
            place += (step,)
            value = None
    return place


def _leads_on(value: Any, step: str | int) -> bool:
    if isinstance(value, Mapping):
        return step in value
    return isinstance(value, list) and isinstance(step, int)


def _unknown_key(place: Place, config: Mapping[str, Any], root: type[BaseModel]) -> str:
    section = place[:-1]
    key = str(place[-1])
    known = _known_keys(section, config, root)
    if key in known:  # which has the keys of all kinds
        return "a key of another kind than this one; remove it"
    name = OF_OTHERS.get(key, key)
    of_whole = nearest(name, root.model_fields)
    if of_whole and len(place) > 1 and not nearest(name, known):
        return f"unknown key; did you mean {of_whole!r}, a key of the whole configuration?"
    return f"unknown key; {did_you_mean(name, known)}"


def _known_keys(place: Place, config: Mapping[str, Any], root: type[BaseModel]) -> list[str]:
    """Return the keys that may stand at a place: of all kinds, if there are several."""
    for kind in (SOURCES, SYSTEMS, TASKS):
        if place[:1] == (kind.section,):
            return _keys_of_entry(kind, place, config)
    sections = [root]
    for step in place:
        sections = sections_below(sections, step) or sections
    keys: list[str] = []
    for section in sections:
        keys += section.model_fields
    return keys


def _keys_of_entry(kind: Kind, place: Place, config: Mapping[str, Any]) -> list[str]:
    """Return the keys of the entry at a place: those of its part, then its own."""
    keys = config[kind.section]
    name = kind.section
    if kind is not SOURCES:
        name = str(place[1])
        keys = keys[name]
    return list(kind.part_class(name, keys).model_fields) + list(kind.entry.model_fields)


def _written(place: Sequence[str | int]) -> str:
    written = ""
    for step in place:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            written += f".{step}"
    return written.removeprefix(".")
