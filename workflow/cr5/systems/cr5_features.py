"""Cr5 with a prior over features of words that somebody gives.

As `cr5_spelling`, whose fit this is: words that have features in common, in one language or in two,
get vectors that are alike. The features are not of their spelling but of a file of each language
(`cr5.systems.spelling.given`): subword units, stems, neighbours among word vectors.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.spelling.fits import fit_with
from cr5.systems.spelling.given import entries, read_features

FILES = ("path",)

DEFAULTS = {
    "path": "",
    "ranks": [100, 300],
    "ridges": [0.03, 0.1, 0.3, 1.0, 3.0],
    "shifts": [False, True],  # whether the mean of the language's documents is added
    "gamma": 1.0,  # weight of the prior
    "scripts": "own",  # of the strings, if they count
    "scaling": 1.0,  # a: power of the eigenvalues
    "string_weights": [0.0],  # beta; several are validated after all else
    "letters": 5,  # of the beginnings
    "term_frequency": "log",
    "solver": "auto",
    "tolerance": "paper",
    "max_iterations": 500,
    "device": "cpu",
}
ALLOWED = {
    "path": "{path}",
    "ranks": {"ge": 1},
    "ridges": {"gt": 0},
    "shifts": (False, True),
    "gamma": {"gt": 0},
    "scripts": ("own", "auto", "latin", "sounds", "consonants"),
    "scaling": {"ge": 0},
    "string_weights": {"ge": 0},
    "letters": {"ge": 1},
    "term_frequency": (None, "raw", "log", "sqrt", "binary"),
    "solver": ("auto", "dense", "iterative"),
    "tolerance": ("paper", {"gt": 0, "lt": 1}),
    "max_iterations": {"ge": 1},
    "device": ("cpu", "cuda"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Make the prior of the files, and fit with it; see `fit_with`.

    Raises:
        UserError: with file and line; or the documents cannot be fitted.
    """
    settings = DEFAULTS | options
    files = {language: found["path"] for language, found in training.files.items()}
    return fit_with(training, settings, read_features(files, training.words))


def records(files: dict, options: dict, language: str) -> dict:
    """What is read of the files of a language, line by line, for a check before any job."""
    return {"path": entries(files["path"])}
