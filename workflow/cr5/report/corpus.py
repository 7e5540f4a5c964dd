"""What the corpus holds: per language, and per pair of languages."""

from collections.abc import Mapping

import pandas as pd

from cr5.report.frames import check_columns, check_unique
from cr5.report.markup import MISSING
from cr5.report.names import setting_kind
from cr5.report.table import Table
from cr5.report.table1 import count_cell

HEADINGS = {
    "language": "Language",
    "documents": "Documents",
    "kept_documents": "Kept",
    "tokens": "Tokens",
    "distinct_words": "Distinct words",
    "words": "Vocabulary",
    "mean_unique_words": "Unique words per document",
    "nonzeros": "Nonzeros",
    "pages": "Pages",
    "paragraphs": "Paragraphs",
    "kept": "Paragraphs kept",
    "dropped": "Paragraphs dropped",
    "apart": "Paragraphs put apart",
}
PARAGRAPHS = ["language", "pages", "paragraphs", "kept", "dropped", "apart"]
STATISTICS = [name for name in HEADINGS if name not in PARAGRAPHS[1:]]
OPTIONAL = ["distinct_words"]
PAIRS = ["query", "target", "concepts", "train", "validation", "test"]


def language_table(
    statistics: pd.DataFrame, corpus: str, paragraphs: pd.DataFrame | None = None
) -> Table:
    """Lay out the statistics of each language, in the order given.

    Args:
        statistics: a row per language, with `STATISTICS` (those in `OPTIONAL` may be missing).
        corpus: name of the corpus.
        paragraphs: a row per language, with `PARAGRAPHS`, where documents are made of them.

    Raises:
        UserError: a column or all rows are missing, or a language is there twice.
    """
    required = [name for name in STATISTICS if name not in OPTIONAL]
    check_columns(statistics, required, "corpus statistics")
    check_unique(statistics, ["language"], "corpus statistics")
    data = statistics[[name for name in STATISTICS if name in statistics.columns]]
    notes = []
    if paragraphs is not None:
        notes = ["Paragraphs dropped: left in English; put apart: kept in another language only."]
        check_columns(paragraphs, PARAGRAPHS, "paragraphs")
        check_unique(paragraphs, ["language"], "paragraphs")
        data = data.merge(paragraphs[PARAGRAPHS], on="language", how="left")
        # a language without paragraphs must not turn the counts into floats
        data = data.astype(dict.fromkeys(PARAGRAPHS[1:], "Int64"))
    columns = [_cells(data[name]) for name in data.columns]
    return Table(
        title=f"Corpus {corpus}: languages",
        header=[HEADINGS[name] for name in data.columns],
        align="l" + "r" * (len(columns) - 1),
        blocks=[("", [list(row) for row in zip(*columns, strict=True)])],
        data=data,
        notes=["Kept: documents whose number of unique words is within the limits.", *notes],
    )


def pair_table(pairs: Mapping[str, pd.DataFrame], corpus: str) -> Table:
    """Lay out the concepts that two languages share, and where each setting puts them.

    Args:
        pairs: per setting a frame with a row per unordered pair, with `PAIRS`.
        corpus: name of the corpus.

    Raises:
        UserError: a column or all rows are missing, or a pair is there twice.
    """
    for setting, frame in pairs.items():
        check_columns(frame, PAIRS, f"pairs of {setting}")
        check_unique(frame, PAIRS[:2], f"pairs of {setting}")
    data = pd.concat([frame[PAIRS].assign(setting=setting) for setting, frame in pairs.items()])
    data = data[["setting", *PAIRS]].reset_index(drop=True)
    names = [
        f"{query}–{target}" for query, target in zip(data["query"], data["target"], strict=True)
    ]
    kinds = [setting_kind(setting) for setting in data["setting"]]
    columns = [names, kinds, *[_cells(data[name]) for name in PAIRS[2:]]]
    return Table(
        title=f"Corpus {corpus}: concepts shared by two languages",
        header=["Pair", "Setting", *[name.capitalize() for name in PAIRS[2:]]],
        align="ll" + "r" * (len(columns) - 2),
        blocks=[("", [list(row) for row in zip(*columns, strict=True)])],
        data=data,
        notes=["Train: concepts of both languages that train; Test: queries of the pair."],
    )


def _cells(column: pd.Series) -> list[str]:
    if not pd.api.types.is_numeric_dtype(column):
        return [MISSING if pd.isna(value) else str(value) for value in column]
    if column.name.startswith("mean_"):
        return [MISSING if pd.isna(value) else f"{value:.1f}" for value in column]
    return [count_cell(value) for value in column]
