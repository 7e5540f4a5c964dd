"""Cr5 with a prior over spellings: words that are spelt alike get vectors that are alike.

Cr5's regression (`cr5.systems.reduced_rank`) on log term frequencies, with three changes. The prior
of the word vectors is not I but (I + gamma N N') / (1 + gamma), where N has the spelling of words,
in one language or in two (`cr5.systems.spelling.features`): a word is known by its kin, and a rare
one by more than its few documents. Words of different scripts may be compared by their
sounds, in Latin letters (`cr5.systems.spelling.scripts`). The output is scaled by the eigenvalues,
Phi' diag(mu)^a, in place of Eq. 15, which blows up directions that are hardly there. And the mean
of the language's training documents may be added to a document, where validation says so.

Beside what was learned the beginnings of words may count, as in `strings`: cosine plus beta times
that of beginnings. Where names tell documents apart this finds more than either does; validation
says how much they weigh, 0 included.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.spelling.features import features
from cr5.systems.spelling.fits import fit_with
from cr5.systems.spelling.scripts import compared

DEFAULTS = {
    "ranks": [100, 300],
    "ridges": [0.03, 0.1, 0.3, 1.0, 3.0],
    "shifts": [False, True],  # whether the mean of the language's documents is added
    "prior": "prefixes",  # or ngrams; none for Cr5's
    "gamma": 1.0,  # weight of the prior
    "scripts": "own",  # or words of other scripts in Latin letters, see spelling.scripts
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
    "ranks": {"ge": 1},
    "ridges": {"gt": 0},
    "shifts": (False, True),
    "prior": ("none", "prefixes", "ngrams"),
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
    """Make the prior of the words' spelling, and fit with it; see `fit_with`."""
    settings, kind = DEFAULTS | options, (DEFAULTS | options)["prior"]
    words = compared(training.words, settings["scripts"])
    return fit_with(training, settings, {} if kind == "none" else features(words, kind))
