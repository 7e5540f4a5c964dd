"""Concepts without a counterpart in another language, which nothing is learned or asked of."""

import logging
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from cr5.texts.markup.formats import READERS

log = logging.getLogger(__name__)
LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
FLOAT = re.compile(r"(?<=\d)\.0$")  # as pandas writes integers of a column that lacks some
ENDING = re.compile(rf"(?:{'|'.join(map(re.escape, READERS))})(?=#|$)")  # of a page
BUT_FOR = "case, leading zeros, a `.0` or the ending of a page"


def tell(concepts: Mapping[str, Collection[str]]) -> list[str]:
    """Log how many concepts are of one language alone; return what the report is to say of them.

    That is how many would have a counterpart but for what `BUT_FOR` says, and the first.
    """
    n_languages: Counter[str] = Counter()
    for concepts_of_language in concepts.values():
        n_languages.update(concepts_of_language)
    n_concepts = len(n_languages)
    alone = sorted(concept for concept, number in n_languages.items() if number == 1)
    n_alone = len(alone)
    log.info("concepts of one language alone: %d of %d", n_alone, n_concepts)
    other_spelling = _other_spellings(alone, n_languages)
    if not other_spelling:
        return []
    n_with_others = len(other_spelling)
    first, other = next(iter(other_spelling.items()))
    return [
        f"concepts that have no counterpart in any other language: {n_alone} of "
        f"{n_concepts}; {n_with_others} of them would have one but for {BUT_FOR}, "
        f"such as {first!r} beside {other!r}: write them alike"
    ]


def _other_spellings(alone: Iterable[str], concepts: Iterable[str]) -> dict[str, str]:
    """Return the first other spelling of each concept of one language that has some."""
    spellings: dict[str, set[str]] = {}
    for concept in concepts:
        spellings_of_folded = spellings.setdefault(_folded(concept), set())
        spellings_of_folded.add(concept)
    other_spelling = {}
    for concept in alone:
        others = spellings[_folded(concept)] - {concept}
        if others:
            other_spelling[concept] = min(others)
    return other_spelling


def _folded(concept: str) -> str:
    """Return what spellings share that differ by what `BUT_FOR` says."""
    folded = LEADING_ZEROS.sub("", concept.casefold())
    folded = FLOAT.sub("", folded)
    return ENDING.sub("", folded)
