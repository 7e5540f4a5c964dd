"""Word mapping without a dictionary: iterative closest points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, PositiveInt

from cr5.systems.mapping.family import Refined, Started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.spaces import Space
    from cr5.systems.mapping.starts import Start


class Icp(Refined, Started):
    """Word mapping without a dictionary: iterative closest points (Hoshen and Wolf 2018).

    The principal axes of two similar spaces are alike, up to their signs and the order of those
    with nearly equal variance. Each trial starts with its own signs and alternates between nearest
    neighbours and the rotation that they induce. Few of many trials succeed; their distances
    between words and neighbours are much smaller than those of all others, so the error identifies
    them. The best trial is refined. Each start draws its own signs for all of its trials; the
    unsupervised criterion chooses.
    """

    title = "Closest points"
    reference = "Hoshen and Wolf, EMNLP 2018"
    cost = (1, 24)

    # Tried on 50-dimensional spaces of 5 to 8 thousand words. Hoshen and Wolf 2018 (sections 3 and
    # 4) take 5,000 words, 50 of 300 axes and 500 trials.
    icp_words: Annotated[int, Field(ge=2)] = 1_500
    """Most frequent words of both languages."""
    axes: PositiveInt = 25
    """Principal axes kept, at most as many as the vectors have dimensions."""
    trials: PositiveInt = 100
    """Of signs; the one of the least error is kept."""
    icp_steps: PositiveInt = 50
    """Of neighbours and rotation at most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Find the maps, refine the best of each and map the vectors; see `fit_starts`."""
        from cr5.systems.mapping.starts import fit_starts

        return fit_starts(training, self, self.begin, own=True)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[Start]:
        """Find the best of many trials for each start."""
        from cr5.systems.mapping.closest_points import closest_points
        from cr5.systems.mapping.starts import generators

        for generator in generators(seed, source, target, self.starts):
            yield closest_points(
                *(source.own, target.own, generator),
                words=self.icp_words,
                axes=self.axes,
                trials=self.trials,
                steps=self.icp_steps,
            )
