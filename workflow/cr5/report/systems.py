"""One row per system and setting, means over all directions: a run's results at a glance."""

from collections.abc import Sequence

import pandas as pd

from cr5.report import best, notes
from cr5.report.markup import MISSING, count_cell, interval_cell
from cr5.report.names import SIMILARITIES, UNDECLARED, Systems, known_first, similarity_name
from cr5.report.table import Table
from cr5.scores.comparisons import ALL

MOST = 4  # metrics that are printed of a task
COUNTS = ["directions", "repetitions", "n_queries", "n_candidates"]
COLUMNS = [
    *["setting", "series", "kind", "task", "system", "similarity", "metric"],
    *["value", "ci_low", "ci_high", *COUNTS],
]
COLUMN = ["setting", "task", "similarity", "metric"]


def systems_table(
    means: pd.DataFrame,
    significance: pd.DataFrame,
    corpus: str,
    left_out: pd.DataFrame | None = None,
    systems: Systems = UNDECLARED,
    more: Sequence[str] = (),
) -> Table:
    """Lay out means in blocks of task and measure, a row per setting and system.

    Args:
        means: see `compared.Compared`; all metrics are in the CSV file, the first ones of each task
            are printed.
        significance: see `compared.Compared`.
        corpus: name of the corpus.
        left_out: what has no figures because of the data, see `collected.LEFT_OUT`.
        systems: how they are named.
        more: notes.
    """
    pooled = significance[(significance["query"] == ALL) & (significance["target"] == ALL)]
    means = best.mark(means, pooled, COLUMN)
    tasks = known_first([], means["task"])
    metrics = printed(means)
    blocks = [
        (_heading(task, similarity), _rows(means, task, similarity, metrics, systems))
        for task in tasks
        for similarity in known_first(SIMILARITIES, means.loc[means["task"] == task, "similarity"])
    ]
    return Table(
        title=f"Systems on {corpus}, means over directions in percent",
        header=[
            "Setting",
            "System",
            *metrics,
            "Directions",
            "Repetitions",
            "Queries",
            "Candidates",
        ],
        align="ll" + "r" * (len(metrics) + len(COUNTS)),
        blocks=blocks,
        data=means[[*COLUMNS, "best"]],
        notes=[
            *_notes(means),
            *more,
            *notes.left_out_of_all(left_out, systems),
            *_papers(systems),
        ],
    )


def _papers(systems: Systems) -> list[str]:
    papers = systems.references()
    return [f"Papers: {'; '.join(papers)}."] if papers else []


def _heading(task: str, similarity: str) -> str:
    return f"{task.replace('_', ' ').capitalize()}, {similarity_name(similarity)}"


def printed(means: pd.DataFrame) -> list[str]:
    """Return the first `MOST` metrics of each task, without duplicates."""
    named = means[["task", "metric"]].drop_duplicates().groupby("task", sort=False)["metric"]
    return list(dict.fromkeys(named.head(MOST)))


def _rows(
    means: pd.DataFrame, task: str, similarity: str, metrics: Sequence[str], systems: Systems
) -> list[list[str]]:
    chosen = means[(means["task"] == task) & (means["similarity"] == similarity)]
    return [
        [
            setting,
            systems.title(system),
            *_cells(group, metrics),
            *map(count_cell, group.iloc[0][COUNTS]),
        ]
        for (setting, system), group in chosen.groupby(["setting", "system"], sort=False)
    ]


def _cells(group: pd.DataFrame, metrics: Sequence[str]) -> list[str]:
    values = (group[name] for name in ["value", "ci_low", "ci_high", "best"])
    cells = dict(zip(group["metric"], map(interval_cell, *values), strict=True))
    return [cells.get(metric, MISSING) for metric in metrics]


def _notes(means: pd.DataFrame) -> list[str]:
    over = "queries and repetitions" if means["repetitions"].max() > 1 else "queries"
    return [
        "All directions have equal weight; compare only rows with the same directions.",
        f"In brackets: 95 % intervals over {over} (Wilson's).",
        *notes.metrics(means["metric"]),
        *best.note(means, "a measure and metric", "all comparisons of these"),
        "Queries: distinct ones over all directions; candidates: mean over directions.",
    ]
