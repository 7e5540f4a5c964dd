"""Systems by decreasing accuracy: the layout of Tables 1 to 3 of Platt et al. (EMNLP 2010).

For a task that searches for counterparts (Tables 1 and 2), accuracy and MRR, means over all
directions; for classification (Table 3), the accuracy of each query language.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import pandas as pd

from cr5.report import best, notes
from cr5.report.accuracies import FIGURES, PLACE, PUBLISHED
from cr5.report.markup import MISSING, count_cell, with_rest
from cr5.report.names import UNDECLARED, Systems, direction, direction_order, similarity_name
from cr5.report.table import Table
from cr5.scores.comparisons import ALL, FIRST
from cr5.scores.unpaired import leading

ACCURACY = "Success@1"  # ranks count a tied candidate before the answer: a tie is an error
ADDED = ["dimension", "published", "best_unpaired", "best_paired"]
STAR = "*"


class Column(NamedTuple):
    """Where to find a column's figures; languages are `ALL` in means."""

    query: str
    target: str
    metric: str


RETRIEVAL = {Column(ALL, ALL, ACCURACY): "Accuracy", Column(ALL, ALL, "RR"): "MRR"}


def by_accuracy(
    figures: pd.DataFrame,
    significance: pd.DataFrame,
    dimensions: pd.DataFrame,
    corpus: str,
    task: str,
    published: pd.DataFrame | None = None,
    left_out: pd.DataFrame | None = None,
    systems: Systems = UNDECLARED,
) -> Table:
    """Lay out the figures of a task, one block per setting.

    Args:
        figures: see `accuracies`: means over directions, or directions of classification.
        significance: see `compared.SIGNIFICANCE`.
        dimensions: see `validation.dimensions`.
        corpus: its name.
        task: the task of the figures.
        published: with `PUBLISHED` and published, fractions; None if corpus or setting are not a
            paper's.
        left_out: what has no figures because of the data, see `collected.LEFT_OUT`.
        systems: how they are named.
    """
    figures = figures[figures["task"] == task]
    reasons = notes.left_out(left_out, task, systems)
    columns = _columns(figures)
    figures = _marked(_by_first_measure(figures, columns), significance)
    figures = _with_published(figures.assign(dimension=_dimensions(figures, dimensions)), published)
    blocks = [
        (_heading(block), _rows(block, columns, systems))
        for _, block in figures.groupby("setting", sort=False)
    ]
    return Table(
        title=_title(corpus, task, columns),
        header=["System", "Dimension", *columns.values(), "Measure"],
        align="lr" + "r" * len(columns) + "l",
        blocks=blocks,
        data=figures[[*FIGURES, *ADDED]],
        notes=[*_notes(figures, columns), *reasons],
    )


def _columns(figures: pd.DataFrame) -> dict[Column, str]:
    """Return the columns shown and their names, ordered by candidate language first."""
    if (figures["query"] == ALL).all():
        return RETRIEVAL
    pairs = figures[["query", "target"]].drop_duplicates().itertuples(index=False, name=None)
    pairs = sorted(pairs, key=lambda pair: (pair[1], pair[0] != pair[1], direction_order(pair)))
    one = len({target for _, target in pairs}) == 1
    return {Column(*x, ACCURACY): x[0] if one else direction(*x) for x in pairs}


def _key(columns: Mapping[Column, str], there: Collection[Column]) -> Column:
    """Return the column that orders rows: accuracy, or that of a setting's last language."""
    order = list(columns)[:1] if columns is RETRIEVAL else list(columns)[::-1]
    return next((column for column in order if column in there), order[0])


def _by_first_measure(figures: pd.DataFrame, columns: Mapping[Column, str]) -> pd.DataFrame:
    """Return each system's figures by its first similarity measure, in the shown columns."""
    first = figures.groupby(["setting", "system"], sort=False)["similarity"].transform("first")
    shown = pd.MultiIndex.from_frame(figures[PLACE]).isin(list(columns))
    return figures[(figures["similarity"] == first) & shown].reset_index(drop=True)


def _marked(figures: pd.DataFrame, significance: pd.DataFrame) -> pd.DataFrame:
    """Add best_unpaired and best_paired; missing if not tested."""
    several = figures.groupby("setting")["similarity"].transform("nunique") > 1
    measure = figures["similarity"].mask(several, FIRST)
    keys = ["setting", "task", *PLACE, "similarity"]
    asked = figures.assign(similarity=measure)
    paired = best.mark(asked, significance, keys)["best"]
    tests = dict(iter(significance.groupby(keys, sort=False)))
    unpaired = pd.Series(pd.NA, figures.index, "boolean")
    for key, column in asked[asked["metric"] == ACCURACY].groupby(keys, sort=False):
        if key in tests:
            unpaired[column.index] = column["system"].isin(_leading(column, tests[key]))
    accuracy = figures["metric"] == ACCURACY
    return figures.assign(best_unpaired=unpaired, best_paired=paired.where(accuracy))


def _leading(column: pd.DataFrame, tests: pd.DataFrame) -> list[str]:
    p = {
        frozenset(pair): each
        for *pair, each in tests[["system", "other", "p_unpaired"]].itertuples(index=False)
    }
    values = column.set_index("system")["value"].to_dict()
    return leading(values, lambda one, other: p.get(frozenset((one, other)), float("nan")))


def _dimensions(figures: pd.DataFrame, dimensions: pd.DataFrame) -> list[str]:
    """Return the dimensions of the fits behind each row, in increasing order, as text."""
    found = {}
    for setting, series, system in set(
        figures[["setting", "series", "system"]].itertuples(index=False, name=None)
    ):
        named = "setting" if setting != series else "series"
        chosen = (dimensions[named] == setting) & (dimensions["system"] == system)
        values = sorted({int(x) for x in dimensions.loc[chosen, "dimension"]})
        found[setting, system] = ", ".join(map(str, values))
    return [found[key] for key in zip(figures["setting"], figures["system"], strict=True)]


def _with_published(figures: pd.DataFrame, published: pd.DataFrame | None) -> pd.DataFrame:
    if published is None or published.empty:
        return figures.assign(published=float("nan"))
    return figures.merge(published, "left", PUBLISHED)


def _title(corpus: str, task: str, columns: Mapping[Column, str]) -> str:
    what = "accuracy and MRR" if columns is RETRIEVAL else "accuracy by language of the queries"
    return f"{task.replace('_', ' ').capitalize()} on {corpus}: {what}, in percent"


def _heading(block: pd.DataFrame) -> str:
    """Name the setting, its languages, and the size of the search."""
    first = block.iloc[0]
    queries, candidates = (count_cell(block[name].max()) for name in ("n_queries", "n_candidates"))
    size = f"{queries} queries, {candidates} candidates"
    return f"{first['setting']} ({first['languages']}): {size}"


def _rows(block: pd.DataFrame, columns: Mapping[Column, str], systems: Systems) -> list[list[str]]:
    cells = {
        (row["system"], *(row[x] for x in PLACE)): (row["value"], _cell(row))
        for row in block.to_dict("records")
    }
    about = block.drop_duplicates("system").set_index("system")
    lowest = (-1.0, "")
    key = _key(columns, {Column(*place) for _, *place in cells})
    order = sorted(about.index, key=lambda x: -cells.get((x, *key), lowest)[0])
    return [
        [
            systems.title(system),
            about.loc[system, "dimension"] or MISSING,
            *[cells.get((system, *column), (0, MISSING))[1] for column in columns],
            similarity_name(about.loc[system, "similarity"]),
        ]
        for system in order
    ]


def _cell(row: dict) -> str:
    """Print percent with two decimals: the paper prints fractions with four."""
    star = "" if pd.isna(row["best_paired"]) or not row["best_paired"] else STAR
    rest = "" if pd.isna(row["published"]) else f"({100 * row['published']:.2f})"
    return with_rest(f"{100 * row['value']:.2f}", f"{rest} {star}".strip(), row["best_unpaired"])


def _notes(figures: pd.DataFrame, columns: Mapping[Column, str]) -> list[str]:
    over = "mean over all directions" if columns is RETRIEVAL else "of a setting's last language"
    tested = figures["best_unpaired"].notna().any()
    return [
        f"Rows by falling accuracy, {over}; a tie is an error. Accuracy is Success@1.",
        "Dimension: as chosen on validation queries or given, of Cr5 the rank; all that the "
        "repetitions and pairs of a setting have.",
        *([UNPAIRED, PAIRED] if tested else []),
        *([OURS] if figures["published"].notna().any() else []),
    ]


UNPAIRED = (
    "Bold: the smallest set of systems that are each more accurate than all others, by the "
    "unpaired t-test that Platt et al. (EMNLP 2010) report, level .05, corrected by Bonferroni for "
    "the number of systems less one; all of them where there is no smaller set. A query counts "
    "once, with its mean over directions and repetitions."
)
PAIRED = (
    f"{STAR}: the most accurate, and those that do not differ from it significantly by our paired "
    "randomisation test, level .05, with Holm's correction over all comparisons. All tests are in "
    "the results, in significance.csv; 95 % intervals in the CSV file of this table."
)
OURS = "In parentheses: figures of Platt et al. (EMNLP 2010)."
