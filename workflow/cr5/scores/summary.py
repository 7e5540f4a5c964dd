"""One tidy table of scores: means over queries, repetitions and directions, with their intervals.

Repetitions and directions count as much as each other, however many queries they have. Of a share p
of n queries, Wilson's score interval (1927) is, with z = 1.96,

    (n p + z^2 / 2 +- z sqrt(n p (1 - p) + z^2 / 4)) / (n + z^2)

Metrics other than shares vary less: their variance is D = s^2 / (p (1 - p)) times the largest that
fractions of mean p can have. They are worth n / D queries of a share, the effective sample size
(Kish 1965). D rests on few queries if nearly all values are equal, so z^2 / 4 is added to n s^2 and
to n p (1 - p), as in Wilson's own sum: D is 1 for a share, and for equal values at an edge.

n is the number of distinct queries, and n s^2 is n^2 times the variance of the mean: a query asked
in five repetitions or in several directions does not count as five, and if fits differ much, D is
above 1. The set of directions is fixed, so differences between them do not count.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from cr5.scores.metrics import values as of_metric
from cr5.scores.ranks import KEYS, Place, Ranked

Z = 1.959963984540054  # for a level of 95 %
ALL = "all"  # in place of both languages of a direction: all directions
MEAN = "mean"  # in place of a repetition: all of them
DIRECTION = ["query", "target"]
CELL = [*DIRECTION, "repetition"]
ROW = ["repetition", *DIRECTION, "name"]
VALUES = [*KEYS, *ROW, "similarity", "n_candidates", "best", "last"]
FIGURES = ["value", "ci_low", "ci_high"]
COUNTS = ["n_queries", "n_candidates", "directions", "repetitions"]
SCORES = [*KEYS, "label", *DIRECTION, "similarity", "metric", "repetition", *FIGURES, *COUNTS]


def by_query(
    keys: Mapping[str, object], ranks: Mapping[Place, Ranked], metrics: Sequence[str]
) -> pd.DataFrame:
    """Score each query of one repetition: `VALUES`, and a column per metric.

    `name` is the query's, `best` the rank of its best answer, `last` the rank up to which those of
    its direction are known; `query` and `target` are languages.
    """
    frames = []
    for (query, target, similarity), ranked in ranks.items():
        columns = {**keys, "query": query, "target": target, "similarity": similarity}
        columns |= {"name": ranked.queries, "n_candidates": ranked.n_candidates}
        columns |= {"best": ranked.best, "last": min(ranked.n_candidates.min(), ranked.depth)}
        columns |= {metric: of_metric(ranked, metric) for metric in metrics}
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def places(values: pd.DataFrame, label: str) -> Iterator[tuple[pd.Series, pd.DataFrame]]:
    """Yield each direction, and all of them, as setting, query and target, with their values."""
    for place, part in [*values.groupby(DIRECTION, sort=False), ((ALL, ALL), values)]:
        setting = label if place[0] == ALL else part["setting"].iloc[0]
        yield pd.Series([setting, *place], ["setting", *DIRECTION]), part


def scores(
    values: pd.DataFrame, metrics: Sequence[str], label: str, each: bool = True
) -> pd.DataFrame:
    """Average the values of a task's queries, of settings that are reported as one by a label.

    `SCORES`: a row per direction and one for all, and, if asked for, each repetition by itself.
    `n_queries` are means over repetitions, or in all directions distinct ones.
    """
    frames = []
    for _, found in values.groupby(["system", "similarity"], sort=False):
        for place, part in places(found, label):
            own = list(part.groupby("repetition")) if each else []
            for repetition, of in [(MEAN, part), *(own if len(own) > 1 else [])]:
                names = {**part.iloc[0][[*KEYS, "similarity"]], **place}
                names |= {"label": label, "repetition": repetition}
                frames.append(pd.DataFrame({**names, **_averaged(of, list(metrics))}))
    return pd.concat(frames, ignore_index=True)[SCORES]


def _averaged(values: pd.DataFrame, metrics: list[str]) -> dict[str, object]:
    figures = dict(zip(FIGURES, interval(values[metrics], values), strict=True))
    cells = values.groupby(CELL)["n_candidates"].mean()
    n_directions, n_repetitions = len(values.groupby(DIRECTION)), values["repetition"].nunique()
    counts = {
        "n_queries": values["name"].nunique() if n_directions > 1 else len(values) / n_repetitions,
        "n_candidates": cells.groupby(level=DIRECTION).mean().mean(),
        "directions": n_directions,
        "repetitions": n_repetitions,
    }
    return {"metric": metrics, **figures, **counts}


def curves(values: pd.DataFrame, up_to: int, label: str) -> pd.DataFrame:
    """Success@k of one system for each k that all of a row's directions and repetitions know."""
    last = values.groupby(DIRECTION)["last"].min().clip(upper=up_to).astype(int)
    ks = np.arange(1, last.max() + 1)
    names = [f"Success@{k}" for k in ks]
    hits = pd.DataFrame(values["best"].to_numpy()[:, None] <= ks, values.index, names)
    found = scores(pd.concat([values[VALUES], hits], axis=1), names, label, each=False)
    limit = {**last, (ALL, ALL): last.min()}
    known = [limit[place] for place in zip(found["query"], found["target"], strict=True)]
    return found[found["metric"].str.removeprefix("Success@").astype(int) <= known]


def weights(rows: pd.DataFrame) -> np.ndarray:
    """Weight of each row in the mean over directions, repetitions and queries; they sum to 1."""
    codes = tuple(pd.factorize(rows[key])[0] for key in CELL)
    sizes = np.zeros([each.max(initial=-1) + 1 for each in codes])
    np.add.at(sizes, codes, 1)
    repetitions = np.count_nonzero(sizes, axis=2, keepdims=True)
    return 1 / (sizes * repetitions * np.count_nonzero(repetitions))[codes]


def interval(values: pd.DataFrame, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean of fractions, a column per metric, and the ends of its interval; `ROW` of each row."""
    weight = weights(rows)
    mean = np.clip(weight @ values.to_numpy(float), 0, 1)
    n, more = rows["name"].nunique(), Z**2 / 4
    spread = (n**2 * _variance(values, rows, weight) + more) / (n * mean * (1 - mean) + more)
    size = n / spread
    centre = size * mean + 2 * more
    half = Z * np.sqrt(size * mean * (1 - mean) + more)
    low, high = (centre - half) / (size + 4 * more), (centre + half) / (size + 4 * more)
    return mean, np.clip(low, 0, mean), np.clip(high, mean, 1)


def _variance(values: pd.DataFrame, rows: pd.DataFrame, weight: np.ndarray) -> np.ndarray:
    """Variance of the mean under other queries and other repetitions, (metrics,).

    As for two-way clusters (Cameron, Gelbach and Miller 2011): a query's contributions to the mean
    are summed over its directions and repetitions, then squared. Differences between repetitions
    count as far as they exceed what their queries explain.
    """
    values = values.astype(float).set_axis(pd.MultiIndex.from_frame(rows[ROW]))
    cells = values.groupby(level=CELL)
    added = (values - cells.transform("mean")).mul(weight, axis=0)
    by_query = _squares(added.groupby(level="name").sum())
    if (r := rows["repetition"].nunique()) == 1:
        return by_query
    means = cells.mean()
    apart = means - means.groupby(level=DIRECTION).transform("mean")
    by_repetition = _squares(apart.groupby(level="repetition").mean()) / (r - 1) / r
    within = _squares(added.groupby(level=["name", "repetition"]).sum())
    return by_query + np.maximum(by_repetition - (r * within - by_query) / (r - 1), 0)


def _squares(frame: pd.DataFrame) -> np.ndarray:
    return (frame.to_numpy() ** 2).sum(axis=0)
