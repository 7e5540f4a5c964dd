"""One tidy table of scores: means over queries, repetitions and directions, with intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from cr5.scores import metrics
from cr5.scores.intervals import Clusters, interval, mean_of_directions
from cr5.scores.metrics import ALL
from cr5.scores.ranks import DIRECTION, KEYS, Ranked, Search

MEAN = "mean"  # in place of a repetition: all of them
SUCCESS = "Success@"  # and k: the metric of curves
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
    table = []
    for _, compared in values.groupby(["system", "similarity"], sort=False):
        for place, rows in places(compared, label):
            first = rows.iloc[0]
            subject = dict(first[KEYS + ["similarity"]])
            subject |= asdict(place)
            subject["label"] = label
            table += _averages(rows, names, subject, MEAN)
            repetitions = rows.groupby("repetition")
            if with_repetitions and len(repetitions) > 1:
                for repetition, repetition_rows in repetitions:
                    table += _averages(repetition_rows, names, subject, repetition)
    return pd.DataFrame(table, columns=SCORES)


def _averages(
    values: pd.DataFrame, names: list[str], subject: Mapping[str, object], repetition: object
) -> list[dict[str, object]]:
    """Return the `SCORES` of one system, measure and place, in one repetition or all of them."""
    clusters = Clusters.of(values)
    of_queries = values[names].to_numpy(float)
    figures = interval(of_queries, clusters)
    n_queries = clusters.n_queries
    if clusters.n_directions == 1:
        n_queries = len(values) / clusters.n_repetitions
    sizes = values[["n_candidates"]].to_numpy(float)
    n_candidates = mean_of_directions(sizes, clusters)
    of_all_metrics = {
        **subject,
        "repetition": repetition,
        "n_queries": n_queries,
        "n_candidates": n_candidates.item(),
        "directions": clusters.n_directions,
        "repetitions": clusters.n_repetitions,
    }
    rows = []
    for number, name in enumerate(names):
        of_metric = {
            "metric": name,
            "value": figures.mean[number],
            "ci_low": figures.low[number],
            "ci_high": figures.high[number],
        }
        rows.append(of_all_metrics | of_metric)
    return rows


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
    k_as_text = table["metric"].str.removeprefix(SUCCESS)
    k_of_row = k_as_text.astype(int)
    is_known = k_of_row <= last_known
    return table[is_known]


def _hits(best: pd.Series, ks: np.ndarray) -> pd.DataFrame:
    """Return whether the best answer of each query is within each k: a column `Success@k`."""
    best_ranks = best.to_numpy()
    is_hit = best_ranks[:, None] <= ks  # queries x ks
    names = [f"{SUCCESS}{k}" for k in ks]
    return pd.DataFrame(is_hit, best.index, names)
