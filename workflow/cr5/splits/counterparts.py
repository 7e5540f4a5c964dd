"""Concepts without a counterpart in another language, which nothing is learned or asked of."""

import logging
import re
from collections import Counter
from collections.abc import Collection, Mapping

log = logging.getLogger(__name__)
LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")


def tell(concepts: Mapping[str, Collection[str]]) -> list[str]:
    """Log how many concepts are of one language alone; return what the report is to say of them.

    That is how many would have a counterpart but for case or leading zeros, and the first.
    """
    n_languages: Counter[str] = Counter()
    for concepts_of_language in concepts.values():
        n_languages.update(concepts_of_language)
    n_concepts = len(n_languages)
    alone = sorted(concept for concept, number in n_languages.items() if number == 1)
    n_alone = len(alone)
    log.info("concepts of one language alone: %d of %d", n_alone, n_concepts)
    spellings: dict[str, set[str]] = {}
    for concept in n_languages:
        spellings.setdefault(_folded(concept), set()).add(concept)
    with_others = [concept for concept in alone if len(spellings[_folded(concept)]) > 1]
    if not with_others:
        return []
    first = with_others[0]
    other_spellings = spellings[_folded(first)] - {first}
    return [
        f"concepts that have no counterpart in any other language: {n_alone} of "
        f"{n_concepts}; {len(with_others)} of them would have one but for case or leading zeros, "
        f"such as {first!r} beside {min(other_spellings)!r}: write them alike"
    ]


def _folded(concept: str) -> str:
    """Return what spellings share that differ by case or leading zeros."""
    return LEADING_ZEROS.sub("", concept.casefold())
