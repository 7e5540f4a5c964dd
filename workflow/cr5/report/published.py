"""Figures printed in Tables 1, 3 and 4 of the Cr5 paper.

Source: Josifoski et al., "Crosslingual Document Embedding as Reduced-Rank Ridge Regression",
WSDM 2019, Table 1 (a) AdvRefine, (b) Cr5 joint, (c) Cr5 pairwise, (d) low-resource, (e)
transitive; Table 3, sentences, and Table 4, words of it and en.
"""

from functools import cache
from pathlib import Path

import pandas as pd

FIGURES = Path(__file__).with_name("published_figures.csv")

# Suffix of a row's label, by task: Tables 3 and 4 share labels with Table 1.
TASKS = {
    "document_retrieval": "",
    "sentence_retrieval": ", sentences",
    "word_retrieval": ", words",
}
NAMES = {"accuracy": "Success@1", "MRR": "RR", "MAP": "AP"}  # ours, of the papers' metrics
KEYS = ["published_row", "query", "target", "similarity", "metric"]


def add_published(scores: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of `scores` with a column `published` of fractions, or NaN.

    Args:
        scores: with `KEYS`; `published_row` is the comparable row of the paper's table, see
            `plan.paper.rows`, or empty.
    """
    figures = table_figures().reindex(pd.MultiIndex.from_frame(scores[KEYS]))
    return scores.assign(published=figures.to_numpy())


def our_name(metric: str) -> str:
    """Return our name of a paper's metric: their P@k is Success@k, as one document suffices."""
    return NAMES.get(metric) or metric.replace("P@", "Success@")


@cache
def figures() -> pd.DataFrame:
    """Read all figures as printed, but those that the Cr5 paper quotes in the right direction.

    Its Tables 3 and 4 have Conneau et al.'s Tables 3 and 2 with the two languages interchanged, as
    Table 3 of the RCSLS paper shows, which has the same figures.
    """
    found = pd.read_csv(FIGURES)
    is_quoted = (found["paper"] == "Cr5") & found["table"].isin(["3", "4"])
    is_quoted &= found["row_system"] != "Cr5"
    pair = ["query_lang", "target_lang"]
    found.loc[is_quoted, pair] = found.loc[is_quoted, pair[::-1]].to_numpy()
    return found


@cache
def table_figures() -> pd.Series:
    """Read Tables 1, 3 and 4 of the paper: fractions, indexed by `KEYS`."""
    every = figures()
    rows = every[
        (every["paper"] == "Cr5")
        & every["task"].isin(TASKS)
        & every["metric"].str.startswith("P@")
        & every["table"].str.match("1|3|4")
        & (every["similarity"] != "unstated")
    ]
    labels = rows["row_system"] + rows["task"].map(TASKS)
    rows = rows.assign(row_system=labels, metric=rows["metric"].map(our_name))
    names = {"row_system": "published_row", "query_lang": "query", "target_lang": "target"}
    rows = rows.rename(columns=names)
    # printed with one decimal in percent: three decimals as a fraction, exactly
    return (rows.set_index(KEYS)["value"] / 100).round(3)
