"""The unpaired t-test, as used by Platt et al. (EMNLP 2010).

Student's, equal variances, two-sided, on per-query values. It treats the queries of two systems as
different; if they are the same, as here, `significance` has more power.
"""

import numpy as np
import pandas as pd

from cr5.scores.significance import two_sided

MOMENTS = ["mean", "deviation", "n"]


def moments(values: pd.DataFrame, weights: np.ndarray, names: pd.Series) -> pd.DataFrame:
    """Mean, standard deviation and number of units of each column.

    Args:
        values: a row per answer of a system, a column per metric.
        weights: (rows,) of the answers in the mean; they sum to 1.
        names: (rows,) the unit of each row: answers to one query in several directions are not
            independent. A unit's contribution is linearised; with one answer per unit and equal
            weights, the deviation is the usual one.

    Returns:
        Metrics x `MOMENTS`; the deviation of a single unit is nan.
    """
    mean = weights @ values.to_numpy()
    apart = pd.DataFrame((values.to_numpy() - mean) * weights[:, None])
    added = apart.groupby(np.asarray(names)).sum().to_numpy()
    n = len(added)
    squares = (added**2).sum(axis=0)
    deviation = n * np.sqrt(squares / (n - 1)) if n > 1 else np.full(len(mean), np.nan)
    found = {"mean": mean, "deviation": deviation, "n": n}
    return pd.DataFrame(found, values.columns)[MOMENTS]


def p_values(one: pd.DataFrame, other: pd.DataFrame) -> np.ndarray:
    """Test that means are equal, two-sided.

    Args:
        one: rows x `MOMENTS`.
        other: likewise.

    Returns:
        (rows,); 1 if means are equal or a deviation is unknown, 0 if they differ with no variance.
    """
    with np.errstate(all="ignore"):
        (a, s, n), (b, t, m) = (frame[MOMENTS].to_numpy(float).T for frame in (one, other))
        variance = ((n - 1) * s**2 + (m - 1) * t**2) / (n + m - 2)
        p = two_sided((a - b) / np.sqrt(variance * (1 / n + 1 / m)), n + m - 2)
    return np.where((a == b) | np.isnan(p), 1.0, p)
