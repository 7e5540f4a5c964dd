"""The second stage of a search: the best candidates of each query in a new order.

The first `DEPTH` candidates of a query, in the order of a measure, get the score

    s'(x, y) = s(x, y) + w m(x, y)

with m of `word_matches` and a weight w that validation chooses; the cosine in CSLS, 2 cos(x, y) -
r(x) - r(y), counts twice, and so does m. As m is at least 0, the first candidates stay before all
others, whose ranks and scores do not change.
"""

from collections.abc import Callable

import numpy as np

from cr5.search.best import NONE, Best
from cr5.search.measures import Measure

DEPTH = 30

Gain = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From the row numbers of queries, ascending, and of candidates to w m of each pair."""


def best_reranked(first: Best, gain: Gain, measure: Measure, k: int) -> Best:
    """Reorder the first `DEPTH` keys of each query, and return the k best.

    Args:
        first: the best keys, `DEPTH` of them or more; in ties the order stays.
        gain: of queries and keys.
        measure: of the scores.
        k: how many to return.
    """
    there = np.flatnonzero(first.columns[:, :DEPTH] != NONE)
    query, place = np.divmod(there, min(DEPTH, first.columns.shape[1]))
    scores = first.scores.copy()
    scores[query, place] += measure.score(gain(query, first.columns[query, place]), 0)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return Best(np.take_along_axis(scores, order, 1), np.take_along_axis(first.columns, order, 1))
