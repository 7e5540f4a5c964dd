"""How far our figure may lie from a published one and still count as equal.

Both are means over queries of values from 0 to 1, of which those with mean p vary by at most
p (1 - p), as shares do. So the difference of the paper's mean over n queries and ours over m has a
standard error of at most

    sqrt(p (1 - p) (1 / n + 1 / m))

at the published p, as if each asked queries of its own. Two of these count as equal, and at least
half of the last digit that is printed. But never more than half of what lies between the published
figure and chance: a system that finds nothing is never equal.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd

from cr5.report.options import Comparison
from cr5.scores.metrics import values
from cr5.scores.ranks import Ranked

STANDARD_ERRORS = 2


def tolerances(
    printed: pd.DataFrame, entry: Comparison, n_queries: pd.Series, n_candidates: pd.Series
) -> pd.Series:
    """Return the tolerance of each printed figure, in percent points.

    It is nan without the paper's queries.

    Our numbers of queries and of candidates have the index of `printed`, see `published.cells`.
    """
    published = printed["published"]
    share = published / 100
    paper_queries = _paper_queries(printed, entry.queries)
    of_both_means = 1 / paper_queries + 1 / n_queries
    variance = share * (1 - share) * of_both_means
    error = STANDARD_ERRORS * 100 * variance.clip(lower=0) ** 0.5
    at_chance = _at_chance(printed["metric"], n_candidates)
    at_chance = at_chance.clip(lower=entry.chance)
    above_chance = published - at_chance
    half_way = above_chance.abs() / 2
    tolerance = error.clip(lower=printed["half_digit"])
    return tolerance.clip(upper=half_way)


def _at_chance(metrics: pd.Series, n_candidates: pd.Series) -> pd.Series:
    """Return what each metric is at chance, in percent."""
    percents = []
    for metric, n in zip(metrics, n_candidates, strict=True):
        percents.append(100 * chance(metric, n))
    return pd.Series(percents, metrics.index, float)


def _paper_queries(printed: pd.DataFrame, queries: int | Mapping[str, int] | None) -> pd.Series:
    """Return the paper's queries behind each figure: an average has those of all its directions."""
    if isinstance(queries, Mapping):
        of_languages = printed["query_language"].map(queries)
        return of_languages.astype(float)
    of_a_direction = pd.Series(queries, printed.index, float)
    return printed["averaged"] * of_a_direction


@cache
def chance(metric: str, n_candidates: float) -> float:
    """Return the mean of a metric where one document is relevant, and any rank as likely."""
    if pd.isna(n_candidates):
        return np.nan
    n = int(n_candidates)
    one_each = np.ones(n)
    ranks = np.arange(1.0, n + 1)
    ranked = Ranked(  # a query for each rank
        query_ids=pd.Series(range(n)),
        n_relevant=one_each,
        n_candidates=n * one_each,
        depth=np.inf,
        rank=ranks[:, None],
        grade=one_each[:, None],
    )
    return float(values(ranked, metric).mean())
