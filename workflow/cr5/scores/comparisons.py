"""Tests between systems, from values of queries of settings that are reported as one.

The difference of two systems is that of their figures in the tables: the mean over directions, over
repetitions, over queries. The unit of a test is a query name (for documents, a concept). Its
contributions over all repetitions, and over all directions if pooled, are flipped together, since a
concept that is hard is hard in all of them. Only queries that both systems answered count.

Holm's correction covers a column of a table: all comparisons of a setting, task, measure and
metric, in all directions; pooled comparisons form another table. Metrics and measures are different
views of the same ranks; they are not corrected for one another.

The p of a paired and of an unpaired t-test, as in Gupta et al. (2017) and Platt et al. (2010), are
given too, uncorrected; their unit is also a query name. The unpaired one treats the queries of two
systems as different; as they are the same here, it has less power.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from cr5.scores.significance import Between, holm, p_values
from cr5.scores.summary import ALL, DIRECTION, ROW, weights_of

FIRST = "first"  # in place of a measure: each system by its own first one
TESTS = ["system", "other", "difference", "p", "p_paired", "p_unpaired", "n"]
SIGNIFICANCE = ["setting", "series", "task", *DIRECTION, "similarity", "metric", *TESTS[:4]]
SIGNIFICANCE += ["p_holm", *TESTS[4:]]


def compare(
    values: pd.DataFrame, metrics: Sequence[str], seed: int, label: str = ""
) -> pd.DataFrame:
    """Test every system against every other, in each direction and over all of them.

    Args:
        values: see `summary.by_query`.
        metrics: names of columns.
        seed: of the flips.
        label: name of the setting in rows of all directions.

    Returns:
        `SIGNIFICANCE`; by each measure and, where systems have different first ones, by these.
        `difference` is system minus other, n the number of queries that both answered; only p_holm
        is corrected.
    """
    rows = []
    for similarity, found in [
        *values.groupby("similarity", sort=False),
        *_by_first_measure(values),
    ]:
        for place, part in [*found.groupby(DIRECTION, sort=False), ((ALL, ALL), found)]:
            setting = label if place[0] == ALL else part["setting"].iloc[0]
            of = setting, *part.iloc[0][["series", "task"]], *place, similarity
            rows += [(*of, *test) for test in _tests(part, list(metrics), seed)]
    names = ["setting", "series", "task", *DIRECTION, "similarity", "metric", *TESTS]
    compared = pd.DataFrame(rows, columns=names)
    families = compared.groupby([compared["query"] == ALL, "similarity", "metric"])["p"]
    corrected = families.transform(lambda p: holm(p.to_numpy()))
    return compared.assign(p_holm=corrected)[SIGNIFICANCE]


def _by_first_measure(values: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield each system's values by its first measure, where these differ."""
    first = values.groupby("system", sort=False)["similarity"].transform("first")
    if len(set(first)) > 1:
        yield FIRST, values[values["similarity"] == first]


def _tests(values: pd.DataFrame, metrics: list[str], seed: int) -> Iterator[tuple]:
    """Yield metric and `TESTS` of all pairs of systems."""
    of = {
        x: y.set_index(ROW)[metrics].astype(float) for x, y in values.groupby("system", sort=False)
    }
    each = {x: _added(frame) for x, frame in of.items()} if _is_alike([*of.values()]) else {}
    added = {
        (x, y): each[x] - each[y] if each else _added((of[x] - of[y]).dropna())
        for x, y in combinations(of, 2)
    }
    added = {pair: frame for pair, frame in added.items() if len(frame)}
    if not added:
        return
    # a query that only other pairs have contributes 0
    every = pd.concat(added, axis=1).sort_index().fillna(0.0)
    between = _between(each, every.columns) if each and len(each) < len(added) else None
    p = pd.Series(p_values(every.to_numpy(), seed, between), every.columns)
    moments = {system: _moments(frame) for system, frame in of.items()}
    for (one, other), frame in added.items():
        paired, unpaired = paired_t(frame.to_numpy()), unpaired_t(moments[one], moments[other])
        for metric, *t in zip(metrics, paired, unpaired, strict=True):
            difference = frame[metric].sum()
            yield metric, one, other, difference, p[one, other, metric], *t, len(frame)


def _is_alike(frames: Sequence[pd.DataFrame]) -> bool:
    """Whether all systems answered the same queries: then each system is summed once."""
    first, *others = (frame.index.sort_values() for frame in frames)
    same = all(index.equals(first) for index in others)
    return same and not any(frame.isna().any(axis=None) for frame in frames)


def _between(each: dict[str, pd.DataFrame], comparisons: pd.MultiIndex) -> Between:
    """Comparisons as differences of the systems' values."""
    of = pd.concat(each, axis=1).sort_index()
    ones, others = (
        of.columns.get_indexer([(pair[place], metric) for *pair, metric in comparisons])
        for place in (0, 1)
    )
    return Between(of.to_numpy(), ones, others)


def _added(values: pd.DataFrame) -> pd.DataFrame:
    """Contribution of each query to a system's mean, or to a difference, queries x metrics."""
    weighted = values.mul(weights_of(values.index.to_frame(index=False)), axis=0)
    return weighted.groupby(level="name").sum()


def _moments(values: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, int]:
    """Mean and deviation of each metric, (metrics,), and the number of queries.

    Answers to one query in several directions are not independent: its contribution is linearised.
    With one answer a query and equal weights, the deviation is the usual one.
    """
    weight = weights_of(values.index.to_frame(index=False))
    mean = weight @ values.to_numpy()
    added = values.sub(mean).mul(weight, axis=0).groupby(level="name").sum()
    n = len(added)
    with np.errstate(all="ignore"):
        return mean, n * np.sqrt((added**2).sum(axis=0).to_numpy() / (n - 1)), n


def paired_t(differences: np.ndarray) -> np.ndarray:
    """Student's paired t-test, two-sided.

    Args:
        differences: units x comparisons.

    Returns:
        (comparisons,); 1 if there is a single unit or no difference, 0 if all are the same one.
    """
    n, mean = len(differences), differences.mean(axis=0)
    with np.errstate(all="ignore"):
        return _two_sided(mean / np.sqrt(differences.var(axis=0) / (n - 1)), n - 1)


def unpaired_t(one: tuple, other: tuple) -> np.ndarray:
    """Student's t-test of two means, variances being equal, two-sided.

    Args:
        one: mean and deviation, (comparisons,), and number of units.
        other: likewise.

    Returns:
        (comparisons,); 1 if means are equal or a deviation is unknown, 0 if they differ with no
        variance.
    """
    (a, s, n), (b, t, m) = one, other
    with np.errstate(all="ignore"):
        variance = ((n - 1) * s**2 + (m - 1) * t**2) / (n + m - 2)
        return _two_sided((a - b) / np.sqrt(variance * (1 / n + 1 / m)), n + m - 2)


def _two_sided(t: np.ndarray, freedom: int) -> np.ndarray:
    """Return the probability that Student's t is as far from 0 or farther; 1 where t is unknown."""
    from scipy import special  # stats takes half a second to import

    p = 2 * special.stdtr(freedom, -np.abs(t))
    return np.where(np.isnan(p), 1.0, p)
