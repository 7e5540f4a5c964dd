"""Scores of every system, setting and direction: the layout of the paper's Table 1."""

from collections.abc import Sequence

import pandas as pd

from cr5.report import best, notes
from cr5.report.frames import labelled, select
from cr5.report.markup import MISSING, count_cell, score_cell
from cr5.report.names import (
    SIMILARITIES,
    UNDECLARED,
    Systems,
    direction,
    direction_order,
    known_first,
    similarity_name,
)
from cr5.report.table import Table

DOCUMENTS = "documents"
METRICS = ["Success@1", "Success@5", "Success@10"]
PLACE = ["system", "task", "query", "target"]
MEASURE = ["similarity", "metric"]
FAMILY = "all comparisons of a setting, measure and metric"
COLUMNS = [
    *["setting", "series", "kind", *PLACE, *MEASURE, "value", "ci_low", "ci_high"],
    *["n_queries", "n_candidates", "repetitions", "published"],
]


def table1(
    scores: pd.DataFrame,
    corpus: str,
    task: str = DOCUMENTS,
    unlike: Sequence[str] = (),
    left_out: pd.DataFrame | None = None,
    more: Sequence[str] = (),
    printed: str = "Table 1",
    significance: pd.DataFrame | None = None,
    systems: Systems = UNDECLARED,
) -> Table:
    """Lay out the scores of a task, a block per system and setting, a row per direction.

    Args:
        scores: long form, with `COLUMNS`; fractions, of any metric and similarity measure.
        corpus: name of the scores' corpus.
        task: the task to show; of `documents` only Success@k, as in the paper.
        unlike: how this run differs from the paper's, as parts of a sentence.
        left_out: what has no figures because of the data, see `collected.LEFT_OUT`.
        more: the task's own notes.
        printed: the paper's table with figures of the task.
        significance: tests between systems, see `compared`; the best are in bold.
        systems: how they are named.

    Raises:
        UserError: a row is repeated, or none is of the task.
    """
    reasons = [*more, *notes.left_out(left_out, task, systems)]
    if reasons and task not in set(scores["task"]):
        return Table(_title(corpus, task), ["Direction"], "l", [], scores[COLUMNS][:0], reasons)
    scores = best.mark(scores, significance)
    scores = select(labelled(scores, PLACE, MEASURE, "scores"), "task", task, "scores")
    if task == DOCUMENTS:
        scores = scores[scores["metric"].isin(METRICS)]
    measures = _measures(scores)
    names = [f"{similarity_name(similarity)} {metric}" for similarity, metric in measures]
    groups = scores.groupby(["system", "label"], sort=False)
    return Table(
        title=_title(corpus, task),
        header=["Direction", *names, "Queries", "Candidates"],
        align="l" + "r" * (len(measures) + 2),
        blocks=[(systems.curve(*key), _rows(group, measures)) for key, group in groups],
        data=scores[[*COLUMNS, "best"]],
        notes=[*_notes(scores, task, unlike, printed), *reasons],
        # of documents, the draw has warned
        warnings=[] if task == DOCUMENTS else _few_queries(scores, task),
    )


def _title(corpus: str, task: str) -> str:
    if task == DOCUMENTS:
        return f"Document retrieval on {corpus}, Success@k in percent"
    name = task.replace("_", " ")
    return f"{name[:1].upper()}{name[1:]} on {corpus}"


def _measures(scores: pd.DataFrame) -> list[tuple[str, str]]:
    there = set(zip(scores["similarity"], scores["metric"], strict=True))
    similarities = known_first(SIMILARITIES, scores["similarity"])
    metrics = known_first(METRICS, scores["metric"])
    return [(s, metric) for s in similarities for metric in metrics if (s, metric) in there]


def _notes(scores: pd.DataFrame, task: str, unlike: Sequence[str], printed: str) -> list[str]:
    return [
        "A row a→b has queries in a and candidates in b.",
        *([] if task == DOCUMENTS else ["All scores are in percent."]),
        *notes.metrics(scores["metric"]),
        *best.note(scores, "a direction, measure and metric", FAMILY),
        *notes.intervals(scores),
        *_few_queries(scores, task),
        *notes.published(scores, unlike, printed),
    ]


def _few_queries(scores: pd.DataFrame, task: str) -> list[str]:
    fewest = scores.groupby(["query", "target"])["n_queries"].min()
    fewest.index = [direction(*pair) for pair in fewest.index]
    more = notes.MORE_DOCUMENTS if task == DOCUMENTS else "give the task more queries"
    return notes.few_queries(fewest, more)


def _rows(group: pd.DataFrame, measures: list[tuple[str, str]]) -> list[list[str]]:
    keys = zip(*[group[key] for key in ["query", "target", *MEASURE]], strict=True)
    values = (group[name] for name in ["value", "published", "best"])
    cells = dict(zip(keys, map(score_cell, *values), strict=True))
    counts = group.groupby(["query", "target"])[["n_queries", "n_candidates"]].max()
    return [
        [
            direction(*pair),
            *[cells.get((*pair, *measure), MISSING) for measure in measures],
            *map(count_cell, counts.loc[pair]),
        ]
        for pair in sorted(counts.index, key=direction_order)
    ]
