"""Word mapping without a dictionary: similarity distributions, then stochastic self-learning.

Words whose similarities to all others of their language are distributed alike make the first
dictionary; few of its pairs are right. Self-learning with a randomly thinned dictionary improves
it (Artetxe et al. 2018, ACL; without their last step, which re-weights). Each start uses its own
random numbers; the unsupervised criterion chooses.
"""

from collections.abc import Iterator

import numpy as np

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import settings_from
from cr5.systems.mapping.profiles import OPTIONS as PROFILES
from cr5.systems.mapping.profiles import ProfileSettings, first_pairs
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import OPTIONS as STARTS
from cr5.systems.mapping.starts import Start, fit_starts, generators
from cr5.systems.mapping.stochastic import OPTIONS as LEARNING
from cr5.systems.mapping.stochastic import StochasticSettings, self_learn

NEEDS = ("vectors",)

OPTIONS = {
    **STARTS,
    "centre": (True, "whether the mean of all vectors is subtracted first, as published"),
    **PROFILES,
    **LEARNING,
    **REFINEMENT,
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Learn the maps, refine the best of each and map the vectors.

    Args:
        training: its vectors and vocabularies; documents only for validation.
        options: see `OPTIONS`.
    """
    options = complete(OPTIONS, options)
    profile = settings_from(ProfileSettings, options)
    learning = settings_from(StochasticSettings, options)

    def starts(source: Space, target: Space) -> Iterator[Start]:
        X, Y = source.vectors, target.vectors
        pairs = first_pairs(X, Y, profile)
        for generator in generators(training.seed, source, target, options["starts"]):
            yield learned(X, Y, pairs, learning, generator)

    return fit_starts(training, options, starts)


def learned(
    X: np.ndarray,
    Y: np.ndarray,
    pairs: np.ndarray,
    settings: StochasticSettings,
    generator: np.random.Generator,
) -> Start:
    """Learn from an initial dictionary, and report on it."""
    found = self_learn(X, Y, pairs, settings, generator)
    report = {"first_pairs": len(pairs), "learning": found.history, "converged": found.converged}
    return Start(found.W, report)
