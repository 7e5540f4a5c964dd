"""Orthogonal Procrustes from seed pairs, and refinement (Conneau et al. 2018).

The pairs are of a dictionary (Xing et al. 2015), identical strings (Smith et al. 2017) or numerals
(Artetxe et al. 2017). Of words that are spelled the same (names, numbers, loans) many are
translations, and refinement replaces those that are not. Without rounds it is Procrustes alone; the
supervised variant of Conneau et al. is `mutual`.
"""

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.procrustes import orthogonal_map
from cr5.systems.mapping.refinement import RefinementSettings
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import Start, best_of

NEEDS = ("vectors", "seeds")

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": False,
    "seeds": "dictionary",  # or "identical" strings, or "numerals"
    "min_length": 1,  # characters of identical strings; short ones are more often false friends
    "rounds": 5,
    "dictionary_words": 15_000,
    "neighbours": 10,
    "criterion_words": 10_000,
    "mutual": False,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "seeds": ("dictionary", "identical", "numerals"),
    "min_length": {"ge": 1},
    "rounds": {"ge": 0},
    "dictionary_words": {"ge": 1},
    "neighbours": {"ge": 1},
    "criterion_words": {"ge": 1},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Rotate each space by its seed pairs, and refine the rotation.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `RefinementSettings` and `cr5.systems.mapping.seeded`.

    Raises:
        LeftOutError: there are fewer pairs than the vectors have dimensions.
    """
    options = DEFAULTS | options
    refinement = settings_from(RefinementSettings, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        W = orthogonal_map(source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]])
        return best_of([Start(W, {})], source, target, refinement)

    return fit_seeded(training, options, solve)
