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

Resampling queries within each repetition (a bootstrap) would serve worse: it takes a query that is
asked in five repetitions for five, it leaves out how fits differ, and it has no width at the edges.
What it would get right, that queries vary within a repetition, is the first part of `_variance`.

Of a mean over directions, a concept that is a query in several of them is one query, too; which
directions there are is no matter of chance, so how they differ does not count.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

Z = 1.959963984540054  # of a level of 95 %


def interval(
    values: Sequence[np.ndarray],
    queries: Sequence[Sequence[str]],
    directions: Sequence[Sequence[str]] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Interval of the mean over directions of the means over repetitions of those over queries.

    Args:
        values: per repetition queries x metrics, fractions.
        queries: per repetition the names of its queries, each once in a direction; the same name
            in two repetitions or directions is the same query.
        directions: per repetition the direction of each query; None where there is but one.

    Returns:
        Lower and upper ends, each (metrics,).
    """
    directions = directions or [[""] * len(each) for each in queries]
    direction, name = _numbers(directions), _numbers(queries)
    repetition = np.repeat(np.arange(len(values)), [len(each) for each in values])
    flat = np.concatenate(values)
    mean = _means(flat, direction, repetition)[1].mean(axis=0)
    n, more = name.max() + 1, Z**2 / 4
    variance = _variance(flat, name, direction, repetition)
    spread = (n**2 * variance + more) / (n * mean * (1 - mean) + more)
    size = n / spread
    centre = size * mean + 2 * more
    half = Z * np.sqrt(size * mean * (1 - mean) + more)
    low, high = (centre - half) / (size + 4 * more), (centre + half) / (size + 4 * more)
    return np.clip(low, 0, mean), np.clip(high, mean, 1)


def weights(direction: np.ndarray, repetition: np.ndarray) -> np.ndarray:
    """What each value counts in the mean over directions, repetitions and queries; 1 in all.

    Args:
        direction: (values,) from 0 on.
        repetition: (values,) from 0 on.
    """
    cells, cell, sizes = _cells(direction, repetition)
    repetitions = np.bincount(cells[:, 0])
    weight = 1 / (sizes * repetitions[cells[:, 0]] * len(repetitions))
    return weight[cell]


def _numbers(names: Sequence[Sequence[str]]) -> np.ndarray:
    return pd.factorize(np.concatenate([np.asarray(each, object) for each in names]))[0]


def _cells(direction: np.ndarray, repetition: np.ndarray) -> tuple[np.ndarray, ...]:
    """Each direction of each repetition: both (cells x 2), each value's, and how many it has."""
    pairs = np.column_stack([direction, repetition])
    return np.unique(pairs, axis=0, return_inverse=True, return_counts=True)


def _means(flat: np.ndarray, direction: np.ndarray, repetition: np.ndarray) -> tuple:
    """Mean of each cell, and of each direction over its repetitions."""
    cells, cell, _ = _cells(direction, repetition)
    means = _sums(flat, cell) / np.bincount(cell)[:, None]
    return means, _sums(means, cells[:, 0]) / np.bincount(cells[:, 0])[:, None]


def _sums(values: np.ndarray, place: np.ndarray) -> np.ndarray:
    sums = np.zeros((place.max() + 1, values.shape[1]))
    np.add.at(sums, place, values)
    return sums


def _variance(
    flat: np.ndarray, name: np.ndarray, direction: np.ndarray, repetition: np.ndarray
) -> np.ndarray:
    """Variance of the mean that other queries and other repetitions would have, (metrics,).

    As for clusters of two kinds (Cameron, Gelbach and Miller 2011): what a query adds to the mean
    is summed over its directions and repetitions, then squared. How repetitions differ counts as
    far as it is more than their queries explain; of few repetitions that part is known badly.
    """
    r = repetition.max() + 1
    cells, cell, _ = _cells(direction, repetition)
    means, of_direction = _means(flat, direction, repetition)
    added = weights(direction, repetition)[:, None] * (flat - means[cell])
    by_query = (_sums(added, name) ** 2).sum(axis=0)
    if r == 1:
        return by_query
    apart = means - of_direction[cells[:, 0]]
    apart = _sums(apart, cells[:, 1]) / np.bincount(cells[:, 1])[:, None]
    by_repetition = (apart**2).sum(axis=0) / (r - 1) / r
    within = (_sums(added, name + repetition * (name.max() + 1)) ** 2).sum(axis=0)
    return by_query + np.maximum(by_repetition - (r * within - by_query) / (r - 1), 0)
