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
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from cr5.scores import metrics
from cr5.scores.ranks import DIRECTION, KEYS, Ranked, Search

Z = 1.959963984540054  # for a level of 95 %
ALL = "all"  # in place of both languages of a direction: all directions
MEAN = "mean"  # in place of a repetition: all of them
CELL = [*DIRECTION, "repetition"]
ROW = ["repetition", *DIRECTION, "query_id"]
VALUES = [*KEYS, *ROW, "similarity", "n_candidates", "best", "last"]
FIGURES = ["value", "ci_low", "ci_high"]
COUNTS = ["n_queries", "n_candidates", "directions", "repetitions"]
SCORES = [*KEYS, "label", *DIRECTION, "similarity", "metric", "repetition", *FIGURES, *COUNTS]


@dataclass(frozen=True)
class Place:
    """A row of a table: one direction, or all of them, under the name that they are reported by."""

    setting: str
    query_language: str
    target_language: str


def by_query(
    keys: Mapping[str, object], ranks: Mapping[Search, Ranked], names: Sequence[str]
) -> pd.DataFrame:
    """Score each query of one repetition by metrics of these names: `VALUES`, a column per metric.

    `best` is the rank of its best answer, `last` the rank up to which those of its direction are
    known.
    """
    frames = []
    for (query_language, target_language, similarity), ranked in ranks.items():
        columns = {
            **keys,
            "query_language": query_language,
            "target_language": target_language,
            "similarity": similarity,
            "query_id": ranked.query_ids,
            "n_candidates": ranked.n_candidates,
            "best": ranked.best,
            "last": min(ranked.n_candidates.min(), ranked.depth),
        }
        for name in names:
            columns[name] = metrics.values(ranked, name)
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def places(values: pd.DataFrame, label: str) -> Iterator[tuple[Place, pd.DataFrame]]:
    """Yield each direction with its values, and then all of them, by the label."""
    for direction, of_direction in values.groupby(DIRECTION, sort=False):
        yield Place(of_direction["setting"].iloc[0], *direction), of_direction
    yield Place(label, ALL, ALL), values


def scores(
    values: pd.DataFrame, names: Sequence[str], label: str, with_repetitions: bool = True
) -> pd.DataFrame:
    """Average the values of a task's queries, of settings that are reported as one by a label.

    `SCORES`, by metrics of these names: a row per direction and one for all and, if asked for, each
    of several repetitions by itself. `n_queries` are means over repetitions, or in all directions
    distinct ones.
    """
    frames = []
    for _, of_system in values.groupby(["system", "similarity"], sort=False):
        for place, of_place in places(of_system, label):
            subject = {**of_place.iloc[0][[*KEYS, "similarity"]], **asdict(place), "label": label}
            averages = _averages(of_place, list(names))
            frames.append(pd.DataFrame({**subject, "repetition": MEAN, **averages}))
            repetitions = of_place.groupby("repetition") if with_repetitions else ()
            if len(repetitions) < 2:
                continue
            for repetition, of_repetition in repetitions:
                averages = _averages(of_repetition, list(names))
                frames.append(pd.DataFrame({**subject, "repetition": repetition, **averages}))
    return pd.concat(frames, ignore_index=True)[SCORES]


def _averages(values: pd.DataFrame, names: list[str]) -> dict[str, object]:
    """Return metric, `FIGURES` and `COUNTS` of one system, measure and place."""
    mean, low, high = interval(values[names], values)
    n_directions = len(values.groupby(DIRECTION))
    n_repetitions = values["repetition"].nunique()
    n_queries = values["query_id"].nunique()
    if n_directions == 1:
        n_queries = len(values) / n_repetitions
    n_candidates = values.groupby(CELL)["n_candidates"].mean()
    return {
        "metric": names,
        "value": mean,
        "ci_low": low,
        "ci_high": high,
        "n_queries": n_queries,
        "n_candidates": n_candidates.groupby(level=DIRECTION).mean().mean(),
        "directions": n_directions,
        "repetitions": n_repetitions,
    }


def curves(values: pd.DataFrame, up_to: int, label: str) -> pd.DataFrame:
    """Success@k of one system for each k that all of a row's directions and repetitions know."""
    last = values.groupby(DIRECTION)["last"].min().clip(upper=up_to).astype(int)
    ks = np.arange(1, last.max() + 1)
    names = [f"Success@{k}" for k in ks]
    hits = pd.DataFrame(values["best"].to_numpy()[:, None] <= ks, values.index, names)
    with_hits = pd.concat([values[VALUES], hits], axis=1)
    table = scores(with_hits, names, label, with_repetitions=False)
    last_of = {**last, (ALL, ALL): last.min()}
    known = [
        last_of[direction] for direction in table[DIRECTION].itertuples(index=False, name=None)
    ]
    return table[table["metric"].str.removeprefix("Success@").astype(int) <= known]


def weights(rows: pd.DataFrame) -> np.ndarray:
    """Weight of each row in the mean over directions, repetitions and queries; they sum to 1.

    w = 1 / (queries of its direction and repetition
             * repetitions of its direction * directions)
    """
    codes = tuple(pd.factorize(rows[key])[0] for key in CELL)
    sizes = np.zeros([code.max(initial=-1) + 1 for code in codes])
    np.add.at(sizes, codes, 1)
    repetitions = np.count_nonzero(sizes, axis=2, keepdims=True)
    return 1 / (sizes * repetitions * np.count_nonzero(repetitions))[codes]


def interval(values: pd.DataFrame, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean of fractions, a column per metric, and the ends of its interval; `ROW` of each row.

    n p + z^2 / 2 is `centre`, n + z^2 is `divisor`, and n the effective sample size.
    """
    weight = weights(rows)
    mean = np.clip(weight @ values.to_numpy(float), 0, 1)
    n = rows["query_id"].nunique()
    added = Z**2 / 4
    variance_ratio = (n**2 * _variance(values, rows, weight) + added) / (
        n * mean * (1 - mean) + added
    )
    size = n / variance_ratio
    centre = size * mean + 2 * added
    half_width = Z * np.sqrt(size * mean * (1 - mean) + added)
    divisor = size + 4 * added
    low = (centre - half_width) / divisor
    high = (centre + half_width) / divisor
    return mean, np.clip(low, 0, mean), np.clip(high, mean, 1)


def _variance(values: pd.DataFrame, rows: pd.DataFrame, weight: np.ndarray) -> np.ndarray:
    """Variance of the mean under other queries and other repetitions, (metrics,).

    As for two-way clusters (Cameron, Gelbach and Miller 2011): a query's contributions to the mean
    are summed over its directions and repetitions, then squared. Differences between repetitions
    count as far as they exceed what their queries explain.
    """
    values = values.astype(float).set_axis(pd.MultiIndex.from_frame(rows[ROW]))
    cells = values.groupby(level=CELL)
    contributions = (values - cells.transform("mean")).mul(weight, axis=0)
    between_queries = _squares(contributions.groupby(level="query_id").sum())
    n_repetitions = rows["repetition"].nunique()
    if n_repetitions == 1:
        return between_queries
    means = cells.mean()
    deviations = means - means.groupby(level=DIRECTION).transform("mean")
    squares = _squares(deviations.groupby(level="repetition").mean())
    between_repetitions = squares / (n_repetitions - 1) / n_repetitions
    within = _squares(contributions.groupby(level=["query_id", "repetition"]).sum())
    explained = (n_repetitions * within - between_queries) / (n_repetitions - 1)
    return between_queries + np.maximum(between_repetitions - explained, 0)


def _squares(frame: pd.DataFrame) -> np.ndarray:
    return (frame.to_numpy() ** 2).sum(axis=0)
