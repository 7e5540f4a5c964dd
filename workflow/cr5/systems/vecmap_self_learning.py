"""Self-learning from a few seed pairs, such as numerals (Artetxe et al. 2017)."""

import numpy as np

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.refinement import apply_map
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.self_learning import OPTIONS as LEARNING
from cr5.systems.mapping.self_learning import SelfLearningSettings, learn
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

OPTIONS = {
    **SEEDED,
    "centre": (True, "whether the mean of all vectors is subtracted first"),
    **LEARNING,
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Rotate each space by its seed pairs, then by the pairs that it finds.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `OPTIONS`.

    Raises:
        LeftOutError: there is no pair.
    """
    options = complete(OPTIONS, options)
    settings = settings_from(SelfLearningSettings, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        found = learn(source.vectors, target.vectors, pairs, settings)
        report = {"self_learning": found.history, "converged": found.converged}
        return Mapped(apply_map(source.vectors, found.W), report=report)

    return fit_seeded(training, options, solve, least=1)
