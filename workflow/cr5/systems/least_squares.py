"""Least squares from seed pairs: the map of Mikolov et al. 2013.

It may stretch and shrink, unlike a rotation. The paper's vectors are not of unit length; ours are.
"""

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.least_squares import linear_map
from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.refinement import apply_map
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": False,
    "seeds": "dictionary",  # or "identical" strings, or "numerals"
    "min_length": 1,  # characters of identical strings; short ones are more often false friends
    "ridge": 0.0,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "seeds": ("dictionary", "identical", "numerals"),
    "min_length": {"ge": 1},
    "ridge": {"ge": 0},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Fit the map of each pair of languages to its seed pairs.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: `ridge` of `linear_map`, and see `cr5.systems.mapping.seeded`.

    Raises:
        LeftOutError: there are fewer pairs than the vectors have dimensions.
    """
    options = DEFAULTS | options

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        X, Y = source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]]
        return Mapped(apply_map(source.vectors, linear_map(X, Y, options["ridge"])))

    return fit_seeded(training, options, solve)
