"""The content of the corpus, per language and per pair of languages."""

from collections.abc import Mapping

import pandas as pd

from cr5.report import notes
from cr5.report.frames import labelled
from cr5.report.markup import MISSING, count_cell
from cr5.report.names import direction_order
from cr5.report.table import Table

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
UNSEARCHED = "Pairs without validation and test train in a setting but are not searched."
COUNTS = ["concepts", "train", "validation", "test"]
PAIRS = ["setting", "series", "kind", "repetition", "query", "target", *COUNTS]


def language_table(
    statistics: pd.DataFrame, corpus: str, paragraphs: pd.DataFrame | None = None
) -> Table:
    """Lay out the statistics of each language, in the order given.

    Args:
        statistics: a row per language, with `STATISTICS` (distinct_words may be missing);
            `unique_words` and `suggested_unique_words`, if known, are the [least, most] used and
            the [least, most] that would keep 90 % of the documents.
        corpus: name of the corpus.
        paragraphs: a row per language, with `PARAGRAPHS`, if documents are made of them.
    """
    data = statistics[[name for name in STATISTICS if name in statistics.columns]]
    notes = []
    if paragraphs is not None:
        notes = ["Paragraphs dropped: left in English; put apart: kept in another language only."]
        data = data.merge(paragraphs[PARAGRAPHS], on="language", how="left")
        # a language without paragraphs must not turn counts into floats
        data = data.astype(dict.fromkeys(PARAGRAPHS[1:], "Int64"))
    columns = [_cells(data[name]) for name in data.columns]
    return Table(
        title=f"Corpus {corpus}: languages",
        header=[HEADINGS[name] for name in data.columns],
        align="l" + "r" * (len(columns) - 1),
        blocks=[("", [list(row) for row in zip(*columns, strict=True)])],
        data=data,
        notes=[*_language_notes(statistics), *notes],
    )


def pair_table(pairs: pd.DataFrame, corpus: str) -> Table:
    """Lay out the concepts that two languages share, and how each setting uses them.

    Args:
        pairs: a row per setting, repetition and unordered pair, with `PAIRS`. Means over
            repetitions are printed; the CSV file has all repetitions.
        corpus: name of the corpus.

    Raises:
        UserError: a pair is repeated.
    """
    means = _means(pairs)
    columns = [_cells(means[name]) for name in ["pair", "label", *COUNTS]]
    return Table(
        title=f"Corpus {corpus}: concepts shared by two languages",
        header=["Pair", "Setting", *[name.capitalize() for name in COUNTS]],
        align="ll" + "r" * len(COUNTS),
        blocks=[("", [list(row) for row in zip(*columns, strict=True)])],
        data=pairs[PAIRS].astype(dict.fromkeys(COUNTS, "Int64")),
        notes=_pair_notes(means, pairs["repetition"].nunique()),
    )


def _means(pairs: pd.DataFrame) -> pd.DataFrame:
    """Average over repetitions: pair, label and `COUNTS`, sorted by label and direction."""
    place = ["query", "target"]
    found = labelled(pairs, place, ["repetition"], "pairs")
    means = found.groupby(["label", *place], sort=False)[COUNTS].mean().reset_index()
    labels = list(means["label"].unique())
    keys = list(zip(means["label"], means["query"], means["target"], strict=True))
    order = [(labels.index(label), *direction_order(pair)) for label, *pair in keys]
    means = means.assign(pair=[f"{query}–{target}" for _, query, target in keys])
    return means.iloc[sorted(range(len(means)), key=order.__getitem__)]


def _pair_notes(means: pd.DataFrame, repetitions: int) -> list[str]:
    tested = means.groupby("pair")["test"].min()  # empty if tasks have queries of their own
    return [
        "Train: concepts that train in both languages; Test: queries of the pair.",
        *([UNSEARCHED] if means["test"].isna().any() else []),
        *([f"Means over {repetitions} repetitions."] if repetitions > 1 else []),
        *(notes.few_queries(tested, notes.MORE_DOCUMENTS) if tested.any() else []),
    ]


def _language_notes(statistics: pd.DataFrame) -> list[str]:
    limits = statistics.get("unique_words", pd.Series()).dropna().map(tuple).unique()
    which = ", {} to {}".format(*map(count_cell, limits[0])) if len(limits) == 1 else ""
    few = statistics["kept_documents"] < statistics["documents"] / 2
    few &= statistics.get("suggested_unique_words", pd.Series(index=few.index)).notna()
    return [
        f"Kept: documents with a number of unique words within the limits{which}.",
        *map(_keeps_few, statistics[few].to_dict("records")),
    ]


def _keeps_few(language: Mapping) -> str:
    kept, documents = count_cell(language["kept_documents"]), count_cell(language["documents"])
    least, most = language["suggested_unique_words"]
    return (
        f"{language['language']} keeps {kept} of {documents} documents: "
        f"bags.unique_words: [{least}, {most}] would keep 90 % of them."
    )


def _cells(column: pd.Series) -> list[str]:
    if not pd.api.types.is_numeric_dtype(column):
        return [MISSING if pd.isna(value) else str(value) for value in column]
    if column.name.startswith("mean_"):
        return [MISSING if pd.isna(value) else f"{value:.1f}" for value in column]
    return [count_cell(value) for value in column]
