"""Sentences above a table: how far its figures can be trusted and compared."""

from collections.abc import Iterable

import pandas as pd

from cr5.report.markup import count_cell
from cr5.report.names import curve_name
from cr5.splits.draw import FEW as FEW_QUERIES

PAPER = "Josifoski et al. (WSDM 2019)"

MORE_DOCUMENTS = (
    "raise splits.max_share.test, bring more documents, or set repetitions (e.g. repetitions: 5)"
)

PAPER_CANDIDATES = 200_000
FEW_CANDIDATES = 100_000
"""Below this, the task is so much easier than the paper's that no figure compares."""


def few_queries(counts: pd.Series, remedy: str) -> list[str]:
    """Warn of too few queries, naming the worst place.

    Args:
        counts: of queries, by the name of a direction or pair.
        remedy: what to do about it.
    """
    few = counts[counts.round() < FEW_QUERIES]
    if few.empty:
        return []
    others = f" and {len(few) - 1} more" if len(few) > 1 else ""
    worst = f"{few.idxmin()} ({count_cell(few.min())}){others}"
    return [
        f"Fewer than {FEW_QUERIES} queries in {worst}: "
        f"such figures move by points from draw to draw; {remedy}."
    ]


def intervals(scores: pd.DataFrame) -> list[str]:
    """Say what the figures are means over, and where their 95 % intervals are."""
    repetitions = scores["repetitions"].max()
    means = [f"Means over {repetitions:.0f} repetitions."] if repetitions > 1 else []
    if scores["ci_low"].isna().all():
        return means
    over = "queries and repetitions" if repetitions > 1 else "queries"
    return [*means, f"95 % intervals over {over} (Wilson's) are in the results, in scores.csv."]


def left_out(rows: pd.DataFrame | None, task: str) -> list[str]:
    """Name what the data allowed no figures for, once for each reason.

    Args:
        rows: see `collected.LEFT_OUT`; of all tasks.
        task: of the table.
    """
    if rows is None or rows.empty:
        return []
    groups = rows[rows["task"] == task].groupby("reason", sort=False)
    return [f"Left out: {_places(group)}: {reason}" for reason, group in groups]


def _places(group: pd.DataFrame) -> str:
    """Name systems in settings; and repetitions, where there are several."""
    several = group["repetition"].max() > 1
    names = []
    for (system, setting), part in group.groupby(["system", "setting"], sort=False):
        which = f" (repetition {', '.join(map(str, part['repetition']))})" if several else ""
        names.append(f"{curve_name(system, setting)}{which}")
    return "; ".join(names)


def published(scores: pd.DataFrame, unlike: Iterable[str], table: str = "Table 1") -> list[str]:
    """Say whose figures stand in parentheses, and what they are worth.

    Args:
        scores: with the columns `published` and `n_candidates`.
        unlike: in what this run differs from the paper's, as parts of a sentence.
        table: of the paper.
    """
    if scores["published"].isna().all():
        return []
    unlike = [*unlike, *_few_candidates(scores["n_candidates"].max())]
    if unlike:
        return [
            f"In parentheses: {table} of {PAPER}, for orientation only.",
            f"This run differs from the paper's: {'; '.join(unlike)}.",
        ]
    return [
        f"In parentheses: {table} of {PAPER}.",
        "The paper's text is Wikipedia too, but its dumps, queries and candidates are others: "
        "a difference of a point or two means nothing.",
    ]


def _few_candidates(most: float) -> list[str]:
    if not most < FEW_CANDIDATES:
        return []
    return [f"{count_cell(most)} candidates at most, not {count_cell(PAPER_CANDIDATES)}"]
