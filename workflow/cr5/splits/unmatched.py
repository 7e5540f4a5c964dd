"""Concepts of two languages that may be meant to be the same, if few or none are equal.

`A_1` in one file and `a1` in another are two concepts, and a count of zero does not show why.
"""

import re
import unicodedata
from bisect import bisect
from collections.abc import Mapping
from difflib import SequenceMatcher, get_close_matches

import pandas as pd

COLUMNS = ("first", "second", "concepts")
LITTLE = 0.1  # of the concepts of the smaller language: sharing more is no accident
MOST = 100_000  # concepts of a language to look at
SAMPLE = 12  # of them, to compare letter by letter
AROUND = 20  # neighbours on each side, in alphabetical order, to compare each concept with
ALIKE = 0.5  # of 1: the likeness of short concepts with different prefixes, en_12 and da_12
SHOWN = 3  # pairs of concepts; and pairs of languages
LONGEST = 60  # characters of a concept that are compared and shown

DIGITS = re.compile(r"\d+")

Likely = list[tuple[str, str]]


def nearly_the_same(documents: Mapping[str, pd.Index], pairs: pd.DataFrame) -> list[str]:
    """Show concepts that differ by little, for pairs of languages that share little.

    Args:
        documents: per language, its concepts.
        pairs: of languages: first, second, concepts (how many both have); only the first few that
            share little are examined.

    Returns:
        A sentence for each pair that has such concepts.
    """
    few = [
        (first, second)
        for first, second, shared in zip(*(pairs[x] for x in COLUMNS), strict=True)
        if shared < LITTLE * min(len(documents[first]), len(documents[second]))
    ]
    found = {pair: _likely(*(documents[x] for x in pair)) for pair in few[:SHOWN]}
    return [_sentence(pair, likely) for pair, likely in found.items() if likely]


def _sentence(pair: tuple[str, str], likely: Likely) -> str:
    first, second = pair
    shown = ", ".join(f"{a[:LONGEST]!r} and {b[:LONGEST]!r}" for a, b in likely)
    return (
        f"Concepts that only {first} or only {second} has and that are nearly the same: {shown}; "
        "only equal ones are one concept."
    )


def _likely(first: pd.Index, second: pd.Index) -> Likely:
    """Pairs that differ in case, punctuation or zeros; if there are none, those most alike.

    Concepts that differ only in their numbers, such as Q64 and Q65, are not alike.
    """
    ours, theirs = _by_form(first.difference(second)), _by_form(second.difference(first))
    same = sorted(ours.keys() & theirs.keys())[:SHOWN]
    if same:
        return [(ours[form], theirs[form]) for form in same]
    alike = sorted(_alike(ours, theirs), reverse=True)[:SHOWN]
    return [(ours[a], theirs[b]) for _, a, b in alike]


def _by_form(concepts: pd.Index) -> dict[str, str]:
    """Concepts keyed by their letters and digits alone."""
    forms = {_form(concept): concept for concept in concepts[:MOST]}
    forms.pop("", None)
    return forms


def _form(concept: str) -> str:
    text = unicodedata.normalize("NFKC", concept[:LONGEST]).casefold()
    return re.sub(r"[\W_]|(?<!\d)0+(?=\d)", "", text)


def _alike(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[tuple[float, str, str]]:
    """(likeness, form, form) for a sample, each with its most similar neighbour."""
    forms, others = sorted(ours), sorted(theirs)
    found = []
    for form in forms[:: max(1, len(forms) // SAMPLE)][:SAMPLE]:
        at = bisect(others, form)
        around = others[max(0, at - AROUND) : at + AROUND]
        around = [x for x in around if DIGITS.sub("", x) != DIGITS.sub("", form)]
        for near in get_close_matches(form, around, 1, ALIKE):
            found.append((SequenceMatcher(None, form, near).ratio(), form, near))
    return found
