"""Word mapping without a dictionary: iterative closest points (Hoshen and Wolf 2018).

Both spaces are turned to their principal axes; from random signs of these, nearest neighbours and
the rotation they induce follow in turns. The trial that leaves the least distance between
neighbours is refined. It takes spaces that are very like, and many trials. Each start draws signs
of its own for all of its trials; the unsupervised criterion chooses.
"""

from collections.abc import Iterator

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.icp import IcpSettings, closest_points
from cr5.systems.mapping.pivot import settings_from
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import Start, fit_starts, generators

NEEDS = ("vectors",)

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": False,  # the principal axes do it
    "starts": 3,
    "icp_words": 1_500,
    "axes": 25,
    "trials": 100,
    "icp_steps": 50,
    "rounds": 5,
    "dictionary_words": 15_000,
    "neighbours": 10,
    "criterion_words": 10_000,
    "mutual": False,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "starts": {"ge": 1},
    "icp_words": {"ge": 2},
    "axes": {"ge": 1},
    "trials": {"ge": 1},
    "icp_steps": {"ge": 1},
    "rounds": {"ge": 0},
    "dictionary_words": {"ge": 1},
    "neighbours": {"ge": 1},
    "criterion_words": {"ge": 1},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Find the maps, refine the best of each and map the vectors.

    Args:
        training: its vectors and vocabularies; documents only for validation.
        options: `starts`, and see `IcpSettings`, `RefinementSettings` and
            `cr5.systems.mapping.pivot`.
    """
    options = DEFAULTS | options
    points = settings_from(IcpSettings, options)

    def starts(source: Space, target: Space) -> Iterator[Start]:
        for generator in generators(training.seed, source, target, options["starts"]):
            found = closest_points(source.vectors, target.vectors, points, generator)
            report = {"errors": found.errors, "steps": found.steps, "best_trial": found.best}
            yield Start(found.W, report)

    return fit_starts(training, options, starts)
