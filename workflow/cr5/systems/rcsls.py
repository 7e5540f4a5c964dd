"""RCSLS: a map that maximises CSLS of the seed pairs (Joulin et al. 2018)."""

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import Mapped, settings_from
from cr5.systems.mapping.rcsls import RcslsSettings, train
from cr5.systems.mapping.refinement import apply_map
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

NEEDS = ("vectors", "seeds")

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": False,
    "seeds": "dictionary",  # or "identical" strings, or "numerals"
    "min_length": 1,  # characters of identical strings; short ones are more often false friends
    "constraint": "spectral",  # or "frobenius", or "none"
    "neighbourhoods": "full",  # or "seeds": among the words of the pairs
    "neighbours": 10,
    "rates": [1.0, 10.0, 25.0, 50.0],
    "epochs": [10],
    "held_out": 0.1,  # of the words: by their translations the rate and the epochs are chosen
    "held_out_words": 20_000,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "seeds": ("dictionary", "identical", "numerals"),
    "min_length": {"ge": 1},
    "constraint": ("spectral", "frobenius", "none"),
    "neighbourhoods": ("full", "seeds"),
    "neighbours": {"ge": 1},
    "rates": {"gt": 0},
    "epochs": {"ge": 1},
    "held_out": {"gt": 0, "lt": 1},
    "held_out_words": {"ge": 1},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Fit the map of each pair of languages to its seed pairs, by the rate that suits it.

    Args:
        training: its vectors and seeds; documents only for validation.
        options: see `RcslsSettings` and `cr5.systems.mapping.seeded`.

    Raises:
        LeftOutError: there are fewer pairs than the vectors have dimensions.
    """
    options = DEFAULTS | options
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
