"""Intervals of a mean of fractions over queries, repetitions and directions.

Of a share p of n queries, Wilson's score interval (1927) is, with z = 1.96,

    (n p + z^2 / 2 +- z sqrt(n p (1 - p) + z^2 / 4)) / (n + z^2)

It stays within [0, 1] and has a width even at 0 and 1, where a bootstrap's is zero. Metrics other
than shares vary less: their variance is D = s^2 / (p (1 - p)) times the largest that fractions of
mean p can have. They are worth n / D queries of a share, the effective sample size (Kish 1965). D
rests on few queries if nearly all values are equal, so z^2 / 4 is added to n s^2 and to
n p (1 - p), as in Wilson's own sum: D is 1 for a share, and for equal values at an edge.

n is the number of distinct queries, and n s^2 is n^2 times the variance of the mean: a query asked
in five repetitions or in several directions does not count as five, and if fits differ much, D is
above 1. The set of directions is fixed, not random, so differences between them do not count.
"""

import numpy as np
import pandas as pd

Z = 1.959963984540054  # for a level of 95 %
CELL = ["query", "target", "repetition"]


def weights(rows: pd.DataFrame) -> pd.Series:
    """Weight of each value in the mean over directions, repetitions and queries; they sum to 1.

    Args:
        rows: query and target (languages) and repetition of each value.
    """
    cells = rows.groupby(CELL)
    sizes = cells.size()
    repetitions = sizes.groupby(level=CELL[:2]).transform("size")
    weight = 1 / (sizes * repetitions * len(sizes.groupby(level=CELL[:2])))
    return pd.Series(weight.to_numpy()[cells.ngroup()], rows.index)


def interval(values: pd.DataFrame, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Interval of the mean over directions of means over repetitions of means over queries.

    Args:
        values: a row per query, direction and repetition, a column per metric; fractions.
        rows: see `weights`; and name. The same name is the same query.

    Returns:
        Mean, lower and upper end, each (metrics,).
    """
    weight = weights(rows)
    mean = np.clip(weight.to_numpy() @ values.to_numpy(float), 0, 1)
    n, more = rows["name"].nunique(), Z**2 / 4
    spread = (n**2 * _variance(values, rows, weight) + more) / (n * mean * (1 - mean) + more)
    size = n / spread
    centre = size * mean + 2 * more
    half = Z * np.sqrt(size * mean * (1 - mean) + more)
    low, high = (centre - half) / (size + 4 * more), (centre + half) / (size + 4 * more)
    return mean, np.clip(low, 0, mean), np.clip(high, mean, 1)


def _variance(values: pd.DataFrame, rows: pd.DataFrame, weight: pd.Series) -> np.ndarray:
    """Variance of the mean under other queries and other repetitions, (metrics,).

    As for two-way clusters (Cameron, Gelbach and Miller 2011): a query's contributions to the mean
    are summed over its directions and repetitions, then squared. Differences between repetitions
    count as far as they exceed what their queries explain; with few repetitions that part is
    estimated poorly.
    """
    cells = values.astype(float).groupby([rows[key] for key in CELL])
    added = (values - cells.transform("mean")).mul(weight, axis=0)
    by_query = _squares(added.groupby(rows["name"]).sum())
    if (r := rows["repetition"].nunique()) == 1:
        return by_query
    means = cells.mean()
    apart = means - means.groupby(level=CELL[:2]).transform("mean")
    by_repetition = _squares(apart.groupby(level="repetition").mean()) / (r - 1) / r
    within = _squares(added.groupby([rows["name"], rows["repetition"]]).sum())
    return by_query + np.maximum(by_repetition - (r * within - by_query) / (r - 1), 0)


def _squares(frame: pd.DataFrame) -> np.ndarray:
    return (frame.to_numpy() ** 2).sum(axis=0)
