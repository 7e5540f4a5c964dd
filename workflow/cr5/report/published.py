"""Published figures beside ours, as a paper's configuration names them (`published:`).

A verdict has two sides: equal within the tolerance, higher or lower. There is none where a run has
fewer candidates than the paper, or other numbers of training concepts. An absent figure is missing,
not zero.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.scores.summary import ALL

FIGURES = Path(__file__).with_name("published_figures.csv")
NAMES = {"accuracy": "Success@1", "MRR": "RR", "MAP": "AP"}  # ours, of the papers' metrics
DOCUMENTS = "docs_in_intersection"
FRACTIONS = ("OPCA", "XCNN")  # papers that print fractions; others print percent
BOTH = ("avg_both", "unstated")  # means over both directions, and XCNN's Table 1
MISSING, UNJUDGED = "missing", "not judged"
FEW, OTHERS = "fewer candidates", "other training concepts"
KEYS = ["setting", "series", "system", "task", "query", "target", "similarity", "metric"]
OURS = ["value", "ci_low", "ci_high", "n_queries", "n_candidates"]
COLUMNS = [
    *["paper", "table", "row", "system", "setting", "task", "query", "target", "similarity"],
    *["metric", "published", "ours", "ci_low", "ci_high", "difference", "tolerance"],
    *["n_queries", "n_candidates", "concepts", "verdict"],
]


def our_name(metric: str) -> str:
    """Return our name of a paper's metric: their P@k is Success@k, as one document suffices."""
    return NAMES.get(metric) or metric.replace("P@", "Success@")


@cache
def figures() -> pd.DataFrame:
    """Read all figures as printed, but those that the Cr5 paper quotes in the right direction.

    Its Tables 3 and 4 have Conneau et al.'s Tables 3 and 2 with the two languages interchanged, as
    Table 3 of the RCSLS paper shows, which has the same figures.
    """
    found = pd.read_csv(FIGURES, dtype={"table": str})
    is_quoted = (found["paper"] == "Cr5") & found["table"].isin(["3", "4"])
    is_quoted &= found["row_system"] != "Cr5"
    pair = ["query_lang", "target_lang"]
    found.loc[is_quoted, pair] = found.loc[is_quoted, pair[::-1]].to_numpy()
    return found


def cells(entry: Mapping[str, Any]) -> pd.DataFrame:
    """Return the published figures of an entry, in percent or numbers of documents.

    Averages over more than two directions are left out, as each direction is published too.

    Args:
        entry: see `PublishedOptions`.

    Returns:
        paper, table, row, system, query, target, similarity, metric (ours) and published.

    Raises:
        UserError: the table has no such row.
    """
    of = figures()[(figures()["paper"] == entry["paper"]) & (figures()["table"] == entry["table"])]
    if unknown := [row for row in entry["rows"] if row not in set(of["row_system"])]:
        known = ", ".join(sorted(set(of["row_system"]))) or "none"
        raise UserError(
            f"published: {entry['paper']}, table {entry['table']} has no row {unknown[0]!r}; "
            f"there: {known}"
        )
    of = of[of["row_system"].isin(entry["rows"])]
    both = of["query_lang"].isin(BOTH)
    of = of[both | ~of["query_lang"].str.startswith("avg", na=False)]
    scale = 100 if entry["paper"] in FRACTIONS else 1
    return pd.DataFrame(
        {
            "paper": of["paper"],
            "table": of["table"],
            "row": of["row_system"],
            "system": of["row_system"].map(entry["rows"]),
            "query": of["query_lang"].where(~both, ALL),
            "target": of["target_lang"].where(~both, ALL),
            "similarity": entry.get("measure") or of["similarity"].fillna(""),
            "metric": of["metric"].map(our_name),
            "published": (of["value"] * scale).round(6),
        }
    )


def compared(
    entries: Sequence[Mapping[str, Any]],
    scores: pd.DataFrame,
    pairs: pd.DataFrame,
) -> pd.DataFrame:
    """Compare this run's figures with the published ones.

    Args:
        entries: see `PublishedOptions`.
        scores: see `scores.summary.scores`; of all repetitions.
        pairs: setting, query, target and train: numbers of training concepts.

    Returns:
        `COLUMNS`; figures are percent, or numbers of documents.
    """
    train = training_concepts(pairs)
    frames = [_compared(entry, scores[[*KEYS, *OURS]], train) for entry in entries]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=COLUMNS)


def training_concepts(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return setting, query, target and concepts (means over repetitions), both ways."""
    found = pairs.groupby(["setting", "query", "target"], as_index=False)["train"].mean()
    turned = found.rename(columns={"query": "target", "target": "query"})
    return pd.concat([found, turned]).rename(columns={"train": "concepts"})


def _compared(entry: Mapping, ours: pd.DataFrame, train: pd.DataFrame) -> pd.DataFrame:
    of = ours[(ours["series"] == entry["setting"]) & (ours["task"] == entry["task"])]
    percent = of.assign(**{x: 100 * of[x] for x in OURS[:3]}).drop(columns=["series", "task"])
    both = cells(entry).merge(percent, "left", ["system", *KEYS[4:]])
    settings = of[["setting"]].drop_duplicates()
    trained = train.merge(settings) if len(settings) else train[:0]
    of_pair = trained.groupby(["query", "target"])["concepts"].max().to_dict()
    if of_pair:
        of_pair[ALL, ALL] = max(of_pair.values())
    pairs = zip(both["query"], both["target"], strict=True)
    both["concepts"] = [of_pair.get(pair, _alone(pair, of_pair)) for pair in pairs]
    both["value"] = both["value"].where(both["metric"] != DOCUMENTS, both["concepts"])
    both = both.rename(columns={"value": "ours"}).assign(task=entry["task"])
    both["setting"] = both["setting"].fillna(entry["setting"])
    both["difference"] = (both["ours"] - both["published"]).round(6)
    both["tolerance"] = entry.get("tolerance")
    both.loc[both["metric"] == DOCUMENTS, "tolerance"] = None
    both["verdict"] = [_verdict(row, entry) for row in both.to_dict("records")]
    return both[COLUMNS].astype({"tolerance": float})


def _alone(pair: tuple[str, str], of_pair: Mapping) -> float:
    """Return the number of a search within one language, where only one pair trains."""
    return max(of_pair.values(), default=np.nan) if pair[0] == pair[1] else np.nan


def _verdict(row: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    if pd.isna(row["ours"]):
        return MISSING
    if row["n_candidates"] < entry.get("candidates", 1):
        return FEW
    least, most = entry.get("concepts") or (0, np.inf)
    if not least <= row["concepts"] <= most and entry.get("concepts"):
        return OTHERS
    if pd.isna(row["tolerance"]):
        return UNJUDGED
    if abs(row["difference"]) <= row["tolerance"]:
        return "equal"
    return "higher" if row["difference"] > 0 else "lower"
