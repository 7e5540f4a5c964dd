"""AdvRefine: adversarial training, then refinement (Conneau et al. 2018).

No dictionary and no aligned documents: each language's word vectors are mapped onto the pivot's,
and a document is the sum of its mapped word vectors. The options' defaults are the paper's values,
except `starts`. A game is unstable: the last bits of sums may decide its outcome. So sums are the
same on common processors (`base/processor.py`), and several games are played.
"""

import logging
from collections.abc import Iterator
from functools import partial

import numpy as np

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping import adversarial
from cr5.systems.mapping.gan import OPTIONS as GAME
from cr5.systems.mapping.pivot import settings_from
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.refinement import RefinementSettings, score
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import OPTIONS as STARTS
from cr5.systems.mapping.starts import Start, fit_starts

log = logging.getLogger(__name__)

NEEDS = ("vectors",)

# A game may well fail, so several are played; all other values are the paper's.
OPTIONS = {**STARTS, **GAME, **REFINEMENT}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Train a map for each language except the pivot, refine it and map the vectors.

    Args:
        training: its vectors, vocabularies and frequencies; documents only for validation.
        options: see `OPTIONS`.
    """
    options = complete(OPTIONS, options)
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
    """Make a seed for each language and start, so that the order of languages does not matter."""
    entropy = np.random.SeedSequence([seed, start, *language.encode()])
    return int(entropy.generate_state(1)[0])
