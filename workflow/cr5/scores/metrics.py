"""From ranks to figures: P@k, MRR, curves, and bootstrap intervals. Nothing else computes them.

P@k is the share of queries whose true counterpart is among the k nearest candidates; MRR is
the mean of 1 / rank.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pandas as pd

PRECISIONS = (1, 5, 10)
LEVEL = 0.95


def per_query(ranks: np.ndarray) -> dict[str, np.ndarray]:
    """Return each metric's value for each query, by the metric's name.

    Args:
        ranks: (n,) of the true counterparts, 1 is best.
    """
    values = {f"P@{k}": (ranks <= k).astype(np.float64) for k in PRECISIONS}
    return {**values, "MRR": 1 / ranks}


def resamples(n_queries: int, n_resamples: int, seed: int) -> np.ndarray:
    """Return how often each query occurs in each bootstrap resample, resamples x queries.

    Systems that are tested on the same queries see the same resamples.
    """
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(n_queries, np.full(n_queries, 1 / n_queries), n_resamples)
    return drawn.astype(np.float64)


def interval(values: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Percentile bootstrap interval of the mean over queries.

    Args:
        values: queries x metrics.
        drawn: resamples x queries, from `resamples`.

    Returns:
        Lower and upper ends, each (metrics,).
    """
    means = drawn @ values / len(values)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high


def scores(
    results: Iterable[tuple[Mapping[str, str], pd.DataFrame]], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Score ranks.

    Args:
        results: (setting, system, query and target by name; what `ranking.ranks` returned).
        n_resamples: of the bootstrap.
        seed: of the run.

    Returns:
        Long form: setting, system, query, target, similarity, metric, value, ci_low, ci_high,
        n_queries, n_candidates. Values are fractions.
    """
    rows = []
    for names, similarity, group in _groups(results):
        ranks = group["rank"].to_numpy()
        values = per_query(ranks)
        low, high = interval(
            np.column_stack(list(values.values())), resamples(len(ranks), n_resamples, seed)
        )
        for i, (metric, value) in enumerate(values.items()):
            rows.append(
                {
                    **names,
                    "similarity": similarity,
                    "metric": metric,
                    "value": value.mean(),
                    "ci_low": low[i],
                    "ci_high": high[i],
                    "n_queries": len(ranks),
                    "n_candidates": int(group["n_candidates"].iloc[0]),
                }
            )
    return pd.DataFrame(rows)


def curves(
    results: Iterable[tuple[Mapping[str, str], pd.DataFrame]],
    up_to: int,
    n_resamples: int,
    seed: int,
) -> pd.DataFrame:
    """P@k for k = 1 to `up_to`, or to the number of candidates.

    Returns:
        setting, system, query, target, similarity, k, value, ci_low, ci_high, chance: `chance`
        is what a random order of the candidates would give, k / n_candidates.
    """
    frames = []
    for names, similarity, group in _groups(results):
        n_candidates = int(group["n_candidates"].iloc[0])
        ks = np.arange(1, min(up_to, n_candidates) + 1)
        hits = (group["rank"].to_numpy()[:, None] <= ks).astype(np.float64)
        low, high = interval(hits, resamples(len(hits), n_resamples, seed))
        columns = {"k": ks, "value": hits.mean(axis=0), "ci_low": low, "ci_high": high}
        columns["chance"] = ks / n_candidates
        frames.append(pd.DataFrame({**names, "similarity": similarity, **columns}))
    return pd.concat(frames, ignore_index=True)


def _groups(results) -> Iterator[tuple[Mapping[str, str], str, pd.DataFrame]]:
    for names, frame in results:
        for similarity, group in frame.groupby("similarity", sort=False):
            yield names, str(similarity), group
