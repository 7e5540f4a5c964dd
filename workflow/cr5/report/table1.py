"""Precision at k of every system, setting and direction: the layout of the paper's Table 1."""

import pandas as pd

from cr5.report.frames import check_columns, check_fractions, check_unique
from cr5.report.markup import MISSING
from cr5.report.names import SIMILARITIES, curve_name, direction, direction_order, setting_kind
from cr5.report.table import Table

METRICS = ["P@1", "P@5", "P@10"]
VALUES = ["value", "ci_low", "ci_high", "published"]
COLUMNS = [
    *["setting", "system", "query", "target", "similarity", "metric"],
    *[*VALUES, "n_queries", "n_candidates"],
]
KEYS = ["kind", "system", "query", "target", "similarity", "metric"]


def table1(scores: pd.DataFrame, corpus: str) -> Table:
    """Lay out the scores in blocks of a system and a kind of setting, a row per direction.

    Args:
        scores: long form, with `COLUMNS`; fractions.
        corpus: name of the corpus that the scores come from.

    Raises:
        UserError: a column or all rows are missing, a row is there twice, or a value is not a
            fraction.
    """
    check_columns(scores, COLUMNS, "scores")
    check_fractions(scores, VALUES, "scores")
    scores = scores.assign(kind=scores["setting"].map(setting_kind))
    check_unique(scores, KEYS, "scores")
    scores = scores[scores["metric"].isin(METRICS)]
    measures = [
        (similarity, metric)
        for similarity in SIMILARITIES
        if similarity in set(scores["similarity"])
        for metric in METRICS
    ]
    names = [f"{SIMILARITIES[similarity]} {metric}" for similarity, metric in measures]
    groups = scores.groupby(["system", "kind"], sort=False)
    return Table(
        title=f"Document retrieval on {corpus}, precision at k in percent",
        header=["Direction", *names, "Queries", "Candidates"],
        align="l" + "r" * (len(measures) + 2),
        blocks=[(curve_name(*key), _rows(group, measures)) for key, group in groups],
        data=scores[COLUMNS],
        notes=_notes(scores, corpus),
    )


def _notes(scores: pd.DataFrame, corpus: str) -> list[str]:
    notes = ["A row a→b has queries in a and candidates in b."]
    if scores["ci_low"].notna().any():
        notes.append("The CSV file beside this one has the 95 % intervals.")
    if scores["published"].notna().any():
        notes.append("In parentheses: Table 1 of Josifoski et al. (WSDM 2019).")
        notes.append(
            "The paper's text is Wikipedia too, but its dumps, queries and candidates are others: "
            "a difference of a point or two means nothing."
            if corpus == "wikipedia"
            else f"The paper's text is Wikipedia, not {corpus}: those figures are for "
            "orientation only and cannot be compared with ours."
        )
    return notes


def _rows(group: pd.DataFrame, measures: list[tuple[str, str]]) -> list[list[str]]:
    keys = zip(*[group[key] for key in KEYS[2:]], strict=True)
    cells = dict(zip(keys, map(score_cell, group["value"], group["published"]), strict=True))
    counts = group.groupby(["query", "target"])[["n_queries", "n_candidates"]].first()
    return [
        [
            direction(*pair),
            *[cells.get((*pair, *measure), MISSING) for measure in measures],
            *map(count_cell, counts.loc[pair]),
        ]
        for pair in sorted(counts.index, key=direction_order)
    ]


def score_cell(value: float, published: float) -> str:
    """Print a fraction as percent, with the published one in parentheses if there is any."""
    shown = MISSING if pd.isna(value) else f"{100 * value:.1f}"
    return shown if pd.isna(published) else f"{shown} ({100 * published:.1f})"


def count_cell(count: float) -> str:
    """Print a count with thousands separated."""
    return MISSING if pd.isna(count) else f"{count:,.0f}"
