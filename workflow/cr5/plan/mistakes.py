"""Mistakes of the configuration in words: what was expected, found and probably meant."""

import math
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any


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
    named = " and ".join(filter(None, [", ".join(others[:-1]), others[-1]]))
    return f"{place}: a key of the {what} {named}, not of {name}"


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
