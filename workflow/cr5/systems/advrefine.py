"""AdvRefine: adversarial training, then refinement (Conneau et al. 2018).

No dictionary and no aligned documents: each language's word vectors are mapped onto the pivot's,
and a document is the sum of its mapped word vectors. The options' defaults are the paper's values,
but for `starts`. A game is unstable: the last bits of sums may decide how it ends. So sums are
the same on common processors (`base/processor.py`), and several games are played.
"""

import logging
from collections.abc import Iterator
from functools import partial

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping import adversarial
from cr5.systems.mapping.pivot import settings_from
from cr5.systems.mapping.refinement import RefinementSettings, score
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import Start, fit_starts

log = logging.getLogger(__name__)

NEEDS = ("vectors",)

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": False,
    "starts": 3,  # independent games, each refined; the criterion chooses: one may well fail
    "epochs": 5,
    "samples": 1_000_000,
    "batch": 32,
    "frequent_words": 75_000,
    "hidden": 2048,
    "input_dropout": 0.1,
    "leak": 0.2,
    "smoothing": 0.1,
    "discriminator_steps": 5,
    "rate": 0.1,
    "rate_decay": 0.98,
    "rate_shrink": 0.5,
    "orthogonality": 0.001,
    "scale": 1.0,
    "rounds": 5,
    "dictionary_words": 15_000,
    "neighbours": 10,
    "criterion_words": 10_000,
    "mutual": False,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "starts": {"ge": 1},
    "epochs": {"ge": 1},
    "samples": {"ge": 1},
    "batch": {"ge": 1},
    "frequent_words": {"ge": 1},
    "hidden": {"ge": 1},
    "input_dropout": {"ge": 0, "lt": 1},
    "leak": {"ge": 0, "le": 1},
    "smoothing": {"ge": 0, "lt": 0.5},
    "discriminator_steps": {"ge": 1},
    "rate": {"gt": 0},
    "rate_decay": {"gt": 0, "le": 1},
    "rate_shrink": {"gt": 0, "le": 1},
    "orthogonality": {"ge": 0, "le": 1},
    "scale": {"gt": 0},
    "rounds": {"ge": 0},
    "dictionary_words": {"ge": 1},
    "neighbours": {"ge": 1},
    "criterion_words": {"ge": 1},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Train a map for each language but the pivot, refine it and map the vectors.

    Args:
        training: its vectors, vocabularies and frequencies; documents only for validation.
        options: see `AdversarialSettings`, `RefinementSettings` and `cr5.systems.mapping.pivot`.
    """
    options = DEFAULTS | options
    game = settings_from(adversarial.AdversarialSettings, options)
    refinement = settings_from(RefinementSettings, options)

    def starts(source: Space, target: Space) -> Iterator[Start]:
        criterion = partial(score, source.vectors, target.vectors, settings=refinement)
        for start in range(options["starts"]):
            names = (source.language, target.language, start + 1, options["starts"])
            log.info("%s to %s: game %d of %d", *names)
            seed = make_seed(training.seed, source.language, start)
            trained = adversarial.train(source.vectors, target.vectors, criterion, game, seed)
            yield Start(trained.W, {"adversarial": trained.history, "best_epoch": trained.best})

    return fit_starts(training, options, starts)


def make_seed(seed: int, language: str, start: int) -> int:
    """Give each language and start its own seed: the order of languages must not matter."""
    entropy = np.random.SeedSequence([seed, start, *language.encode()])
    return int(entropy.generate_state(1)[0])
