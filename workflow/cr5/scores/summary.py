"""Scores and curves of one system in one setting and task, over all repetitions."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from cr5.scores.comparisons import DIRECTION, by_query, means
from cr5.scores.intervals import interval
from cr5.scores.ranked import Ranked
from cr5.scores.ranks import KEYS, Ranks

PLACE = [*DIRECTION, "similarity"]


def scores(repetitions: Sequence[pd.DataFrame], metrics: Sequence[str]) -> pd.DataFrame:
    """Average the values of queries.

    Args:
        repetitions: values of the same setting, system and task, see `comparisons.by_query`; if
            empty, so is the table.
        metrics: names of columns.

    Returns:
        Long form: setting, series, kind, system, task, query, target, similarity, metric, value,
        ci_low, ci_high, n_queries, n_candidates (means over repetitions), repetitions. Values are
        fractions, means over repetitions.
    """
    parts = [dict(iter(frame.groupby(PLACE, sort=False))) for frame in repetitions]
    rows = []
    for place in dict.fromkeys(place for part in parts for place in part):
        found = [part[place] for part in parts if place in part]
        values = [np.ascontiguousarray(x[list(metrics)]) for x in found]
        low, high = interval(values, [x["name"] for x in found])
        value = np.mean([x.mean(axis=0) for x in values], axis=0)
        names = found[0].iloc[0][[*KEYS, *PLACE]].to_dict()
        counts = {
            "n_queries": np.mean([len(x) for x in found]),
            "n_candidates": np.mean([x["n_candidates"].mean() for x in found]),
            "repetitions": len(found),
        }
        for metric, *figures in zip(metrics, value, low, high, strict=True):
            figures = dict(zip(["value", "ci_low", "ci_high"], figures, strict=True))
            rows.append({**names, "metric": metric, **figures, **counts})
    return pd.DataFrame(rows)


def by_repetition(repetitions: Sequence[pd.DataFrame], metrics: Sequence[str]) -> pd.DataFrame:
    """Average the values of each repetition by itself.

    Returns:
        As `scores`, with a column repetition and without intervals.
    """
    columns = [*KEYS, *PLACE, "metric", "value", "repetition", "n_queries", "n_candidates"]
    each = [
        scores([values], metrics).assign(repetition=values["repetition"].iloc[0])
        for values in repetitions
    ]
    return pd.concat(each, ignore_index=True)[columns] if each else pd.DataFrame()


def curves(repetitions: Sequence[Ranks], up_to: int) -> pd.DataFrame:
    """Success@k for k = 1 to the smallest of `up_to`, the number of candidates and the depth.

    Returns:
        setting, series, kind, system, task, query, target, similarity, k, value, ci_low, ci_high,
        chance (expected for a random order of the candidates), n_queries, n_candidates (means
        over repetitions), repetitions.
    """
    frames = []
    for names, found in _directions(repetitions):
        last = min(min(x.queries["n_candidates"].min(), x.depth) for x in found)
        ks = np.arange(1, min(up_to, int(last)) + 1)
        hits = [x.hits(ks) for x in found]
        low, high = interval(hits, [x.queries["query"] for x in found])
        value = np.mean([x.mean(axis=0) for x in hits], axis=0)
        columns = {"k": ks, "value": value, "ci_low": low, "ci_high": high}
        columns["chance"] = np.mean([x.chance(ks) for x in found], axis=0)
        columns["n_queries"] = np.mean([len(x.queries) for x in found])
        columns["n_candidates"] = np.mean([x.queries["n_candidates"].mean() for x in found])
        columns["repetitions"] = len(found)
        frames.append(pd.DataFrame({**names, **columns}))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def mean_curves(repetitions: Sequence[Ranks], up_to: int) -> pd.DataFrame:
    """Means of `curves` over directions, for every k that all of them have.

    A concept that is a query in several directions is one query, so intervals need the ranks.

    Returns:
        setting, series, kind, task, k, and the columns of `comparisons.means` for Success@k.
    """
    if not repetitions:
        return pd.DataFrame()
    found = [ranked for _, of_direction in _directions(repetitions) for ranked in of_direction]
    last = min(min(x.queries["n_candidates"].min(), x.depth) for x in found)
    ks = {f"Success@{k}": k for k in range(1, min(up_to, int(last)) + 1)}
    values = pd.concat([by_query(ranks, list(ks)) for ranks in repetitions], ignore_index=True)
    table = means(values, list(ks))
    names = {name: repetitions[0].keys[name] for name in KEYS if name != "system"}
    return table.assign(**names, k=table.pop("metric").map(ks))


def _directions(repetitions: Sequence[Ranks]) -> Iterator[tuple[dict[str, str], list[Ranked]]]:
    """Each direction and measure with the repetitions that have it."""
    every = dict.fromkeys(key for ranks in repetitions for key in ranks.directions)
    for direction in every:
        keys = {name: repetitions[0].keys[name] for name in KEYS}
        names = dict(zip(("query", "target", "similarity"), direction, strict=True))
        yield (
            {**keys, **names},
            [ranks.ranked[direction] for ranks in repetitions if direction in ranks.queries],
        )
