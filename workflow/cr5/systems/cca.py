"""Canonical correlation analysis of seed pairs (Faruqui and Dyer 2014).

Both languages are projected, so three or more do not meet in one space: see `kind: pairwise`.
"""

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.cca import CcaSettings, canonical_maps
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or a projection for each direction
    "centre": False,  # of the vocabulary, before; the projection centres anyway
    "seeds": "dictionary",  # or "identical" strings, or "numerals"
    "min_length": 1,  # characters of identical strings; short ones are more often false friends
    "share": 0.5,  # of the dimensions that is kept
    "ridge": 0.0,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "seeds": ("dictionary", "identical", "numerals"),
    "min_length": {"ge": 1},
    "share": {"gt": 0, "le": 1},
    "ridge": {"ge": 0},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Project each pair of languages to where its seed pairs agree most.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `CcaSettings` and `cr5.systems.mapping.seeded`.

    Raises:
        LeftOutError: there are fewer pairs than the vectors have dimensions.
    """
    options = DEFAULTS | options
    settings = settings_from(CcaSettings, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        found = canonical_maps(source.vectors, target.vectors, pairs, settings)
        report = {"correlations": found.correlations.tolist()}
        return Mapped(*found.maps(source.vectors, target.vectors), report)

    return fit_seeded(training, options, solve, both_sides=True)
