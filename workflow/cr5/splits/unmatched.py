"""Concepts of two languages that may be meant to be the same, where few or none are equal.

`A_1` in one file and `a1` in another are two concepts, and nobody sees it from a number of zero.
"""

import re
import unicodedata
from bisect import bisect
from collections.abc import Mapping
from difflib import SequenceMatcher, get_close_matches

import pandas as pd

COLUMNS = ("first", "second", "concepts")
LITTLE = 0.1  # of the concepts of the smaller language: what is shared beyond it is no accident
MOST = 100_000  # concepts of a language that are looked at
SAMPLE = 12  # of them compared letter by letter
AROUND = 20  # concepts on each side in the order of the alphabet that each is compared with
ALIKE = 0.5  # of 1: what prefixes of two languages leave of a short concept, en_12 and da_12
SHOWN = 3  # pairs of concepts; and pairs of languages
LONGEST = 60  # characters of a concept that are compared and shown

DIGITS = re.compile(r"\d+")

Likely = list[tuple[str, str]]


def nearly_the_same(documents: Mapping[str, pd.Index], pairs: pd.DataFrame) -> list[str]:
    """Show concepts that differ by little, of pairs of languages that share little.

    Args:
        documents: per language, its concepts.
        pairs: of languages: first, second, concepts (how many both have); of those that share
            little the first few are looked at.

    Returns:
        A sentence for each pair of which there is something to show.
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
    """Pairs that differ in case, punctuation or zeros; without any, those most alike.

    Other numbers, as in Q64 and Q65, do not make concepts alike.
    """
    ours, theirs = _by_form(first.difference(second)), _by_form(second.difference(first))
    same = sorted(ours.keys() & theirs.keys())[:SHOWN]
    if same:
        return [(ours[form], theirs[form]) for form in same]
    alike = sorted(_alike(ours, theirs), reverse=True)[:SHOWN]
    return [(ours[a], theirs[b]) for _, a, b in alike]


def _by_form(concepts: pd.Index) -> dict[str, str]:
    """Concepts by their letters and digits alone."""
    forms = {_form(concept): concept for concept in concepts[:MOST]}
    forms.pop("", None)
    return forms


def _form(concept: str) -> str:
    text = unicodedata.normalize("NFKC", concept[:LONGEST]).casefold()
    return re.sub(r"[\W_]|(?<!\d)0+(?=\d)", "", text)


def _alike(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[tuple[float, str, str]]:
    """(likeness, form, form) of a sample, each with the nearest of its neighbours."""
    forms, others = sorted(ours), sorted(theirs)
    found = []
    for form in forms[:: max(1, len(forms) // SAMPLE)][:SAMPLE]:
        at = bisect(others, form)
        around = others[max(0, at - AROUND) : at + AROUND]
        around = [x for x in around if DIGITS.sub("", x) != DIGITS.sub("", form)]
        for near in get_close_matches(form, around, 1, ALIKE):
            found.append((SequenceMatcher(None, form, near).ratio(), form, near))
    return found
