"""Orthogonal Procrustes from seed pairs, and refinement (Conneau et al. 2018).

The pairs are from a dictionary (Xing et al. 2015), identical strings (Smith et al. 2017) or
numerals (Artetxe et al. 2017). Many words that are spelled the same (names, numbers, loans) are
translations, and refinement replaces the others. Without rounds it is Procrustes alone; the
supervised variant of Conneau et al. is `mutual`, with the vectors' own lengths.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import Start, best_of

TITLE = "Procrustes"
COLOUR = "#009E73"
REFERENCE = "Xing et al., NAACL 2015; Smith et al., ICLR 2017; Conneau et al., ICLR 2018"
NEEDS = ("vectors", "seeds")

OPTIONS = {
    **SEEDED,
    **REFINEMENT,
    "own_lengths": (False, "whether vectors keep their own lengths, as in Conneau et al."),
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Rotate each space by its seed pairs, and refine the rotation; see `fit_seeded`."""
    return fit_seeded(training, options, solve, own=options["own_lengths"])


def solve(source: Space, target: Space, pairs: np.ndarray, options: Mapping[str, Any]) -> Mapped:
    """Rotate the source space, and refine the rotation."""
    W = orthogonal_map(source.own[pairs[:, 0]], target.own[pairs[:, 1]])
    return best_of([Start(W, {})], source, target, options)
