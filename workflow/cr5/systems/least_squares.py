"""Least squares from seed pairs: the map of Mikolov et al. 2013.

It may stretch and shrink, unlike a rotation. The paper's vectors are not of unit length; ours are.
"""

import numpy as np

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.least_squares import linear_map
from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.refinement import apply_map
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

OPTIONS = {**SEEDED, "ridge": (0.0, {"ge": 0}, "of the regression")}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Fit the map of each pair of languages to its seed pairs.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `OPTIONS`.

    Raises:
        LeftOutError: there are fewer pairs than dimensions of the vectors.
    """
    options = complete(OPTIONS, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        X, Y = source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]]
        return Mapped(apply_map(source.vectors, linear_map(X, Y, options["ridge"])))

    return fit_seeded(training, options, solve)
