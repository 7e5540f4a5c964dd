"""How a score of two texts is made: by which measure, and whether matches of words are added.

A model with a second stage can compare with its matches or without. A cosine is called so only
without, as it may pass 1 with what they add:

    cosine            cos(x, y)
    csls              2 cos(x, y) - r(x) - r(y)
    cosine+matches    cos(x, y) + w m(x, y)
    csls+matches      2 cos(x, y) - r(x) - r(y) + 2 w m(x, y)

r and m are explained in `search.corrections` and `search.word_matches`.
"""

from dataclasses import dataclass

import numpy as np

from cr5.base.rows import Rows
from cr5.contracts.model import Model
from cr5.search.measures import MEASURES, Measure
from cr5.search.nearest import best

MATCHES = "+matches"


@dataclass(frozen=True)
class Scoring:
    """A measure, with or without the matches of words."""

    measure: Measure
    has_matches: bool

    @property
    def name(self) -> str:
        """What callers call it."""
        if self.has_matches:
            return f"{self.measure.name}{MATCHES}"
        return self.measure.name

    def bounded(self, scores: np.ndarray) -> np.ndarray:
        """Return scores, of which cosines are 1 at most, whatever rounding adds to them."""
        if self.measure.name == "cosine" and not self.has_matches:
            return np.minimum(scores, 1)
        return scores

    def without_matches(self) -> "Scoring":
        """Return the same measure alone."""
        return Scoring(self.measure, has_matches=False)


def scorings(model: Model) -> dict[str, Scoring]:
    """Return how a model can compare texts, by name, simplest first.

    Of measures that correct hubs there is CSLS alone, and none of a directed model, whose texts
    have no neighbours in one space.
    """
    measures = []
    for name in model.measures:
        measure = MEASURES[name]
        if not measure.corrects_hubs or (measure.is_csls and not model.directed):
            measures.append(measure)
    by_name = {}
    for has_matches in (False, True) if model.rerank else (False,):
        for measure in measures:
            scoring = Scoring(measure, has_matches)
            by_name[scoring.name] = scoring
    return by_name


def full_name(model: Model, measure: str) -> str:
    """Return the name of a score by a measure with all that the model has, as in evaluations."""
    return Scoring(MEASURES[measure], has_matches=bool(model.rerank)).name


def mean_of_nearest(
    queries: Rows, neighbours: Rows, k: int, barred: np.ndarray | None, threads: int
) -> np.ndarray:
    """Return r(x) of CSLS, the mean cosine of each query with its k nearest neighbours, (n,).

    `barred` has inf for neighbours that do not count. It is 0 where there are none.
    """
    cosines, _ = best(queries, neighbours, k, barred, threads=threads)
    return np.ma.masked_invalid(cosines).mean(axis=1).filled(0)
