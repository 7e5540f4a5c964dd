"""Word mapping without a dictionary: iterative closest points (Hoshen and Wolf 2018).

Both spaces are rotated to their principal axes. Starting from random signs of the axes, nearest
neighbours and the rotation that they induce are computed in turn. The trial with the least
distance between neighbours is refined. This needs very similar spaces, and many trials. Each start
draws its own signs for all of its trials; the unsupervised criterion chooses.
"""

from collections.abc import Iterator

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.icp import OPTIONS as POINTS
from cr5.systems.mapping.icp import IcpSettings, closest_points
from cr5.systems.mapping.pivot import settings_from
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import OPTIONS as STARTS
from cr5.systems.mapping.starts import Start, fit_starts, generators

NEEDS = ("vectors",)

# The principal axes centre the vectors anyway.
OPTIONS = {**STARTS, **POINTS, **REFINEMENT}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Find the maps, refine the best of each and map the vectors.

    Args:
        training: its vectors and vocabularies; documents only for validation.
        options: see `OPTIONS`.
    """
    options = complete(OPTIONS, options)
    points = settings_from(IcpSettings, options)

    def starts(source: Space, target: Space) -> Iterator[Start]:
        for generator in generators(training.seed, source, target, options["starts"]):
            found = closest_points(source.vectors, target.vectors, points, generator)
            report = {"errors": found.errors, "steps": found.steps, "best_trial": found.best}
            yield Start(found.W, report)

    return fit_starts(training, options, starts)
