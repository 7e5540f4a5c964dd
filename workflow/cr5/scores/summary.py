"""Scores and curves of one system in one setting and task, over all repetitions."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from cr5.scores.comparisons import by_query, means
from cr5.scores.intervals import interval
from cr5.scores.metrics import Ranked
from cr5.scores.ranks import KEYS, Ranks


def scores(repetitions: Sequence[Ranks], metrics: Sequence[str]) -> pd.DataFrame:
    """Score ranks.

    Args:
        repetitions: ranks of the same setting, system and task; if empty, so is the table.
        metrics: names, see `scores.metrics`.

    Returns:
        Long form: setting, series, kind, system, task, query, target, similarity, metric, value,
        ci_low, ci_high, n_queries, n_candidates (means over repetitions), repetitions. Values are
        fractions, means over repetitions.
    """
    rows = []
    for names, found in _directions(repetitions):
        values = [np.column_stack([x.values(metric) for metric in metrics]) for x in found]
        means = np.mean([x.mean(axis=0) for x in values], axis=0)
        low, high = interval(values, [x.queries["query"] for x in found])
        counts = {
            "n_queries": np.mean([len(x.queries) for x in found]),
            "n_candidates": np.mean([x.queries["n_candidates"].mean() for x in found]),
            "repetitions": len(found),
        }
        for i, metric in enumerate(metrics):
            ends = {"value": means[i], "ci_low": low[i], "ci_high": high[i]}
            rows.append({**names, "metric": metric, **ends, **counts})
    return pd.DataFrame(rows)


def by_repetition(repetitions: Sequence[Ranks], metrics: Sequence[str]) -> pd.DataFrame:
    """Score each repetition separately.

    Returns:
        As `scores`, with a column repetition and without intervals.
    """
    rows = []
    for ranks in repetitions:
        for names, [ranked] in _directions([ranks]):
            for metric in metrics:
                value = ranked.values(metric).mean()
                about = {"repetition": ranks.keys["repetition"], "n_queries": len(ranked.queries)}
                about["n_candidates"] = ranked.queries["n_candidates"].mean()
                rows.append({**names, "metric": metric, "value": value, **about})
    return pd.DataFrame(rows)


def curves(repetitions: Sequence[Ranks], up_to: int) -> pd.DataFrame:
    """P@k for k = 1 to the smallest of `up_to`, the number of candidates and the depth.

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
        setting, series, kind, task, k, and the columns of `comparisons.means` for P@k.
    """
    if not repetitions:
        return pd.DataFrame()
    found = [ranked for _, of_direction in _directions(repetitions) for ranked in of_direction]
    last = min(min(x.queries["n_candidates"].min(), x.depth) for x in found)
    ks = {f"P@{k}": k for k in range(1, min(up_to, int(last)) + 1)}
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
