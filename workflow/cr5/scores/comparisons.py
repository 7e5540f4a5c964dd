"""Means over directions, and tests between systems, from per-query values.

Both start from one frame of values: a row per system, measure, repetition, direction and query
(`VALUES`, then a column per metric), of settings that are reported as one and of one task.

The difference of two systems is that of their figures in the tables: the mean over directions, over
repetitions, over queries. The unit of a test is a query name (for documents, a concept). Its
contributions over all repetitions, and over all directions if pooled, are flipped together, since a
concept that is hard is hard in all of them. Only queries that both systems answered count.

Holm's correction covers a column of a table: all comparisons of a setting, task, measure and
metric, in all directions; pooled comparisons form another table. Metrics and measures are different
views of the same ranks; they are not corrected for one another.

The p of a paired and of an unpaired t-test are given too, uncorrected; their unit is also a query
name.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from cr5.scores import unpaired
from cr5.scores.intervals import interval, weights
from cr5.scores.metrics import values as of_metric
from cr5.scores.ranks import KEYS, Ranks
from cr5.scores.significance import Between, holm, p_values, paired_t

ALL = "all"  # in place of both languages of a direction: all directions
FIRST = "first"  # in place of a measure: each system by its own first one
DIRECTION = ["query", "target"]
ROW = ["repetition", *DIRECTION, "name"]
VALUES = [*KEYS, *ROW, "similarity", "n_candidates"]
COMPARED = [*DIRECTION, "similarity", "metric", "system", "other", "difference"]
COMPARED += ["p", "p_paired", "p_unpaired", "n"]


def by_query(ranks: Ranks, metrics: Sequence[str]) -> pd.DataFrame:
    """Score each query.

    Returns:
        `VALUES` (`name` is the query's; `query` and `target` are languages), and the metrics.
    """
    frames = []
    for query, target, similarity in ranks.directions:
        ranked = ranks.ranked[query, target, similarity]
        names = {**ranks.keys, "query": query, "target": target, "similarity": similarity}
        columns = {"name": ranked.queries["query"], "n_candidates": ranked.queries["n_candidates"]}
        columns |= {metric: of_metric(ranked, metric) for metric in metrics}
        frames.append(pd.DataFrame({**names, **columns}))
    return pd.concat(frames, ignore_index=True)


def means(values: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Average over directions, with equal weight.

    Args:
        values: see the module.
        metrics: names of columns.

    Returns:
        system, similarity, metric, value, ci_low, ci_high, n_queries (distinct, over all directions
        and repetitions), n_candidates (mean), directions, repetitions.
    """
    rows = []
    for (system, similarity), found in values.groupby(["system", "similarity"], sort=False):
        parts = [part for _, part in found.groupby("repetition")]
        directions = [part["query"] + " " + part["target"] for part in parts]
        ends = interval(
            [part[metrics].to_numpy() for part in parts], [x["name"] for x in parts], directions
        )
        value = _weights(found) @ found[metrics].to_numpy()
        about = {
            "n_queries": found["name"].nunique(),
            "n_candidates": found.groupby(DIRECTION)["n_candidates"].mean().mean(),
            "directions": len(found[DIRECTION].drop_duplicates()),
            "repetitions": len(parts),
        }
        for metric, *figures in zip(metrics, value, *ends, strict=True):
            names = {"system": system, "similarity": similarity, "metric": metric}
            figures = dict(zip(["value", "ci_low", "ci_high"], figures, strict=True))
            rows.append({**names, **figures, **about})
    return pd.DataFrame(rows)


def compare(values: pd.DataFrame, metrics: Sequence[str], seed: int) -> pd.DataFrame:
    """Test every system against every other, in each direction and over all of them.

    Args:
        values: see the module.
        metrics: names of columns.
        seed: of the flips.

    Returns:
        `COMPARED` and p_holm; query and target are `ALL` if directions are pooled. `difference` is
        system minus other, n the number of queries that both answered; only p_holm is corrected.
    """
    rows = []
    for similarity, found in values.groupby("similarity", sort=False):
        for place, part in [*found.groupby(DIRECTION, sort=False), ((ALL, ALL), found)]:
            rows += [
                (*place, similarity, metric, *rest)
                for metric, *rest in _pairs(part, list(metrics), seed)
            ]
    compared = pd.DataFrame(rows, columns=COMPARED)
    pooled = (compared["query"] == ALL) & (compared["target"] == ALL)
    families = compared.groupby([pooled, "similarity", "metric"])["p"]
    return compared.assign(p_holm=families.transform(lambda p: holm(p.to_numpy())))


def by_first_measure(values: pd.DataFrame) -> pd.DataFrame:
    """Keep each system's values by its first measure, and name that measure `FIRST`.

    Returns:
        As `values`; empty if all systems have the same first measure.
    """
    first = values.groupby("system", sort=False)["similarity"].transform("first")
    differ = len(set(first)) > 1
    return values[(values["similarity"] == first) & differ].assign(similarity=FIRST)


def _pairs(values: pd.DataFrame, metrics: list[str], seed: int) -> Iterator[tuple]:
    """Metric, system, other, difference, three p values and n of all pairs of systems."""
    of = {
        system: part.set_index(ROW)[metrics]
        for system, part in values.groupby("system", sort=False)
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
    for pair, frame in added.items():
        t = pd.Series(unpaired.p_values(*(moments[x] for x in pair)), metrics)
        paired = pd.Series(paired_t(frame.to_numpy()), frame.columns)
        for metric in metrics:
            found = frame[metric].sum(), p[(*pair, metric)], paired[metric], t[metric]
            yield metric, *pair, *found, len(frame)


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
    weighted = values.mul(_weights(values.index.to_frame(index=False)), axis=0)
    return weighted.groupby(level="name").sum()


def _moments(values: pd.DataFrame) -> pd.DataFrame:
    rows = values.index.to_frame(index=False)
    return unpaired.moments(values, _weights(rows), rows["name"])


def _weights(rows: pd.DataFrame) -> np.ndarray:
    direction = rows.groupby(DIRECTION, sort=False).ngroup().to_numpy()
    repetition = rows.groupby("repetition", sort=False).ngroup().to_numpy()
    return weights(direction, repetition)
