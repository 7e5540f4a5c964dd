"""Word mapping without a dictionary: similarity distributions, then stochastic self-learning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveInt

from cr5.systems.mapping.family import Refined, Started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.spaces import Space
    from cr5.systems.mapping.starts import Start


class VecmapUnsupervised(Refined, Started):
    """Word mapping without a dictionary: similarity distributions, then stochastic self-learning.

    Words whose similarities to all others of their language are distributed alike make the first
    dictionary; few of its pairs are right. Self-learning with a dictionary that is randomly thinned
    at first and complete at the end improves it: a mostly wrong start is a poor local optimum, and
    noise helps to leave it, as in simulated annealing (Artetxe et al. 2018, ACL; without their last
    step, which re-weights). Each start uses its own random numbers; the unsupervised criterion
    chooses. The values of section 3.3 and the authors' code.
    """

    title = "VecMap, unsupervised"
    reference = "Artetxe, Labaka and Agirre, ACL 2018"
    cost = (1, 24)

    centre: bool = True
    """Whether the mean of all vectors is subtracted first, as published."""
    profile_words: PositiveInt = 4_000
    """Most frequent words that are compared at first."""
    learning_words: PositiveInt = 20_000
    """Most frequent words that may enter a dictionary."""
    patience: PositiveInt = 50
    """Steps without improvement after which the objective stands still."""
    steps: PositiveInt = 5_000
    """At most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Learn the maps, refine the best of each and map the vectors; see `fit_starts`."""
        from cr5.systems.mapping.starts import fit_starts

        return fit_starts(training, self, self.begin)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[Start]:
        """Learn from the same first dictionary for each start."""
        from cr5.systems.mapping.annealing import self_learn
        from cr5.systems.mapping.profiles import first_pairs
        from cr5.systems.mapping.starts import generators

        X, Y = source.vectors, target.vectors
        pairs = first_pairs(X, Y, self.profile_words, self.neighbours)
        for generator in generators(seed, source, target, self.starts):
            yield self_learn(
                *(X, Y, pairs, generator),
                words=self.learning_words,
                neighbours=self.neighbours,
                patience=self.patience,
                steps=self.steps,
            )
