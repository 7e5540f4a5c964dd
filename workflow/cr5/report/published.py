"""Published figures beside ours, as a paper's configuration names them (`published:`).

A verdict has two sides, and a tolerance that follows from the figure and its numbers of queries
(`report.tolerance`). There is none where a run has fewer candidates than the paper, other numbers
of training concepts, or other options than the paper states. An absent figure is missing, not zero.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.report.options import Comparison
from cr5.report.tolerance import tolerances
from cr5.scores.ranks import DIRECTION
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
ROUNDED = 500
ABOUT = 0.1
AVERAGED = ["system", "similarity", "metric"]
KEYS = ["system", *DIRECTION, "similarity", "metric"]
COLUMNS = ["paper", "table", "row", "system", "setting", "task", *DIRECTION, "similarity", "metric"]
COLUMNS += ["published", "ours", "ci_low", "ci_high", "difference", "tolerance"]
COLUMNS += ["n_queries", "n_candidates", "concepts", "verdict"]


@cache
def figures() -> pd.DataFrame:
    """Read all figures as printed (published_figures.md), and half of the last digit of each."""
    table = pd.read_csv(PRINTED, dtype={"table": str, "value": str})
    n_decimals = table["value"].str.partition(".")[2].str.len()
    return table.assign(half_digit=0.5 * 10.0**-n_decimals, value=table["value"].astype(float))


def cells(entry: Comparison) -> pd.DataFrame:
    """Return figures of a table, in percent or numbers of documents, by our names of metrics.

    `averaged` is the number of directions that a figure is over, of which each has its own queries.
    """
    rows = _rows(entry)
    query_language, target_language = entry.direction or (ALL, ALL)
    is_both = rows["query_lang"].isin(BOTH)
    scale = 100 if entry.paper in FRACTIONS else 1
    printed = pd.DataFrame(
        {
            "paper": rows["paper"],
            "table": rows["table"],
            "row": rows["row_system"],
            "system": rows["row_system"].map(entry.rows),
            "query_language": rows["query_lang"].mask(is_both, query_language),
            "target_language": rows["target_lang"].mask(is_both, target_language),
            "similarity": entry.measure or rows["similarity"].fillna(""),
            "metric": rows["metric"].replace(NAMES).str.replace("P@", "Success@"),
            "published": (rows["value"] * scale).round(6),
            "half_digit": rows["half_digit"] * scale,
        }
    )
    is_average = printed["query_language"].str.startswith(AVERAGE)
    n_directions = printed[~is_average].groupby(AVERAGED).size().rename("n")
    n_averaged = printed[AVERAGED].join(n_directions, on=AVERAGED)["n"]
    return printed.assign(averaged=n_averaged.where(is_average, 1))


def _rows(entry: Comparison) -> pd.DataFrame:
    """Return what is printed in the rows that an entry names; UserError if one is not there."""
    printed = figures()
    is_of_table = (printed["paper"] == entry.paper) & (printed["table"] == entry.table)
    of_table = printed[is_of_table]
    labels = set(of_table["row_system"])
    for label in entry.rows:
        if label not in labels:
            known = ", ".join(sorted(labels)) or "none"
            raise UserError(
                f"published: {entry.paper}, table {entry.table} has no row {label!r}; "
                f"there: {known}"
            )
    return of_table[of_table["row_system"].isin(entry.rows)]


def compared(
    entries: Sequence[Comparison], scores: pd.DataFrame, pairs: pd.DataFrame
) -> pd.DataFrame:
    """Compare our scores of all repetitions with published ones: `COLUMNS`, in percent.

    Numbers of documents are compared with those of training concepts (`train`) of the pairs.
    """
    if not entries:
        return pd.DataFrame(columns=COLUMNS)
    concepts = training_concepts(pairs)
    frames = [_compared(entry, scores, concepts) for entry in entries]
    return pd.concat(frames, ignore_index=True)


def beside(scores: pd.DataFrame, compared: pd.DataFrame) -> pd.DataFrame:
    """Add `published` to scores, a fraction; nan where no paper has the figure."""
    keys = ["setting", "task", *KEYS]
    printed = compared[compared["metric"] != DOCUMENTS].drop_duplicates(keys)
    printed = printed.assign(published=printed["published"].astype(float) / 100)
    return scores.merge(printed[[*keys, "published"]], "left", keys)


def training_concepts(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return setting, direction and concepts (means over repetitions), both ways."""
    means = pairs.groupby(["setting", *DIRECTION], as_index=False)["train"].mean()
    return pd.concat([means, _turned(means)]).rename(columns={"train": "concepts"})


def _turned(frame: pd.DataFrame) -> pd.DataFrame:
    """Interchange the languages of each direction."""
    query_language, target_language = DIRECTION
    return frame.rename(columns={query_language: target_language, target_language: query_language})


def _compared(entry: Comparison, scores: pd.DataFrame, concepts: pd.DataFrame) -> pd.DataFrame:
    """Compare one table: `COLUMNS`."""
    is_ours = (scores["series"] == entry.setting) & (scores["task"] == entry.task)
    ours = scores[is_ours]
    printed = cells(entry)
    with_averages = pd.concat([ours, _averages(printed, ours)])
    joined = printed.merge(with_averages, "left", KEYS)
    joined = joined.fillna({"setting": entry.setting, "task": entry.task})
    joined[FIGURES] *= 100
    of_settings = concepts[concepts["setting"].isin(ours["setting"])]
    joined["concepts"] = _concepts(joined, of_settings)
    is_count = joined["metric"] == DOCUMENTS
    joined["ours"] = joined["value"].mask(is_count, joined["concepts"])
    joined["difference"] = (joined["ours"] - joined["published"]).round(6)
    judged = joined[~is_count]
    tolerance = tolerances(judged, entry, judged["n_queries"], judged["n_candidates"])
    joined["tolerance"] = tolerance.reindex(joined.index)
    joined["verdict"] = _verdicts(entry, joined)
    return joined[COLUMNS]


def _concepts(joined: pd.DataFrame, concepts: pd.DataFrame) -> pd.Series:
    """Training concepts of each figure: of its pair, or the most of any for all directions."""
    of_pair = concepts.groupby(DIRECTION, as_index=False)["concepts"].max()
    merged = joined[DIRECTION].merge(of_pair, "left", DIRECTION)["concepts"]
    # of both directions, and of a search within one language
    has_no_pair = joined["query_language"] == joined["target_language"]
    return merged.mask(has_no_pair, of_pair["concepts"].max())


def _verdicts(entry: Comparison, joined: pd.DataFrame) -> np.ndarray:
    """The first of these that holds, in this order."""
    smallest, largest = _sizes(entry, joined)
    verdicts = {
        "missing": joined["ours"].isna(),
        "fewer candidates": joined["n_candidates"] < entry.candidates,
        "other training concepts": smallest.notna()
        & ~joined["concepts"].between(smallest, largest),
        "other options": [_departs(entry, system) for system in joined["system"]],
        "not judged": joined["tolerance"].isna(),
        "equal": joined["difference"].abs() <= joined["tolerance"],
        "higher": joined["difference"] > 0,
    }
    return np.select(list(verdicts.values()), list(verdicts), "lower")


def _averages(printed: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Our means over the directions that a printed average is over; nan if one is missing.

    They have no interval, and as many queries as all these directions together.
    """
    is_average = printed["query_language"].str.startswith(AVERAGE)
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


def _sizes(entry: Comparison, joined: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Least and most training concepts of each figure: as given, or about as printed for its pair.

    A pair's number is printed once for both directions. Nan where nothing is known.
    """
    if entry.concepts is not None:
        smallest, largest = entry.concepts
        return pd.Series(smallest, joined.index, float), pd.Series(largest, joined.index, float)
    pair = ["system", *DIRECTION]
    printed = joined.loc[joined["metric"] == DOCUMENTS, [*pair, "published"]]
    sizes = pd.concat([printed, _turned(printed)]).set_index(pair)["published"]
    size = joined[pair].join(sizes, on=pair)["published"]
    return (1 - ABOUT) * size - ROUNDED, (1 + ABOUT) * size + ROUNDED


def _departs(entry: Comparison, system: str) -> bool:
    """Whether an option that the paper states has another value, for a system and the task."""
    name_in = {"systems": system, "tasks": entry.task}
    for place in entry.departures:
        section, _, within_section = place.partition(".")
        name = within_section.partition(".")[0]
        if name_in.get(section, name) == name:
            return True
    return False
