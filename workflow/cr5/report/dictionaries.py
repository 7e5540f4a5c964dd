"""Which dictionary entries are searched for, and why the others are not."""

from collections.abc import Sequence

import pandas as pd

from cr5.report.markup import MISSING, count_cell
from cr5.report.names import direction, direction_order
from cr5.report.table import Table

HEADINGS = {
    "entries": "Entries",
    "other_part": "Other part",
    "no_word": "Not one word",
    "twice": "Repeated",
    "query_unknown": "Word unknown",
    "answer_unknown": "Translation unknown",
    "used": "Used",
    "words": "Words",
    "queries": "Queries",
}


def dictionary_table(coverage: pd.DataFrame, corpus: str, task: str) -> Table:
    """Lay out what happened to the entries of each dictionary.

    Args:
        coverage: a row per directed pair, with query, target, `HEADINGS`, inverted and file, which
            is empty if there is none.
        corpus: name of the corpus.
        task: the dictionaries' task.
    """
    rows = sorted(coverage.to_dict("records"), key=lambda x: direction_order(_pair(x)))
    return Table(
        title=f"Dictionaries of {task} on {corpus}: entries",
        header=["Direction", *HEADINGS.values(), "Dictionary"],
        align="l" + "r" * len(HEADINGS) + "l",
        blocks=[("", [_row(row) for row in rows])],
        data=coverage,
        notes=[
            "An entry is a word and one of its translations.",
            "Other part: entries before `offset` or beyond `limit`; Not one word: phrases; "
            "Repeated: as words appear in the texts; unknown: not in the corpus's vocabulary, so "
            "that no model can know it.",
            "An entry is counted under the first reason that applies; Words: distinct words of the "
            "part; Queries: those with a translation among the candidates.",
        ],
    )


def coverage_notes(coverage: pd.DataFrame) -> list[str]:
    """Say above the scores how much of the dictionaries they cover."""
    there = coverage[coverage["file"] != ""]
    none = [direction(*_pair(row)) for row in coverage[coverage["file"] == ""].to_dict("records")]
    shares = [
        f"{direction(*_pair(row))} {count_cell(row['queries'])} of {count_cell(row['words'])}"
        for row in there.to_dict("records")
    ]
    return [
        *_said("Queries, of the words that the dictionary has: ", shares),
        *_said("No dictionary for ", none),
    ]


def _said(what: str, found: Sequence[str]) -> list[str]:
    return [f"{what}{', '.join(found)}."] if found else []


def _pair(row: dict) -> tuple[str, str]:
    return row["query"], row["target"]


def _row(row: dict) -> list[str]:
    if not row["file"]:
        return [direction(*_pair(row)), *[MISSING] * len(HEADINGS), "none"]
    file = f"{row['file']}, inverted" if row["inverted"] else row["file"]
    return [direction(*_pair(row)), *(count_cell(row[name]) for name in HEADINGS), file]
