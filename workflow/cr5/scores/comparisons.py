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

from cr5.scores.intervals import weights
from cr5.scores.significance import holm, p_values, paired_t, unpaired_t
from cr5.scores.summary import ALL, DIRECTION, ROW, places

FIRST = "first"  # in place of a measure: each system by its own first one
PLACE = ["setting", "series", "task", *DIRECTION, "similarity"]
TESTS = ["system", "other", "metric", "difference", "p", "p_paired", "p_unpaired", "n"]


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
        `PLACE`, `TESTS` and p_holm; by each measure and, where systems have different first ones,
        by these. `difference` is system minus other, n the number of queries that both answered;
        only p_holm is corrected.
    """
    rows = [
        (place["setting"], *part.iloc[0][["series", "task"]], *place[DIRECTION], similarity, *test)
        for similarity, found in _by_measure(values)
        for place, part in places(found, label)
        for test in _tests(part, list(metrics), seed)
    ]
    compared = pd.DataFrame(rows, columns=[*PLACE, *TESTS])
    families = compared.groupby([compared["query"] == ALL, "similarity", "metric"])["p"]
    return compared.assign(p_holm=families.transform(lambda p: holm(p.to_numpy())))


def _by_measure(values: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield what is compared by each measure, and by each system's first where these differ."""
    yield from values.groupby("similarity", sort=False)
    first = values.groupby("system", sort=False)["similarity"].transform("first")
    if len(set(first)) > 1:
        yield FIRST, values[values["similarity"] == first]


def _tests(values: pd.DataFrame, metrics: list[str], seed: int) -> Iterator[tuple]:
    """Yield `TESTS` of all pairs of systems."""
    of = {
        x: y.set_index(ROW)[metrics].astype(float) for x, y in values.groupby("system", sort=False)
    }
    first, *rest = (frame.index.sort_values() for frame in of.values())
    # systems that answered the same queries are summed once each, not once a pair
    each = {x: _added(y) for x, y in of.items()} if all(first.equals(x) for x in rest) else {}
    added = {
        (x, y): each[x] - each[y] if each else _added((of[x] - of[y]).dropna())
        for x, y in combinations(of, 2)
    }
    added = {pair: frame for pair, frame in added.items() if len(frame)}
    if not added:
        return
    p = _flipped(each, added, seed).reshape(len(added), -1)
    moments = {system: _moments(frame) for system, frame in of.items()}
    for (one, other), frame, of_pair in zip(added, added.values(), p, strict=True):
        t = paired_t(frame.to_numpy()), unpaired_t(moments[one], moments[other])
        for metric, *found in zip(metrics, frame.sum(), of_pair, *t, strict=True):
            yield one, other, metric, *found, len(frame)


def _flipped(each: dict, added: dict, seed: int) -> np.ndarray:
    """Test pairs as differences of systems if given, else of each pair and nothing."""
    columns = list(each or added)
    every = pd.concat(list((each or added).values()), axis=1).sort_index()
    width = every.shape[1] // len(columns)
    # a query that only other pairs have contributes 0
    every = np.pad(every.fillna(0.0).to_numpy(), ((0, 0), (0, width)))
    ones = [columns.index(pair[0] if each else pair) for pair in added]
    others = [columns.index(pair[1]) if each else len(columns) for pair in added]
    ones, others = (
        np.ravel(width * np.array(x)[:, None] + np.arange(width)) for x in (ones, others)
    )
    return p_values(every, ones, others, seed)


def _added(values: pd.DataFrame) -> pd.DataFrame:
    """Contribution of each query to a system's mean, or to a difference, queries x metrics."""
    weight = weights(values.index.to_frame(index=False)).to_numpy()
    return values.mul(weight, axis=0).groupby(level="name").sum()


def _moments(values: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, int]:
    """Mean and deviation of each metric, (metrics,), and the number of queries.

    Answers to one query in several directions are not independent: its contribution is linearised.
    With one answer a query and equal weights, the deviation is the usual one.
    """
    mean = weights(values.index.to_frame(index=False)).to_numpy() @ values.to_numpy()
    added = _added(values - mean)
    n = len(added)
    with np.errstate(all="ignore"):
        return mean, n * np.sqrt((added**2).sum(axis=0).to_numpy() / (n - 1)), n
