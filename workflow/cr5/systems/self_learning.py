"""Self-learning from a few seed pairs, such as numerals (Artetxe et al. 2017)."""

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.refinement import apply_map
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.self_learning import SelfLearningSettings, learn
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": True,
    "seeds": "dictionary",  # or "identical" strings, or "numerals"
    "min_length": 1,  # characters of identical strings and numerals
    "threshold": 1e-6,
    "rounds": 500,
    "dictionary_words": None,  # all
    "neighbours": 0,  # of CSLS; 0: the nearest by cosine
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "seeds": ("dictionary", "identical", "numerals"),
    "min_length": {"ge": 1},
    "threshold": {"gt": 0},
    "rounds": {"ge": 1},
    "dictionary_words": (None, {"ge": 1}),
    "neighbours": {"ge": 0},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Rotate each space by its seed pairs, then by the pairs that it finds itself.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `SelfLearningSettings` and `cr5.systems.mapping.seeded`.

    Raises:
        LeftOutError: there is no pair.
    """
    options = DEFAULTS | options
    settings = settings_from(SelfLearningSettings, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        found = learn(source.vectors, target.vectors, pairs, settings)
        report = {"self_learning": found.history, "converged": found.converged}
        return Mapped(apply_map(source.vectors, found.W), report=report)

    return fit_seeded(training, options, solve, least=1)
