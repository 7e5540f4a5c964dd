"""One tidy table of scores: means over queries, repetitions and directions, with their intervals.

It starts from values of queries: a row per system, measure, repetition, direction and query.
Repetitions and directions count as much as each other, however many queries they have. Settings of
one series count as one, by their label, unless they share a direction.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from cr5.scores.intervals import interval
from cr5.scores.metrics import values as of_metric
from cr5.scores.ranked import Ranked
from cr5.scores.ranks import KEYS

ALL = "all"  # in place of both languages of a direction: all directions
MEAN = "mean"  # in place of a repetition: all of them
DIRECTION = ["query", "target"]
ROW = ["repetition", *DIRECTION, "name"]
VALUES = [*KEYS, *ROW, "similarity", "n_candidates", "best", "last"]
FIGURES = ["value", "ci_low", "ci_high"]
COUNTS = ["n_queries", "n_candidates", "directions", "repetitions"]
SCORES = [*KEYS, "label", *DIRECTION, "similarity", "metric", "repetition", *FIGURES, *COUNTS]


def by_query(
    keys: Mapping[str, object],
    ranks: Mapping[tuple[str, str, str], Ranked],
    metrics: Sequence[str],
) -> pd.DataFrame:
    """Score each query of one repetition.

    Args:
        keys: `ranks.KEYS` and repetition.
        ranks: by query language, target language and measure.
        metrics: their names.

    Returns:
        `VALUES`, and the metrics. `name` is the query's, `best` the rank of its best answer, `last`
        the rank up to which those of its direction are known; `query` and `target` are languages.
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
    """Average the values of a task's queries, of settings that are reported as one.

    Args:
        values: see `by_query`.
        metrics: names of columns.
        label: their name in tables and figures, and of the setting in rows of all directions.
        each: whether to add each repetition by itself, if there are several.

    Returns:
        `SCORES`, fractions; a row per direction and one for all, of all repetitions and of
        each. `n_queries` are means over repetitions, or in all directions distinct
        ones; `n_candidates` are means.
    """
    frames = []
    for _, found in values.groupby(["system", "similarity"], sort=False):
        for place, part in places(found, label):
            own = list(part.groupby("repetition")) if each else []
            for repetition, of in [(MEAN, part), *(own if len(own) > 1 else [])]:
                names = {**part.iloc[0][[*KEYS, "similarity"]], **place}
                names |= {"label": label, "repetition": repetition}
                frames.append(_averaged(of, list(metrics)).assign(**names))
    return pd.concat(frames, ignore_index=True)[SCORES]


def _averaged(values: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    """Return the figures of each metric, over everything in the frame."""
    figures = dict(zip(FIGURES, interval(values[metrics], values), strict=True))
    cells = values.groupby([*DIRECTION, "repetition"])["n_candidates"].mean()
    n_directions, n_repetitions = len(values.groupby(DIRECTION)), values["repetition"].nunique()
    counts = {
        "n_queries": values["name"].nunique() if n_directions > 1 else len(values) / n_repetitions,
        "n_candidates": cells.groupby(level=DIRECTION).mean().mean(),
        "directions": n_directions,
        "repetitions": n_repetitions,
    }
    return pd.DataFrame({"metric": metrics, **figures, **counts})


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
    found = scores(pd.concat([values[VALUES], hits], axis=1), names, label, each=False)
    limit = {**last, (ALL, ALL): last.min()}
    known = [limit[place] for place in zip(found["query"], found["target"], strict=True)]
    return found[found["metric"].str.removeprefix("Success@").astype(int) <= known]
