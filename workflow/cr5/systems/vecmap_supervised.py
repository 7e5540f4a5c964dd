"""Whiten, rotate by seed pairs, re-weight, de-whiten (Artetxe et al. 2018, AAAI).

Both languages are changed, so three or more do not meet in one space: see `kind: pairwise`.
"""

import numpy as np

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.multistep import OPTIONS as STEPS
from cr5.systems.mapping.multistep import MultistepSettings, multistep_maps
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

OPTIONS = {
    **SEEDED,
    "centre": (True, "whether the mean of all vectors is subtracted first"),
    **STEPS,
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Map both languages of each pair by its seed pairs.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `OPTIONS`.

    Raises:
        LeftOutError: there are fewer pairs than the vectors have dimensions.
    """
    options = complete(OPTIONS, options)
    settings = settings_from(MultistepSettings, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        found = multistep_maps(source.vectors, target.vectors, pairs, settings)
        report = {"weights": found.weights.tolist()}
        return Mapped(*found.maps(source.vectors, target.vectors), report)

    return fit_seeded(training, options, solve, both_sides=True)
