"""Word mapping without a dictionary: optimal transport of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import NonNegativeInt, PositiveInt

from cr5.systems.mapping.family import Refined, Started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.spaces import Space
    from cr5.systems.mapping.starts import Start


class Wasserstein(Refined, Started):
    """Word mapping without a dictionary: optimal transport of words.

    Words are matched so that similar words of one language go to similar words of the other
    (Gromov-Wasserstein: Alvarez-Melis and Jaakkola 2018), which needs no map. Then the map is found
    by stochastic steps of transporting batches of words and rotating (Wasserstein-Procrustes: Grave
    et al. 2018, section 3). All starts share the match, which is deterministic, and draw their own
    batches; the unsupervised criterion chooses. Not centred: the match relies on the similarities
    that centring levels.
    """

    title = "Wasserstein-Procrustes"
    reference = "Alvarez-Melis and Jaakkola, EMNLP 2018; Grave, Joulin and Berthet, 2018"
    cost = (1, 8)

    # Words were tried on 50-dimensional spaces of 5 to 8 thousand words.
    plan_words: PositiveInt = 1_000
    """Most frequent words of both languages that are matched."""
    plan_steps: PositiveInt = 30
    """Of linearising the objective and transporting."""
    # The batch is that of Grave et al. 2018 (authors' code). They take 5,000 steps and 5 epochs;
    # starting from a correct plan, as ours is if it works, so many change little.
    transport_words: PositiveInt = 20_000
    """Most frequent words that batches are drawn from."""
    epochs: NonNegativeInt = 3
    """The batch doubles after each, and the steps become a fourth."""
    steps: PositiveInt = 100
    """Of the first epoch."""
    batch: PositiveInt = 500
    """Words of each language in a step of the first epoch."""

    def fit(self, training: TrainingSet) -> Fit:
        """Match the words, find the maps, refine the best of each; see `fit_starts`."""
        from cr5.systems.mapping.starts import fit_starts

        return fit_starts(training, self, self.begin)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[Start]:
        """Match the words once, and find a map for each start."""
        from cr5.systems.mapping.starts import Start, generators
        from cr5.systems.mapping.transport import gromov, map_of, wasserstein_procrustes

        X, Y = source.vectors, target.vectors
        plan, history = gromov(X, Y, self.plan_words, self.plan_steps)
        W = map_of(plan, X, Y)
        for generator in generators(seed, source, target, self.starts):
            found = wasserstein_procrustes(
                *(X, Y, W, generator),
                words=self.transport_words,
                epochs=self.epochs,
                steps=self.steps,
                batch=self.batch,
            )
            yield Start(found, {"match": history})
