"""Published figures beside ours, as a paper's configuration names them (`published:`).

A verdict has two sides, and a tolerance that follows from the figure and its numbers of queries
(`report.tolerance`). There is none where a run has fewer candidates than the paper, other numbers
of training concepts, or other options than the paper states. An absent figure is missing, not zero.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.report.tolerance import tolerances
from cr5.scores.summary import ALL, FIGURES

PRINTED = Path(__file__).with_name("published_figures.csv")
# Ours, of the papers' metrics; their P@k is Success@k, as one document suffices.
NAMES = {"accuracy": "Success@1", "MRR": "RR", "MAP": "AP"}
DOCUMENTS = "docs_in_intersection"
FRACTIONS = ("OPCA", "XCNN")  # papers that print fractions; others print percent
# Figures without a direction of their own; other averages are over the directions of their row.
BOTH = ("avg_both", "unstated")
AVERAGE = "avg"  # their names begin so
# Numbers of documents are rounded to thousands. Training sets within a tenth of them are the same.
ROUNDED, ABOUT = 500, 0.1
AVERAGED = ["system", "similarity", "metric"]
KEYS = ["system", "query", "target", "similarity", "metric"]
COLUMNS = [
    *["paper", "table", "row", "system", "setting", "task", "query", "target", "similarity"],
    *["metric", "published", "ours", "ci_low", "ci_high", "difference", "tolerance"],
    *["n_queries", "n_candidates", "concepts", "verdict"],
]


@cache
def figures() -> pd.DataFrame:
    """All figures as printed, but those that the Cr5 paper quotes in the right direction.

    Its Tables 3 and 4 have Conneau et al.'s Tables 3 and 2 with the two languages interchanged. Of
    words Table 3 of the RCSLS paper shows it, which has the same figures; of sentences nothing
    does, they are turned because they are quoted from the same paper.
    """
    found = pd.read_csv(PRINTED, dtype={"table": str, "value": str})
    n_decimals = found["value"].str.partition(".")[2].str.len()
    found["half_digit"] = 0.5 * 10.0**-n_decimals
    found["value"] = found["value"].astype(float)
    is_quoted = (found["paper"] == "Cr5") & found["table"].isin(["3", "4"])
    is_quoted &= found["row_system"] != "Cr5"
    pair = ["query_lang", "target_lang"]
    found.loc[is_quoted, pair] = found.loc[is_quoted, pair[::-1]].to_numpy()
    return found


def cells(entry: Mapping[str, Any]) -> pd.DataFrame:
    """Figures of an entry, in percent or numbers of documents, by our names of metrics.

    `averaged` is the number of directions that a figure is over, of which each has its own queries.
    """
    of = figures()[(figures()["paper"] == entry["paper"]) & (figures()["table"] == entry["table"])]
    if unknown := [row for row in entry["rows"] if row not in set(of["row_system"])]:
        known = ", ".join(sorted(set(of["row_system"]))) or "none"
        raise UserError(
            f"published: {entry['paper']}, table {entry['table']} has no row {unknown[0]!r}; "
            f"there: {known}"
        )
    of = of[of["row_system"].isin(entry["rows"])]
    query, target = entry.get("direction") or (ALL, ALL)
    both = of["query_lang"].isin(BOTH)
    scale = 100 if entry["paper"] in FRACTIONS else 1
    found = pd.DataFrame(
        {
            "paper": of["paper"],
            "table": of["table"],
            "row": of["row_system"],
            "system": of["row_system"].map(entry["rows"]),
            "query": of["query_lang"].mask(both, query),
            "target": of["target_lang"].mask(both, target),
            "similarity": entry.get("measure") or of["similarity"].fillna(""),
            "metric": of["metric"].replace(NAMES).str.replace("P@", "Success@"),
            "published": (of["value"] * scale).round(6),
            "half_digit": of["half_digit"] * scale,
        }
    )
    averages = found["query"].str.startswith(AVERAGE)
    n_directions = found[~averages].groupby(AVERAGED).size().rename("n")
    counted = found[AVERAGED].join(n_directions, on=AVERAGED)["n"]
    return found.assign(averaged=counted.where(averages, 1))


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
    printed = cells(entry)
    found = pd.concat([ours, _averages(printed, ours)])
    both = printed.merge(found, "left", KEYS).fillna({x: entry[x] for x in ("setting", "task")})
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
    judged = both[~counted]
    queries, candidates = judged["n_queries"], judged["n_candidates"]
    both["tolerance"] = tolerances(judged, entry, queries, candidates).reindex(both.index)
    both["verdict"] = _verdicts(entry, both)
    return both[COLUMNS]


def _verdicts(entry: Mapping, both: pd.DataFrame) -> np.ndarray:
    """The first of these that holds, in this order."""
    least, most = _sizes(entry, both)
    verdicts = {
        "missing": both["ours"].isna(),
        "fewer candidates": both["n_candidates"] < entry["candidates"],
        "other training concepts": least.notna() & ~both["concepts"].between(least, most),
        "other options": [_departs(entry, x) for x in both["system"]],
        "not judged": both["tolerance"].isna(),
        "equal": both["difference"].abs() <= both["tolerance"],
        "higher": both["difference"] > 0,
    }
    return np.select(list(verdicts.values()), list(verdicts), "lower")


def _averages(printed: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Our means over the directions that a printed average is over; nan if one is missing.

    They have no interval, and as many queries as all these directions together.
    """
    is_average = printed["query"].str.startswith(AVERAGE)
    directions = printed[~is_average].merge(ours, "left", KEYS)
    columns = [*AVERAGED, "setting", "task", "value", "n_queries", "n_candidates"]
    groups = directions[columns].groupby(AVERAGED)
    means = groups.agg(
        setting=("setting", "first"),
        task=("task", "first"),
        value=("value", lambda values: values.mean(skipna=False)),
        n_queries=("n_queries", "sum"),
        n_candidates=("n_candidates", "min"),
    )
    return printed.loc[is_average, KEYS].join(means, on=AVERAGED)


def _sizes(entry: Mapping, both: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Least and most training concepts of each figure: as given, or about as printed for its pair.

    A pair's number is printed once for both directions. Nan where nothing is known.
    """
    if "concepts" in entry:
        least, most = entry["concepts"]
        return pd.Series(least, both.index, float), pd.Series(most, both.index, float)
    printed = both.loc[both["metric"] == DOCUMENTS, ["system", "query", "target", "published"]]
    turned = printed.rename(columns={"query": "target", "target": "query"})
    sizes = pd.concat([printed, turned]).set_index(["system", "query", "target"])["published"]
    found = both[["system", "query", "target"]].join(sizes, on=["system", "query", "target"])
    size = found["published"]
    return (1 - ABOUT) * size - ROUNDED, (1 + ABOUT) * size + ROUNDED


def _departs(entry: Mapping, system: str) -> bool:
    """Whether an option that the paper states has another value, for a system and the task."""
    of_figure = {"systems": system, "tasks": entry["task"]}
    for place in entry.get("departures", ()):
        section, _, within = place.partition(".")
        name = within.partition(".")[0]
        if of_figure.get(section, name) == name:
            return True
    return False
