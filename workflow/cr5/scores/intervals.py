"""Intervals of a mean of fractions over queries and repetitions: Wilson's, for any variance.

Of a share p of n queries, Wilson's score interval (1927) is, with z = 1.96,

    (n p + z^2 / 2 +- z sqrt(n p (1 - p) + z^2 / 4)) / (n + z^2)

It stays within [0, 1] and has a width even at 0 and 1, where a bootstrap's is zero. Metrics other
than shares vary less: their variance is D = s^2 / (p (1 - p)) times the largest that fractions of
mean p can have. They are worth n / D queries of a share, the effective sample size (Kish 1965). D
rests on few queries if nearly all values are equal, so z^2 / 4 is added to n s^2 and to
n p (1 - p), as in Wilson's own sum: D is 1 for a share, and for equal values at an edge.

Repetitions may test the same queries, others, or a mix, and fits differ too. So n is the
number of distinct queries, and n s^2 is n^2 times the variance of the mean, counted over distinct
queries and over repetitions (see `_variance`): a query asked in five repetitions does not count as
five queries, and if fits differ much, D is above 1.

Resampling queries within each repetition (a bootstrap) would be worse: it counts a query asked in
five repetitions as five, ignores how fits differ, and has no width at the edges. What it does
capture, the variation of queries within a repetition, is the first part of `_variance`.

In a mean over directions, a concept that is a query in several of them is also one query. The set
of directions is fixed, not random, so differences between them do not count.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

Z = 1.959963984540054  # for a level of 95 %


def interval(
    values: Sequence[np.ndarray],
    queries: Sequence[Sequence[str]],
    directions: Sequence[Sequence[str]],
) -> tuple[np.ndarray, np.ndarray]:
    """Interval of the mean over directions of means over repetitions of means over queries.

    Args:
        values: for each repetition, queries x metrics, fractions.
        queries: for each repetition, the names of its queries, unique within a direction; the same
            name in two repetitions or directions is the same query.
        directions: for each repetition, the direction of each query.

    Returns:
        Lower and upper ends, each (metrics,).
    """
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
    """Weight of each value in the mean over directions, repetitions and queries; they sum to 1.

    Args:
        direction: (values,), numbered from 0.
        repetition: (values,), numbered from 0.
    """
    cells, cell, sizes = _cells(direction, repetition)
    repetitions = np.bincount(cells[:, 0])
    weight = 1 / (sizes * repetitions[cells[:, 0]] * len(repetitions))
    return weight[cell]


def _numbers(names: Sequence[Sequence[str]]) -> np.ndarray:
    return pd.factorize(np.concatenate([np.asarray(each, object) for each in names]))[0]


def _cells(direction: np.ndarray, repetition: np.ndarray) -> tuple[np.ndarray, ...]:
    """Cells, one per direction and repetition: both (cells x 2), each value's cell, cell sizes."""
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
    """Variance of the mean under other queries and other repetitions, (metrics,).

    As for two-way clusters (Cameron, Gelbach and Miller 2011): a query's contributions to the mean
    are summed over its directions and repetitions, then squared. Differences between repetitions
    count as far as they exceed what their queries explain; with few repetitions that part is
    estimated poorly.
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
