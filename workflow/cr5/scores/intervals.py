"""Intervals of a mean of fractions over queries and repetitions: Wilson's, for any variance.

Of a share p of n queries, Wilson's score interval (1927) is, with z = 1.96,

    (n p + z^2 / 2 +- z sqrt(n p (1 - p) + z^2 / 4)) / (n + z^2)

It stays within [0, 1] and has a width at 0 and 1 too, where that of a bootstrap is zero. Values
of other metrics than shares spread less: by D = s^2 / (p (1 - p)) of the most that fractions of
mean p can. They are worth n / D queries of a share, the effective size of a sample (Kish 1965). D
rests on few queries where nearly all values are equal, so z^2 / 4 is added to n s^2 and to
n p (1 - p), as much as Wilson's own sum has: of a share, and of equal values at an edge, D is 1.

Repetitions may test the same queries, others, or some of both, and fits differ too. So n is the
number of distinct queries, and n s^2 is n^2 times the variance of the mean, counted over distinct
queries and over repetitions (see `_variance`): asking a query in five repetitions makes it no five
queries, and where fits differ much, D is above 1.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

LEVEL = 0.95
Z = 1.959963984540054


def interval(
    values: Sequence[np.ndarray], queries: Sequence[Sequence[str]]
) -> tuple[np.ndarray, np.ndarray]:
    """Interval of the mean over repetitions of the means over queries.

    Args:
        values: per repetition queries x metrics, fractions.
        queries: per repetition the names of its queries, each once; the same name in two
            repetitions is the same query.

    Returns:
        Lower and upper ends, each (metrics,).
    """
    mean = np.mean([each.mean(axis=0) for each in values], axis=0)
    numbers, names = pd.factorize(np.concatenate([np.asarray(x, object) for x in queries]))
    n, more = len(names), Z**2 / 4
    spread = (n**2 * _variance(values, numbers) + more) / (n * mean * (1 - mean) + more)
    size = n / spread
    centre = size * mean + 2 * more
    half = Z * np.sqrt(size * mean * (1 - mean) + more)
    low, high = (centre - half) / (size + 4 * more), (centre + half) / (size + 4 * more)
    return np.clip(low, 0, mean), np.clip(high, mean, 1)


def _variance(values: Sequence[np.ndarray], numbers: np.ndarray) -> np.ndarray:
    """Variance of the mean that other queries and other repetitions would have, (metrics,).

    As for clusters of two kinds (Cameron, Gelbach and Miller 2011): what a query adds to the mean
    is summed over its repetitions, then squared. How repetitions differ counts as far as it is
    more than their queries explain; of few repetitions that part is known badly.

    Args:
        values: per repetition queries x metrics.
        numbers: of the queries of all repetitions, one after the other; from 0 on.
    """
    r = len(values)
    added = np.concatenate([(each - each.mean(axis=0)) / (r * len(each)) for each in values])
    of_query = np.zeros((numbers.max() + 1, added.shape[1]))
    np.add.at(of_query, numbers, added)
    by_query = (of_query**2).sum(axis=0)
    if r == 1:
        return by_query
    by_repetition = np.var([each.mean(axis=0) for each in values], axis=0, ddof=1) / r
    explained = (r * (added**2).sum(axis=0) - by_query) / (r - 1)
    return by_query + np.maximum(by_repetition - explained, 0)
