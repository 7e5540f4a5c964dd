"""AdvRefine: adversarial training, then refinement."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from cr5.systems.mapping.family import Game, Refined, Started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.spaces import Space
    from cr5.systems.mapping.starts import Start

log = logging.getLogger(__name__)


class AdvRefine(Refined, Game, Started):
    """AdvRefine: adversarial training, then refinement (Conneau et al. 2018).

    No dictionary and no aligned documents: each language's word vectors are mapped onto the
    pivot's, and a document is the sum of its mapped word vectors. The options' defaults are the
    paper's values, except `starts`: a game may well fail. A game is unstable: the last bits of sums
    may decide its outcome. So sums are the same on common processors (`base/processor.py`), and
    several games are played.
    """

    title = "AdvRefine"
    reference = "Conneau, Lample, Ranzato, Denoyer and Jégou, ICLR 2018"
    cost = (1, 24)  # several games
    colour = "#E69F00"

    def fit(self, training: TrainingSet) -> Fit:
        """Train a map for each language except the pivot, refine it and map the vectors."""
        from cr5.systems.mapping.starts import fit_starts

        return fit_starts(training, self, self.begin, own=True)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[Start]:
        """Play the games, each with its own seed."""
        from cr5.systems.mapping import game
        from cr5.systems.mapping.refinement import score

        criterion = partial(score, source.vectors, target.vectors, system=self)
        for start in range(self.starts):
            names = (source.language, target.language, start + 1, self.starts)
            log.info("%s to %s: game %d of %d", *names)
            own = make_seed(seed, source.language, start)
            yield game.train(source.own, target.own, criterion, self, own)


def make_seed(seed: int, language: str, start: int) -> int:
    """Make a seed for each language and start, so that the order of languages does not matter."""
    entropy = np.random.SeedSequence([seed, start, *language.encode()])
    return int(entropy.generate_state(1)[0])
