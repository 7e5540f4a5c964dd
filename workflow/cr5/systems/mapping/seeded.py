"""Maps fitted to pairs of words: identical strings, numerals, or a dictionary."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Pair, Seeds
from cr5.systems.mapping.family import Seeded
from cr5.systems.mapping.pivot import Mapped, fit_mapped
from cr5.systems.mapping.spaces import Space

KINDS = {
    "identical": "identical strings of {} or more characters",
    "numerals": "numerals of {} or more digits in both languages",
    "dictionary": "pairs of the training dictionary in both vocabularies",
    "dictionary_and_identical": "pairs of the dictionary or identical strings",
}
NUMERAL = re.compile("[0-9]+")
ADVICE = {"dictionary": "give a larger one, or take more of it (dictionary.limit)"}


def fit_seeded(
    training: TrainingSet,
    system: Seeded,
    solve: Callable[[Space, Space, np.ndarray], Mapped],
    least: int | None = None,
    *,
    both_sides: bool = False,
    own: bool = False,
) -> Fit:
    """Find the seed pairs of each pair of languages, and map by them.

    Args:
        training: with vectors, and with seeds for a dictionary.
        system: says which pairs.
        solve: from a source space, a target space and p x 2 row numbers to both spaces mapped.
        least: minimum number of pairs; None for the number of dimensions of the vectors.
        both_sides: whether it also changes the target's space.
        own: whether vectors keep their own lengths.

    Returns:
        As `fit_mapped`; for each pair of languages the report has the number of `seed_pairs`.

    Raises:
        LeftOutError: there are fewer pairs.
    """
    seeds = training.seeds or Seeds()
    kind, directed, min_length = system.seeds, system.directed, system.min_length

    def solve_pair(source: Space, target: Space) -> Mapped:
        pairs = seed_pairs(kind, source, target, seeds, directed=directed, min_length=min_length)
        _check(pairs, source, target, system, least)
        found = solve(source, target, pairs)
        return Mapped(found.source, found.target, {"seed_pairs": len(pairs), **found.report})

    return fit_mapped(training, system, solve_pair, both_sides=both_sides, own=own)


def _check(
    pairs: np.ndarray, source: Space, target: Space, system: Seeded, least: int | None
) -> None:
    kind = system.seeds
    if len(pairs) >= (needed := source.vectors.shape[1] if least is None else least):
        return
    why = ", the dimension of the vectors" if least is None else ""
    advice = ADVICE.get(kind, "lower min_length")
    if kind == "dictionary" and not len(pairs):
        advice = f"is there a dictionary from {source.language} to {target.language}"
        advice += "?" if system.directed else ", or the other way round?"
    dimension = " or lower the dimension," if least is None else ""
    raise LeftOutError(
        f"{source.language}-{target.language}: {len(pairs)} "
        f"{KINDS[kind].format(system.min_length)}, but at least {needed} are needed{why}; "
        f"{advice},{dimension} take other seeds, or leave out this system."
    )


def seed_pairs(
    kind: str, source: Space, target: Space, seeds: Seeds, *, directed: bool, min_length: int = 1
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
        min_length: minimum number of characters of identical strings and numerals.

    Returns:
        p x 2 row numbers, in the order of the source's words, or of the dictionary.
    """
    languages, found = (source.language, target.language), []
    if kind.startswith("dictionary"):
        found += seeds.given(*languages, directed=directed)
    if kind != "dictionary":
        same = identical(source.words, target.words, min_length)
        if kind == "numerals":
            same = (pair for pair in same if NUMERAL.fullmatch(pair[0]))
        found += seeds.allowed(same, *languages, directed=directed)
    return rows_of(found, source.words, target.words)


def identical(source: Sequence[str], target: Sequence[str], min_length: int) -> Iterator[Pair]:
    """Pair strings of both lists; short ones are more often false friends."""
    known = set(target)
    return ((word, word) for word in source if len(word) >= min_length and word in known)


def rows_of(pairs: Iterable[Pair], source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    """Row numbers of the words of pairs, p x 2, without unknown words and duplicates."""
    sources, targets = ({word: row for row, word in enumerate(x)} for x in (source, target))
    known = [(sources[x], targets[y]) for x, y in pairs if x in sources and y in targets]
    return np.array(list(dict.fromkeys(known)), np.int64).reshape(-1, 2)
