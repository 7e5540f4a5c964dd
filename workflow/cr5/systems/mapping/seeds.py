"""Pairs of words from which a map is fitted: spelled the same, numerals, or of a dictionary.

Words that are tested must not be trained on, in whatever way they would come in: a pair is left
out where either of its words is tested.
"""

import re
from collections.abc import Collection, Iterable, Sequence

import numpy as np

KINDS = ("identical", "numerals", "dictionary")
NUMERAL = re.compile("[0-9]+")
Pairs = Iterable[tuple[str, str]]


def seed_pairs(
    kind: str,
    source: Sequence[str],
    target: Sequence[str],
    *,
    dictionary: Pairs = (),
    min_length: int = 1,
    tested: tuple[Collection[str], Collection[str]] = ((), ()),
) -> np.ndarray:
    """Find the pairs of one kind.

    Args:
        kind: `identical` strings (Smith et al. 2017), `numerals` (Artetxe et al. 2017), which are
            identical strings of digits, or `dictionary`.
        source: n words, all different.
        target: m words, all different.
        dictionary: pairs of source and target word; those with a word that is not there count for
            nothing, and the others once.
        min_length: characters of identical strings and numerals; short strings are more often
            false friends.
        tested: words of the source and of the target language.

    Returns:
        p x 2 row numbers, source and target, in the order of `source`, or else of `dictionary`.
    """
    if kind != "dictionary":
        same = set(target)
        dictionary = [(x, x) for x in source if x in same and len(x) >= min_length]
    if kind == "numerals":
        dictionary = [pair for pair in dictionary if NUMERAL.fullmatch(pair[0])]
    sources, targets = (
        _row_of(*side) for side in zip((source, target), map(set, tested), strict=True)
    )
    known = [(sources[x], targets[y]) for x, y in dictionary if x in sources and y in targets]
    return np.array(list(dict.fromkeys(known)), np.int64).reshape(-1, 2)


def _row_of(words: Sequence[str], tested: set[str]) -> dict[str, int]:
    return {word: row for row, word in enumerate(words) if word not in tested}
