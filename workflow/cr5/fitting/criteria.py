"""The criteria by which models are compared on validation queries."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Criterion:
    """A score of the ranks of a directed pair's validation queries; its mean over pairs decides.

    Attributes:
        name: in the configuration.
        title: in figures.
        of_ranks: computes the score from the rank of each query's best answer, starting at 1; inf
            if none was found.
        smaller_is_better: whether smaller scores are better; otherwise larger ones are.
    """

    name: str
    title: str
    of_ranks: Callable[[np.ndarray], float]
    smaller_is_better: bool = False

    def is_better(self, score: float, than: float) -> bool:
        """Whether one score is better than another; nan never is."""
        return score < than if self.smaller_is_better else score > than


class Score(float):
    """A model's score by a criterion: the mean over directed pairs.

    Attributes:
        by_pair: the score of each pair, by the queries' language, then by the candidates'.
        chance: the best score of a hundred random orders of the candidates, see `by_chance`; nan if
            that is not known.
    """

    by_pair: Mapping[str, Mapping[str, float]]
    chance: float

    def __new__(
        cls, value: float, by_pair: Mapping[str, Mapping[str, float]], chance: float = math.nan
    ) -> "Score":
        """Make a number that keeps the scores of its pairs."""
        score = super().__new__(cls, value)
        score.by_pair, score.chance = by_pair, chance
        return score


def by_chance(criterion: Criterion, sizes: Sequence[tuple[int, int]]) -> float:
    """Return the best score of a hundred random orders.

    Args:
        criterion: the score; its mean over pairs counts.
        sizes: of each pair, the number of queries, with one answer each, and of candidates.
    """
    generator = np.random.default_rng(0)
    scores = [
        np.mean([criterion.of_ranks(generator.integers(1, n + 1, size)) for size, n in sizes])
        for _ in range(100)
    ]
    return float(min(scores) if criterion.smaller_is_better else max(scores))


def at_chance(score: float, criterion: Criterion) -> list[str]:
    """Return a warning if a model finds no more than chance does."""
    chance = getattr(score, "chance", math.nan)
    if math.isnan(chance) or criterion.is_better(score, chance):
        return []
    return [
        f"this fit found NOTHING: {criterion.title} {score:.4f} on validation queries, where the "
        f"best of a hundred random orders has {chance:.4f}. Are texts of one concept about the "
        "same thing, each under its own language, and enough of them?"
    ]


def _reciprocal_rank(ranks: np.ndarray) -> float:
    return float((1 / ranks).mean())


def _inverse_reciprocal_rank(ranks: np.ndarray) -> float:
    found = _reciprocal_rank(ranks)
    return 1 / found if found else math.inf


CRITERIA = {
    each.name: each
    for each in (
        Criterion("mrr", "MRR", _reciprocal_rank),
        Criterion("p@1", "P@1", lambda ranks: float((ranks <= 1).mean())),
        # Josifoski et al.'s code: the mean over both directions of 1 / MRR
        Criterion("authors", "mean of 1 / MRR", _inverse_reciprocal_rank, True),
    )
}
MRR = CRITERIA["mrr"]
