"""Concepts without a counterpart in another language, which nothing is learned or asked of."""

import logging
import re
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import chain

log = logging.getLogger(__name__)
LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")


def tell(concepts: Mapping[str, Collection[str]]) -> list[str]:
    """Log how many concepts are of one language alone; return what the report is to say of them.

    That is how many would have a counterpart but for case or leading zeros, and the first.
    """
    n_languages = Counter(chain.from_iterable(concepts.values()))
    alone = {concept for concept, number in n_languages.items() if number == 1}
    log.info("concepts of one language alone: %d of %d", len(alone), len(n_languages))
    names: dict[str, set[str]] = {}
    for concept in n_languages:
        names.setdefault(_alike(concept), set()).add(concept)
    written_otherwise = {concept: names[_alike(concept)] - {concept} for concept in alone}
    near = [concept for concept in sorted(alone) if written_otherwise[concept]]
    if not near:
        return []
    first = near[0]
    alike = min(written_otherwise[first])
    return [
        f"concepts that have no counterpart in any other language: {len(alone)} of "
        f"{len(n_languages)}; {len(near)} of them would have one but for case or leading zeros, "
        f"such as {first!r} beside {alike!r}: write them alike"
    ]


def _alike(concept: str) -> str:
    return LEADING_ZEROS.sub("", concept.casefold())
