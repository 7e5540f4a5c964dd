"""Nearest documents of a few queries, by title, after the paper's Table 2."""

import pandas as pd

from cr5.report.frames import labelled
from cr5.report.markup import MISSING, Bold, count_cell
from cr5.report.names import UNDECLARED, Systems, direction, direction_order, similarity_name
from cr5.report.table import Table

LANGUAGES = ["query_language", "target_language"]
PLACE = ["system", *LANGUAGES]
NEIGHBOUR = ["query_concept", "neighbour_rank"]
COLUMNS = [
    *["setting", "series", "kind", *PLACE, "query_concept", "query_title", "rank_of_truth"],
    *["neighbour_rank", "neighbour_title", "correct"],
]


def table2(
    examples: pd.DataFrame, corpus: str, similarity: str, systems: Systems = UNDECLARED
) -> Table:
    """Lay out the examples, a block per direction, system and setting, a row per query.

    Args:
        examples: a row per query and neighbour, with `COLUMNS`.
        corpus: name of the corpus.
        similarity: the measure that ranked the neighbours.
        systems: how they are named.

    Raises:
        UserError: a row is repeated.
    """
    examples = labelled(examples, PLACE, NEIGHBOUR, "examples")
    places = sorted(examples["neighbour_rank"].unique())
    groups = examples.groupby(["system", "label", *LANGUAGES], sort=False)
    return Table(
        title=f"Nearest documents on {corpus}, by {similarity_name(similarity)}",
        header=["Query", "Rank", *map(str, places)],
        align="pr" + "p" * len(places),
        blocks=[
            (_heading(systems, *key), _rows(groups.get_group(key), places))
            for key in sorted(groups.groups, key=lambda key: direction_order(key[2:]))
        ],
        data=examples[COLUMNS],
        notes=[
            "A heading a→b means queries in a and candidates in b.",
            "The true counterpart is in bold, where it is shown; Rank is its place among all "
            "candidates.",
        ],
    )


def without_examples(corpus: str, reason: str) -> Table:
    """Return a table that says why there are no examples: the system and setting have no ranks."""
    nothing = pd.DataFrame(columns=COLUMNS)
    return Table(f"Nearest documents on {corpus}", ["Query"], "l", [], nothing, [reason])


def _heading(systems: Systems, system: str, label: str, query: str, target: str) -> str:
    return f"{direction(query, target)}: {systems.curve(system, label)}"


def _rows(group: pd.DataFrame, places: list[int]) -> list[list[str]]:
    return [
        [
            _title(query["query_title"].iloc[0], concept),
            count_cell(query["rank_of_truth"].iloc[0]),
            *_neighbours(query, places),
        ]
        for concept, query in group.groupby("query_concept")
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
