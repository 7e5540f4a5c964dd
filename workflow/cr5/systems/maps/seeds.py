"""Maps fitted to pairs of words: identical strings, numerals, or a dictionary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Pair, Seeds
from cr5.systems.maps.spaces import Mapped, Space, fit_mapped

if TYPE_CHECKING:
    from cr5.systems.maps.family import Seeded

NUMERAL = re.compile("[0-9]+")
FOUND = {
    "identical": "identical strings",
    "numerals": "numerals in both languages",
    "dictionary": "pairs of the training dictionary in both vocabularies",
    "dictionary_and_identical": "pairs of the dictionary or identical strings",
}


def fit_seeded(
    training: TrainingSet,
    system: Seeded,
    solve: Callable[[Space, Space, np.ndarray], Mapped],
    *,
    both_sides: bool = False,
) -> Fit:
    """Find the seed pairs of each pair of languages, and map by them.

    Args:
        training: with vectors, and with seeds for a dictionary.
        system: says which pairs, and how many at least.
        solve: from a source space, a target space and p x 2 row numbers to both spaces mapped.
        both_sides: whether it also changes the target's space.

    Returns:
        As `fit_mapped`; for each pair of languages the report has the number of `seed_pairs`.

    Raises:
        LeftOutError: there are fewer pairs.
    """
    seeds = training.seeds or Seeds()

    def solve_pair(source: Space, target: Space) -> Mapped:
        pairs = seed_pairs(system.seeds, source, target, seeds, directed=system.directed)
        needed = source.vectors.shape[1] if system.least is None else system.least
        if len(pairs) < needed:
            raise LeftOutError(
                f"{source.language}-{target.language}: {len(pairs)} {FOUND[system.seeds]}, but at "
                f"least {needed} are needed: give a larger dictionary in this direction, lower the "
                "dimension of the vectors, take other seeds, or leave out this system."
            )
        found = solve(source, target, pairs)
        return Mapped(found.source, found.target, {"seed_pairs": len(pairs), **found.report})

    return fit_mapped(training, system, solve_pair, both_sides=both_sides)


def seed_pairs(
    kind: str, source: Space, target: Space, seeds: Seeds, *, directed: bool
) -> np.ndarray:
    """Find the pairs of one kind, without those that reveal a test answer.

    Args:
        kind: `identical` strings (Smith et al. 2017), `numerals` (Artetxe et al. 2017), which are
            identical strings of digits, `dictionary`, or `dictionary_and_identical` (Joulin et al.
            2018).
        source: whose words come first.
        target: whose words come second.
        seeds: the dictionary, and the words that tests ask for.
        directed: whether the map is for this direction alone, see `Seeds`.

    Returns:
        p x 2 row numbers, in the order of the source's words, or of the dictionary.
    """
    languages, found = (source.language, target.language), []
    if kind.startswith("dictionary"):
        found += seeds.given(*languages, directed=directed)
    if kind != "dictionary":
        same = identical(source.words, target.words)
        if kind == "numerals":
            same = (pair for pair in same if NUMERAL.fullmatch(pair[0]))
        found += seeds.allowed(same, *languages, directed=directed)
    return rows_of(found, source.words, target.words)


def identical(source: Sequence[str], target: Sequence[str]) -> Iterator[Pair]:
    """Pair strings of both lists."""
    known = set(target)
    return ((word, word) for word in source if word in known)


def rows_of(pairs: Iterable[Pair], source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    """Row numbers of the words of pairs, p x 2, without unknown words and duplicates."""
    sources, targets = ({word: row for row, word in enumerate(x)} for x in (source, target))
    known = [(sources[x], targets[y]) for x, y in pairs if x in sources and y in targets]
    return np.array(list(dict.fromkeys(known)), np.int64).reshape(-1, 2)
