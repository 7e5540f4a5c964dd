"""RCSLS: a map that maximises CSLS of the seed pairs (Joulin et al. 2018)."""

import numpy as np

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.rcsls import OPTIONS as RCSLS
from cr5.systems.mapping.rcsls import RcslsSettings, train
from cr5.systems.mapping.refinement import apply_map
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

OPTIONS = {**SEEDED, **RCSLS}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Fit the map of each pair of languages to its seed pairs, with the best rate for it.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `OPTIONS`.

    Raises:
        LeftOutError: there are fewer pairs than the vectors have dimensions.
    """
    options = complete(OPTIONS, options)
    settings = settings_from(RcslsSettings, options)

    def solve(source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        languages = f"{source.language}-{target.language}"
        generator = np.random.default_rng([training.seed, *languages.encode()])
        given = source.vectors, target.vectors, pairs, settings, generator
        found = train(*given, threads=training.threads)
        report = {
            "rate": found.rate,
            "epochs": found.epochs,
            "trials": found.trials,
            "rcsls": found.history,
        }
        return Mapped(apply_map(source.vectors, found.W), report=report)

    return fit_seeded(training, options, solve)
