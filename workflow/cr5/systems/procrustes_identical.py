"""Procrustes and refinement from identical strings, the cheapest dictionary there is.

Words spelled the same in both vocabularies (names, numbers, loans) are taken for translations;
many are, and refinement replaces those that are not (Conneau et al. 2018; Smith et al. 2017).
"""

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import Mapped, fit_mapped, settings_from
from cr5.systems.mapping.procrustes import orthogonal_map
from cr5.systems.mapping.refinement import RefinementSettings
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import Start, best_of

NEEDS = ("vectors",)

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": False,
    "min_length": 1,  # characters; short strings are more often false friends
    "rounds": 5,
    "dictionary_words": 15_000,
    "neighbours": 10,
    "criterion_words": 10_000,
    "mutual": False,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "min_length": {"ge": 1},
    "rounds": {"ge": 0},
    "dictionary_words": {"ge": 1},
    "neighbours": {"ge": 1},
    "criterion_words": {"ge": 1},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Map each language but the pivot by its identical strings, refine it and map the vectors.

    Args:
        training: its vectors, vocabularies and frequencies; documents only for validation.
        options: `min_length`, and see `RefinementSettings` and `cr5.systems.mapping.pivot`.

    Raises:
        LeftOutError: two languages share fewer strings than the vectors have dimensions.
    """
    options = DEFAULTS | options
    refinement = settings_from(RefinementSettings, options)

    def solve(source: Space, target: Space) -> Mapped:
        pairs = identical_pairs(source.words, target.words, options["min_length"])
        d = source.vectors.shape[1]
        if len(pairs) < d:
            raise LeftOutError(
                f"{source.language}-{target.language}: {len(pairs)} identical strings of "
                f"{options['min_length']} or more characters, but at least {d} are needed, the "
                "dimension of the vectors; lower min_length or the dimension, or leave out this "
                "system."
            )
        W = orthogonal_map(source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]])
        start = Start(W, {"identical_strings": len(pairs)})
        return best_of([start], source, target, refinement)

    return fit_mapped(training, options, solve)


def identical_pairs(source: list[str], target: list[str], min_length: int) -> np.ndarray:
    """Pair the strings of both lists: p x 2 row numbers, in the order of `source`."""
    row_of = {word: row for row, word in enumerate(target)}
    pairs = [
        (row, row_of[word])
        for row, word in enumerate(source)
        if len(word) >= min_length and word in row_of
    ]
    return np.array(pairs, np.int64).reshape(-1, 2)
