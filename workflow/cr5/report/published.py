"""Published figures beside ours, as a paper's configuration names them (`published:`).

A verdict has two sides. There is none where a run has fewer candidates than the paper, or other
numbers of training concepts. An absent figure is missing, not zero.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.scores.summary import ALL, FIGURES

PRINTED = Path(__file__).with_name("published_figures.csv")
# Ours, of the papers' metrics; their P@k is Success@k, as one document suffices.
NAMES = {"accuracy": "Success@1", "MRR": "RR", "MAP": "AP"}
DOCUMENTS = "docs_in_intersection"
FRACTIONS = ("OPCA", "XCNN")  # papers that print fractions; others print percent
BOTH = ("avg_both", "unstated")  # means over both directions, and XCNN's Table 1
KEYS = ["system", "query", "target", "similarity", "metric"]
COLUMNS = [
    *["paper", "table", "row", "system", "setting", "task", "query", "target", "similarity"],
    *["metric", "published", "ours", "ci_low", "ci_high", "difference", "tolerance"],
    *["n_queries", "n_candidates", "concepts", "verdict"],
]


@cache
def figures() -> pd.DataFrame:
    """All figures as printed, but those that the Cr5 paper quotes in the right direction.

    Its Tables 3 and 4 have Conneau et al.'s Tables 3 and 2 with the two languages interchanged, as
    Table 3 of the RCSLS paper shows, which has the same figures.
    """
    found = pd.read_csv(PRINTED, dtype={"table": str})
    is_quoted = (found["paper"] == "Cr5") & found["table"].isin(["3", "4"])
    is_quoted &= found["row_system"] != "Cr5"
    pair = ["query_lang", "target_lang"]
    found.loc[is_quoted, pair] = found.loc[is_quoted, pair[::-1]].to_numpy()
    return found


def cells(entry: Mapping[str, Any]) -> pd.DataFrame:
    """Figures of an entry, in percent or numbers of documents, by our names of metrics.

    Averages over more than two directions are left out, as each direction is published too.
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
            "metric": of["metric"].replace(NAMES).str.replace("P@", "Success@"),
            "published": (of["value"] * scale).round(6),
        }
    )


def compared(
    entries: Sequence[Mapping[str, Any]], scores: pd.DataFrame, pairs: pd.DataFrame
) -> pd.DataFrame:
    """Compare our scores of all repetitions with published ones: `COLUMNS`, in percent.

    Numbers of documents are compared with those of training concepts (`train`) of the pairs.
    """
    frames = [_compared(entry, scores, training_concepts(pairs)) for entry in entries]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=COLUMNS)


def beside(scores: pd.DataFrame, compared: pd.DataFrame) -> pd.DataFrame:
    """Add `published` to scores, a fraction; nan where no paper has the figure."""
    keys = ["setting", "task", *KEYS]
    figures = compared[compared["metric"] != DOCUMENTS].drop_duplicates(keys)
    figures = figures.assign(published=figures["published"].astype(float) / 100)
    return scores.merge(figures[[*keys, "published"]], "left", keys)


def training_concepts(pairs: pd.DataFrame) -> pd.DataFrame:
    """Setting, query, target and concepts (means over repetitions), both ways."""
    found = pairs.groupby(["setting", "query", "target"], as_index=False)["train"].mean()
    turned = found.rename(columns={"query": "target", "target": "query"})
    return pd.concat([found, turned]).rename(columns={"train": "concepts"})


def _compared(entry: Mapping, scores: pd.DataFrame, train: pd.DataFrame) -> pd.DataFrame:
    ours = scores[(scores["series"] == entry["setting"]) & (scores["task"] == entry["task"])]
    both = cells(entry).merge(ours, "left", KEYS).fillna({x: entry[x] for x in ("setting", "task")})
    both[FIGURES] *= 100
    trained = train[train["setting"].isin(ours["setting"])]
    of_pair = trained.groupby(["query", "target"], as_index=False)["concepts"].max()
    both = both.merge(of_pair, "left", ["query", "target"])
    # of both directions, and of a search within one language
    alone = both["query"] == both["target"]
    both["concepts"] = both["concepts"].mask(alone, of_pair["concepts"].max())
    counted = both["metric"] == DOCUMENTS
    both["ours"] = both["value"].mask(counted, both["concepts"])
    both["difference"] = (both["ours"] - both["published"]).round(6)
    both["tolerance"] = pd.Series(entry.get("tolerance"), both.index, float).mask(counted)
    wanted = entry.get("concepts")
    verdicts = {
        "missing": both["ours"].isna(),
        "fewer candidates": both["n_candidates"] < entry["candidates"],
        "other training concepts": ~both["concepts"].between(*wanted) if wanted else False,
        "not judged": both["tolerance"].isna(),
        "equal": both["difference"].abs() <= both["tolerance"],
        "higher": both["difference"] > 0,
    }
    both["verdict"] = np.select(list(verdicts.values()), list(verdicts), "lower")
    return both[COLUMNS]
