"""One tidy table of scores: means over queries, repetitions and directions, with their intervals.

It starts from values of queries: a row per system, measure, repetition, direction and query.
Repetitions and directions count as much as each other, however many queries they have. Settings of
one series count as one, by their label, unless they share a direction.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.scores.intervals import interval, weights
from cr5.scores.metrics import values as of_metric
from cr5.scores.ranks import KEYS, Ranks

ALL = "all"  # in place of both languages of a direction: all directions
MEAN = "mean"  # in place of a repetition: all of them
DIRECTION = ["query", "target"]
ROW = ["repetition", *DIRECTION, "name"]
VALUES = [*KEYS, *ROW, "similarity", "n_candidates", "best", "last"]
FIGURES = ["value", "ci_low", "ci_high"]
COUNTS = ["n_queries", "n_candidates", "directions", "repetitions"]
SCORES = [*KEYS, *DIRECTION, "similarity", "metric", "repetition", *FIGURES, *COUNTS]


def by_query(ranks: Ranks, metrics: Sequence[str]) -> pd.DataFrame:
    """Score each query.

    Returns:
        `VALUES`, and the metrics. `name` is the query's, `best` the rank of its best answer, `last`
        the rank up to which those of its direction are known; `query` and `target` are languages.
    """
    frames = []
    for query, target, similarity in ranks.directions:
        ranked = ranks.ranked[query, target, similarity]
        columns = {**ranks.keys, "query": query, "target": target, "similarity": similarity}
        columns |= {"name": ranked.queries["query"], "n_candidates": ranked.n_candidates}
        columns |= {"best": ranked.best, "last": min(ranked.n_candidates.min(), ranked.depth)}
        columns |= {metric: of_metric(ranked, metric) for metric in metrics}
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def labelled(frame: pd.DataFrame, rest: Sequence[str] = ()) -> pd.DataFrame:
    """Add the column `label`: the name of a row's setting in tables and figures.

    It is the setting's series, as a series is shown as one curve or block. If two settings of a
    series have the same system, task and direction, all of that series have their own names.

    Args:
        frame: with setting, series, system, task, `DIRECTION` and `rest`.
        rest: columns that distinguish the rows of these.

    Raises:
        UserError: two rows are the same in all of them.
    """
    place = ["system", "task", *DIRECTION]
    keys = ["setting", *place, *rest]
    twice = frame[frame.duplicated(keys)]
    if len(twice):
        where = ", ".join(f"{key} {twice.iloc[0][key]}" for key in keys)
        raise UserError(f"more than one row of scores for {where}; keep one of them")
    held = frame[["series", "setting", *place]].drop_duplicates()
    shared = held.loc[held.duplicated(["series", *place]), "series"]
    return frame.assign(label=frame["series"].mask(frame["series"].isin(shared), frame["setting"]))


def scores(
    values: pd.DataFrame, metrics: Sequence[str], label: str, each: bool = True
) -> pd.DataFrame:
    """Average the values of a task's queries, of settings that are reported as one.

    Args:
        values: see `by_query`.
        metrics: names of columns.
        label: name of the setting in rows of all directions.
        each: whether to add each repetition by itself, if there are several.

    Returns:
        `SCORES`, fractions; a row per direction and one for all, of all repetitions and of
        each. `n_queries` are means over repetitions, or in all directions distinct
        ones; `n_candidates` are means.
    """
    rows: list[dict] = []
    for _, found in values.groupby(["system", "similarity"], sort=False):
        for place, part in [*found.groupby(DIRECTION, sort=False), ((ALL, ALL), found)]:
            setting = label if place[0] == ALL else part["setting"].iloc[0]
            names = {**part.iloc[0][[*KEYS, "similarity"]], "setting": setting}
            names |= dict(zip(DIRECTION, place, strict=True))
            own = list(part.groupby("repetition"))
            for repetition, of in [(MEAN, part), *(own if each and len(own) > 1 else [])]:
                rows += [
                    {**names, "repetition": repetition, **row} for row in _averaged(of, metrics)
                ]
    return pd.DataFrame(rows, columns=SCORES)


def _averaged(values: pd.DataFrame, metrics: Sequence[str]) -> Iterator[dict]:
    """Yield the figures of each metric, over everything in the frame."""
    parts = [part for _, part in values.groupby("repetition")]
    columns = [np.ascontiguousarray(part[list(metrics)], float) for part in parts]
    directions = [part["query"] + " " + part["target"] for part in parts]
    low, high = interval(columns, [part["name"] for part in parts], directions)
    mean = weights_of(values) @ values[list(metrics)].to_numpy(float)
    several = len(values[DIRECTION].drop_duplicates())
    cells = values.groupby([*DIRECTION, "repetition"])["n_candidates"].mean()
    counts = {
        "n_queries": values["name"].nunique() if several > 1 else len(values) / len(parts),
        "n_candidates": cells.groupby(level=DIRECTION).mean().mean(),
        "directions": several,
        "repetitions": len(parts),
    }
    for metric, *figures in zip(metrics, mean, low, high, strict=True):
        yield {"metric": metric, **dict(zip(FIGURES, figures, strict=True)), **counts}


def curves(values: pd.DataFrame, up_to: int, label: str) -> pd.DataFrame:
    """Success@k for each k that all of a row's directions and repetitions know.

    Args:
        values: of one system; see `by_query`.
        up_to: the largest k.
        label: name of the setting in rows of all directions.

    Returns:
        `SCORES` of all repetitions.
    """
    last = values.groupby(DIRECTION)["last"].min().clip(upper=up_to).astype(int)
    ks = np.arange(1, last.max() + 1)
    names = [f"Success@{k}" for k in ks]
    hits = pd.DataFrame(values["best"].to_numpy()[:, None] <= ks, values.index, names)
    of_all = scores(pd.concat([values[VALUES], hits], axis=1), names, label, each=False)
    limit = pd.concat([last, pd.Series(last.min(), [(ALL, ALL)])]).to_dict()
    known = [limit[place] for place in zip(of_all["query"], of_all["target"], strict=True)]
    k = of_all["metric"].str.removeprefix("Success@").astype(int)
    return of_all[k <= known]


def weights_of(rows: pd.DataFrame) -> np.ndarray:
    """Return the weight of each row in the mean over directions, repetitions and queries."""
    direction = rows.groupby(DIRECTION, sort=False).ngroup().to_numpy()
    repetition = rows.groupby("repetition", sort=False).ngroup().to_numpy()
    return weights(direction, repetition)
