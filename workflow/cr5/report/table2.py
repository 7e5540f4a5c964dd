"""Nearest documents of a few queries, by title: after the paper's Table 2."""

import pandas as pd

from cr5.report.frames import check_columns, check_unique
from cr5.report.markup import MISSING, Bold
from cr5.report.names import SIMILARITIES, curve_name, direction, direction_order, setting_kind
from cr5.report.table import Table
from cr5.report.table1 import count_cell

LANGUAGES = ["query_language", "target_language"]
COLUMNS = [
    *["setting", "system", *LANGUAGES, "query_concept", "query_title", "rank_of_truth"],
    *["neighbour_rank", "neighbour_title", "correct"],
]
KEYS = ["setting", "system", *LANGUAGES, "query_concept", "neighbour_rank"]


def table2(examples: pd.DataFrame, corpus: str, similarity: str) -> Table:
    """Lay out the examples in blocks of system, setting and direction, a row per query.

    Args:
        examples: a row per query and neighbour, with `COLUMNS`.
        corpus: name of the corpus.
        similarity: by which the neighbours were ranked.

    Raises:
        UserError: a column or all rows are missing, or a row is there twice.
    """
    check_columns(examples, COLUMNS, "examples")
    check_unique(examples, KEYS, "examples")
    places = sorted(examples["neighbour_rank"].unique())
    groups = examples.groupby(["system", "setting", *LANGUAGES], sort=False)
    return Table(
        title=f"Nearest documents on {corpus}, by {SIMILARITIES[similarity]}",
        header=["Query", "Rank", *map(str, places)],
        align="pr" + "p" * len(places),
        blocks=[
            (_heading(*key), _rows(groups.get_group(key), places))
            for key in sorted(groups.groups, key=lambda key: direction_order(key[2:]))
        ],
        data=examples[COLUMNS],
        notes=[
            "A heading a→b means queries in a and candidates in b.",
            "The true counterpart is in bold; Rank is its place among all candidates.",
        ],
    )


def _heading(system: str, setting: str, query: str, target: str) -> str:
    return f"{direction(query, target)}: {curve_name(system, setting_kind(setting))}"


def _rows(group: pd.DataFrame, places: list[int]) -> list[list[str]]:
    return [
        [
            _title(query["query_title"].iloc[0], concept),
            count_cell(query["rank_of_truth"].iloc[0]),
            *_neighbours(query, places),
        ]
        for concept, query in group.groupby("query_concept", sort=False)
    ]


def _neighbours(query: pd.DataFrame, places: list[int]) -> list[str]:
    cells = {
        place: Bold(_title(title)) if correct else _title(title)
        for place, title, correct in zip(
            query["neighbour_rank"], query["neighbour_title"], query["correct"], strict=True
        )
    }
    return [cells.get(place, MISSING) for place in places]


def _title(title: str | None, instead: object = MISSING) -> str:
    return str(instead) if pd.isna(title) or not title.strip() else title
