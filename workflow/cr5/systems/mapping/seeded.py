"""The common part of all systems that fit a map to pairs of words."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Seeds
from cr5.systems.mapping.pivot import OPTIONS as MAPPED
from cr5.systems.mapping.pivot import Mapped, fit_mapped
from cr5.systems.mapping.seeds import seed_pairs
from cr5.systems.mapping.spaces import Space

OPTIONS = {
    **MAPPED,
    "seeds": (
        "dictionary",
        ("dictionary", "identical", "numerals"),
        "word pairs to begin with: of `dictionary`, or strings or numerals of both languages",
    ),
    "min_length": (
        1,
        {"ge": 1},
        "characters of identical strings; short ones are more often false friends",
    ),
}

KINDS = {
    "identical": "identical strings of {} or more characters",
    "numerals": "numerals of {} or more digits in both languages",
    "dictionary": "pairs of the training dictionary in both vocabularies",
}
ADVICE = {"dictionary": "give a larger one, or take more of it (dictionary.limit)"}


def fit_seeded(
    training: TrainingSet,
    options: Mapping[str, Any],
    solve: Callable[[Space, Space, np.ndarray], Mapped],
    least: int | None = None,
    *,
    both_sides: bool = False,
) -> Fit:
    """Find the seed pairs of each pair of languages, and map by them.

    Args:
        training: with vectors, and with seeds for a dictionary.
        options: `seeds`, `min_length`, and those of `fit_mapped`.
        solve: from a source space, a target space and p x 2 row numbers to both spaces mapped.
        least: minimum number of pairs; None for the number of dimensions of the vectors.
        both_sides: whether it also changes the target's space.

    Returns:
        As `fit_mapped`; for each pair of languages the report has the number of `seed_pairs`.

    Raises:
        LeftOutError: there are fewer pairs.
    """
    seeds = training.seeds or Seeds()
    kind, min_length = options["seeds"], options["min_length"]

    def solve_pair(source: Space, target: Space) -> Mapped:
        directed = options["directed"]
        pairs = seed_pairs(kind, source, target, seeds, directed=directed, min_length=min_length)
        _check(pairs, source, target, options, least)
        found = solve(source, target, pairs)
        return Mapped(found.source, found.target, {"seed_pairs": len(pairs), **found.report})

    return fit_mapped(training, options, solve_pair, both_sides=both_sides)


def _check(
    pairs: np.ndarray, source: Space, target: Space, options: Mapping[str, Any], least: int | None
) -> None:
    kind = options["seeds"]
    if len(pairs) >= (needed := source.vectors.shape[1] if least is None else least):
        return
    why = ", the dimension of the vectors" if least is None else ""
    advice = ADVICE.get(kind, "lower min_length")
    if kind == "dictionary" and not len(pairs):
        advice = f"is there a dictionary from {source.language} to {target.language}"
        advice += "?" if options["directed"] else ", or the other way round?"
    dimension = " or lower the dimension," if least is None else ""
    raise LeftOutError(
        f"{source.language}-{target.language}: {len(pairs)} "
        f"{KINDS[kind].format(options['min_length'])}, but at least {needed} are needed{why}; "
        f"{advice},{dimension} take other seeds, or leave out this system."
    )
