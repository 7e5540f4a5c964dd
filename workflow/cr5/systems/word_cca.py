"""Canonical correlation analysis of seed pairs (Faruqui and Dyer 2014).

Both languages are projected, so three or more do not meet in one space: see `kind: pairwise`.
"""

import numpy as np

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.cca import OPTIONS as CCA
from cr5.systems.mapping.cca import CcaSettings, canonical_maps
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

# Centring the vocabulary comes first; the projection centres anyway.
OPTIONS = {**SEEDED, **CCA}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Project each pair of languages to where its seed pairs agree most.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `OPTIONS`.

    Raises:
        LeftOutError: there are fewer pairs than the vectors have dimensions.
    """
    options = complete(OPTIONS, options)
    settings = settings_from(CcaSettings, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        found = canonical_maps(source.vectors, target.vectors, pairs, settings)
        report = {"correlations": found.correlations.tolist()}
        return Mapped(*found.maps(source.vectors, target.vectors), report)

    return fit_seeded(training, options, solve, both_sides=True)
