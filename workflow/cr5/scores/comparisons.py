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
NOTHING = "nothing"  # in place of a system: zeros
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
    compared = pd.DataFrame(rows, columns=[*PLACE, *TESTS]).infer_objects()
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
    if all(first.equals(x) for x in rest):  # each system is summed once, not once a pair
        columns = {x: _added(y) for x, y in of.items()}
        ends = {pair: pair for pair in combinations(of, 2)}
    else:
        pairs = {(x, y): (of[x] - of[y]).dropna() for x, y in combinations(of, 2)}
        columns = {pair: _added(frame) for pair, frame in pairs.items() if len(frame)}
        ends = {pair: (pair, NOTHING) for pair in columns}
        columns[NOTHING] = 0 * pd.concat(columns.values()).groupby(level="name").first()
    if not ends:
        return
    every = pd.concat(columns.values(), axis=1).sort_index().fillna(0.0).to_numpy()
    numbers = np.arange(every.shape[1]).reshape(len(columns), -1)
    places = dict(zip(columns, numbers, strict=True))
    ones, others = (
        np.concatenate([places[x] for x in side]) for side in zip(*ends.values(), strict=True)
    )
    p = p_values(every, ones, others, seed).reshape(len(ends), -1)
    units = {system: _units(frame) for system, frame in of.items()}
    for (pair, (x, y)), of_pair in zip(ends.items(), p, strict=True):
        frame = (columns[x] - columns[y]).dropna()
        t = paired_t(frame.to_numpy()), unpaired_t(*(units[system] for system in pair))
        for metric, *found in zip(metrics, frame.sum(), of_pair, *t, strict=True):
            yield *pair, metric, *found, len(frame)


def _added(values: pd.DataFrame) -> pd.DataFrame:
    """Contribution of each query to a system's mean, or to a difference, queries x metrics."""
    weight = weights(values.index.to_frame(index=False)).to_numpy()
    return values.mul(weight, axis=0).groupby(level="name").sum()


def _units(values: pd.DataFrame) -> np.ndarray:
    """Queries x metrics, of the same mean as the values.

    Answers to one query in several directions are not independent: its contribution is linearised.
    With one answer a query and equal weights, these are the values.
    """
    mean = weights(values.index.to_frame(index=False)).to_numpy() @ values.to_numpy()
    added = _added(values - mean).to_numpy()
    return mean + len(added) * added
