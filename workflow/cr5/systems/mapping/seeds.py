"""Pairs of words to fit a map from: identical strings, numerals, or a dictionary."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from cr5.fitting.seeds import Pair, Seeds
from cr5.systems.mapping.spaces import Space

KINDS = ("identical", "numerals", "dictionary")
NUMERAL = re.compile("[0-9]+")


def seed_pairs(
    kind: str, source: Space, target: Space, seeds: Seeds, *, directed: bool, min_length: int = 1
) -> np.ndarray:
    """Find the pairs of one kind, without those that reveal a test answer.

    Args:
        kind: `identical` strings (Smith et al. 2017), `numerals` (Artetxe et al. 2017), which are
            identical strings of digits, or `dictionary`.
        source: whose words come first.
        target: whose words come second.
        seeds: the dictionary, and the words that tests ask for.
        directed: whether the map is for this direction alone, see `Seeds`.
        min_length: minimum number of characters of identical strings and numerals.

    Returns:
        p x 2 row numbers, in the order of the source's words, or of the dictionary.
    """
    languages = source.language, target.language
    if kind == "dictionary":
        return rows_of(seeds.given(*languages, directed=directed), source.words, target.words)
    same = identical(source.words, target.words, min_length)
    if kind == "numerals":
        same = (pair for pair in same if NUMERAL.fullmatch(pair[0]))
    allowed = seeds.allowed(same, *languages, directed=directed)
    return rows_of(allowed, source.words, target.words)


def identical(source: Sequence[str], target: Sequence[str], min_length: int) -> Iterator[Pair]:
    """Pair strings of both lists; short ones are more often false friends."""
    known = set(target)
    return ((word, word) for word in source if len(word) >= min_length and word in known)


def rows_of(pairs: Iterable[Pair], source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    """Row numbers of the words of pairs, p x 2, without unknown words and duplicates."""
    sources, targets = ({word: row for row, word in enumerate(x)} for x in (source, target))
    known = [(sources[x], targets[y]) for x, y in pairs if x in sources and y in targets]
    return np.array(list(dict.fromkeys(known)), np.int64).reshape(-1, 2)
