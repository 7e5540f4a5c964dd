"""By what models are compared on validation queries."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Criterion:
    """A figure of the ranks of a directed pair's validation queries; its mean over pairs decides.

    Attributes:
        name: in the configuration.
        title: in figures.
        of_ranks: from the rank of each query's best answer, from 1, inf where none was found, to
            the figure.
        smaller_is_better: else larger.
    """

    name: str
    title: str
    of_ranks: Callable[[np.ndarray], float]
    smaller_is_better: bool = False

    def is_better(self, score: float, than: float) -> bool:
        """Whether a score is better than another one; nan never is."""
        return score < than if self.smaller_is_better else score > than


class Score(float):
    """What a criterion says of a model: its mean over directed pairs.

    Attributes:
        by_pair: by language of the queries, of the candidates: the figure of a pair.
    """

    by_pair: Mapping[str, Mapping[str, float]]

    def __new__(cls, value: float, by_pair: Mapping[str, Mapping[str, float]]) -> "Score":
        """Make a number that remembers its parts."""
        score = super().__new__(cls, value)
        score.by_pair = by_pair
        return score


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
