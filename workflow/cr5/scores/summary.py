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
SUCCESS = "Success@"  # and k: the metric of curves
CELL = DIRECTION + ["repetition"]
ROW = ["repetition"] + DIRECTION + ["query_id"]
VALUES = KEYS + ROW + ["similarity", "n_candidates", "best", "last"]
FIGURES = ["value", "ci_low", "ci_high"]
COUNTS = ["n_queries", "n_candidates", "directions", "repetitions"]
SUBJECT = KEYS + ["label"] + DIRECTION + ["similarity"]  # of a score
SCORES = SUBJECT + ["metric", "repetition"] + FIGURES + COUNTS


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
        fewest_candidates = ranked.n_candidates.min()
        columns = {
            **keys,
            "query_language": query_language,
            "target_language": target_language,
            "similarity": similarity,
            "query_id": ranked.query_ids,
            "n_candidates": ranked.n_candidates,
            "best": ranked.best_rank,
            "last": min(fewest_candidates, ranked.depth),
        }
        for name in names:
            columns[name] = metrics.values(ranked, name)
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def places(values: pd.DataFrame, label: str) -> Iterator[tuple[Place, pd.DataFrame]]:
    """Yield each direction with its values, and then all of them, by the label."""
    for (query_language, target_language), rows in values.groupby(DIRECTION, sort=False):
        setting = rows["setting"].iloc[0]
        yield Place(setting, query_language, target_language), rows
    yield Place(label, ALL, ALL), values


def scores(
    values: pd.DataFrame, names: Sequence[str], label: str, with_repetitions: bool = True
) -> pd.DataFrame:
    """Average the values of a task's queries, of settings that are reported as one by a label.

    `SCORES`, by metrics of these names: a row per direction and one for all and, if asked for, each
    of several repetitions by itself. `n_queries` are means over repetitions, or in all directions
    distinct ones.
    """
    names = list(names)
    frames = []
    for _, compared in values.groupby(["system", "similarity"], sort=False):
        for place, rows in places(compared, label):
            first = rows.iloc[0]
            subject = dict(first[KEYS + ["similarity"]])
            subject |= asdict(place)
            subject["label"] = label
            frames.append(_averages(rows, names, subject, MEAN))
            repetitions = rows.groupby("repetition")
            if with_repetitions and len(repetitions) > 1:
                for repetition, repetition_rows in repetitions:
                    frames.append(_averages(repetition_rows, names, subject, repetition))
    return pd.concat(frames, ignore_index=True)


def _averages(
    values: pd.DataFrame, names: list[str], subject: Mapping[str, object], repetition: str
) -> pd.DataFrame:
    """Return the `SCORES` of one system, measure and place, in one repetition or all of them."""
    figures = interval(values[names], values)
    n_directions = len(values.groupby(DIRECTION))
    n_repetitions = values["repetition"].nunique()
    n_queries = values["query_id"].nunique()
    if n_directions == 1:
        n_queries = len(values) / n_repetitions
    n_candidates = values.groupby(CELL)["n_candidates"].mean()
    n_candidates_of_directions = n_candidates.groupby(level=DIRECTION).mean()
    columns = {
        **subject,
        "metric": names,
        "repetition": repetition,
        "value": figures.mean,
        "ci_low": figures.low,
        "ci_high": figures.high,
        "n_queries": n_queries,
        "n_candidates": n_candidates_of_directions.mean(),
        "directions": n_directions,
        "repetitions": n_repetitions,
    }
    return pd.DataFrame(columns)[SCORES]


def curves(values: pd.DataFrame, up_to: int, label: str) -> pd.DataFrame:
    """Return Success@k of one system, for each k that a row's directions and repetitions know."""
    directions = values.groupby(DIRECTION)
    last_ranks = directions["last"].min()
    last_ranks = last_ranks.clip(upper=up_to).astype(int)
    highest = last_ranks.max()
    ks = np.arange(1, highest + 1)
    hits = _hits(values["best"], ks)
    with_hits = pd.concat([values[VALUES], hits], axis=1)
    names = list(hits.columns)
    table = scores(with_hits, names, label, with_repetitions=False)
    last_of = dict(last_ranks)  # by direction
    last_of[ALL, ALL] = last_ranks.min()
    directions_of_rows = table[DIRECTION].itertuples(index=False, name=None)
    last_known = [last_of[direction] for direction in directions_of_rows]
    metrics_of_rows = table["metric"]
    k_of_row = metrics_of_rows.str.removeprefix(SUCCESS).astype(int)
    is_known = k_of_row <= last_known
    return table[is_known]


def _hits(best: pd.Series, ks: np.ndarray) -> pd.DataFrame:
    """Return whether the best answer of each query is within each k: a column `Success@k`."""
    best_ranks = best.to_numpy()
    is_hit = best_ranks[:, None] <= ks  # queries x ks
    names = [f"{SUCCESS}{k}" for k in ks]
    return pd.DataFrame(is_hit, best.index, names)


def weights(rows: pd.DataFrame) -> np.ndarray:
    """Return the weight of each row in the mean over directions, repetitions and queries.

    They sum to 1:

        w = 1 / (queries of its direction and repetition
                 * repetitions of its direction * directions)
    """
    places = []  # of each row, along the axes of the array
    sizes = []
    for key in CELL:
        numbers, values = pd.factorize(rows[key])
        places.append(numbers)
        sizes.append(len(values))
    row_places = tuple(places)
    n_queries = np.zeros(sizes)  # query languages x target languages x repetitions
    np.add.at(n_queries, row_places, 1)
    n_repetitions = np.count_nonzero(n_queries, axis=2, keepdims=True)
    n_directions = np.count_nonzero(n_repetitions)
    divisor = n_queries * n_repetitions * n_directions
    return 1 / divisor[row_places]


@dataclass(frozen=True)
class Figures:
    """Means of metrics and the ends of their intervals, (metrics,)."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


def interval(values: pd.DataFrame, rows: pd.DataFrame) -> Figures:
    """Average fractions, a column per metric, with 95 % intervals; `rows` has `ROW` of each.

        D = (n^2 var + z^2 / 4) / (n p (1 - p) + z^2 / 4)
        m = n / D
        (m p + z^2 / 2 +- z sqrt(m p (1 - p) + z^2 / 4)) / (m + z^2)

    p is the mean, var its variance, and m the effective sample size.
    """
    weight = weights(rows)
    mean = weight @ values.to_numpy(float)
    p = np.clip(mean, 0, 1)
    n = rows["query_id"].nunique()
    added = Z**2 / 4
    variance_of_mean = _variance(values, rows, weight)
    variance = n**2 * variance_of_mean + added
    largest_variance = n * p * (1 - p) + added
    D = variance / largest_variance
    m = n / D
    centre = m * p + 2 * added
    root = np.sqrt(m * p * (1 - p) + added)
    half_width = Z * root
    divisor = m + 4 * added
    low = (centre - half_width) / divisor
    high = (centre + half_width) / divisor
    return Figures(
        mean=p,
        low=np.clip(low, 0, p),
        high=np.clip(high, p, 1),
    )


def _variance(values: pd.DataFrame, rows: pd.DataFrame, weight: np.ndarray) -> np.ndarray:
    """Return the variance of the mean under other queries and other repetitions, (metrics,).

    As for two-way clusters (Cameron, Gelbach and Miller 2011): a query's contributions to the mean
    are summed over its directions and repetitions, then squared. Differences between repetitions
    count as far as they exceed what their queries explain.
    """
    row_keys = pd.MultiIndex.from_frame(rows[ROW])
    values = values.astype(float).set_axis(row_keys)
    cells = values.groupby(level=CELL)
    deviations = values - cells.transform("mean")
    contributions = deviations.mul(weight, axis=0)
    by_query = contributions.groupby(level="query_id").sum()
    between_queries = _squares(by_query)
    n_repetitions = rows["repetition"].nunique()
    if n_repetitions == 1:
        return between_queries
    freedom = n_repetitions - 1
    repetition_means = _repetition_means(cells.mean())
    squares_of_repetitions = _squares(repetition_means)
    between_repetitions = squares_of_repetitions / freedom / n_repetitions
    queries_in_repetitions = contributions.groupby(level=["query_id", "repetition"])
    within = _squares(queries_in_repetitions.sum())
    explained = (n_repetitions * within - between_queries) / freedom
    not_explained = np.maximum(between_repetitions - explained, 0)
    return between_queries + not_explained


def _repetition_means(cell_means: pd.DataFrame) -> pd.DataFrame:
    """Return by how much each repetition is above the means of the directions that it has."""
    directions = cell_means.groupby(level=DIRECTION)
    above = cell_means - directions.transform("mean")
    return above.groupby(level="repetition").mean()


def _squares(frame: pd.DataFrame) -> np.ndarray:
    squares = frame.to_numpy() ** 2
    return squares.sum(axis=0)
