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
from cr5.report.frames import rows_with
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
KEYS = ["system"] + DIRECTION + ["similarity", "metric"]
SCORE_KEYS = ["setting", "task"] + KEYS
PAIR_KEYS = ["system"] + DIRECTION
COLUMNS = ["paper", "table", "row", "system", "setting", "task"]
COLUMNS += DIRECTION + ["similarity", "metric"]
COLUMNS += ["published", "ours", "ci_low", "ci_high", "difference", "tolerance"]
COLUMNS += ["n_queries", "n_candidates", "concepts", "verdict"]


@cache
def figures() -> pd.DataFrame:
    """Read all figures as printed (published_figures.md), and half of the last digit of each."""
    table = pd.read_csv(PRINTED, dtype={"table": str, "value": str})
    as_printed = table["value"]
    decimals = as_printed.str.partition(".")[2]
    n_decimals = decimals.str.len()
    half_digit = 0.5 * 10.0**-n_decimals
    values = as_printed.astype(float)
    return table.assign(half_digit=half_digit, value=values)


def cells(entry: Comparison) -> pd.DataFrame:
    """Return figures of a table, in percent or numbers of documents, by our names of metrics.

    `averaged` is the number of directions that a figure is over, of which each has its own queries.
    """
    rows = _rows(entry)
    row_labels = rows["row_system"]
    query_language, target_language = entry.direction or (ALL, ALL)
    is_both = rows["query_lang"].isin(BOTH)
    our_metrics = rows["metric"].replace(NAMES)
    scale = 100 if entry.paper in FRACTIONS else 1
    figures_in_percent = rows["value"] * scale
    printed = pd.DataFrame(
        {
            "paper": rows["paper"],
            "table": rows["table"],
            "row": row_labels,
            "system": row_labels.map(entry.rows),
            "query_language": rows["query_lang"].mask(is_both, query_language),
            "target_language": rows["target_lang"].mask(is_both, target_language),
            "similarity": entry.measure or rows["similarity"].fillna(""),
            "metric": our_metrics.str.replace("P@", "Success@"),
            "published": figures_in_percent.round(6),
            "half_digit": rows["half_digit"] * scale,
        }
    )
    is_average = _is_average(printed)
    averaged_over = printed[~is_average].groupby(AVERAGED)
    n_directions = averaged_over.size().rename("n")
    with_directions = printed[AVERAGED].join(n_directions, on=AVERAGED)
    n_averaged = with_directions["n"].where(is_average, 1)
    return printed.assign(averaged=n_averaged)


def _is_average(printed: pd.DataFrame) -> pd.Series:
    """Whether figures are averages over the directions of their row."""
    return printed["query_language"].str.startswith(AVERAGE)


def _rows(entry: Comparison) -> pd.DataFrame:
    """Return what is printed in the rows that an entry names; UserError if one is not there."""
    rows = rows_with(figures(), paper=entry.paper, table=entry.table)
    labels = rows["row_system"]
    known_labels = set(labels)
    for label in entry.rows:
        if label not in known_labels:
            known = ", ".join(sorted(known_labels)) or "none"
            raise UserError(
                f"published: {entry.paper}, table {entry.table} has no row {label!r}; "
                f"there: {known}"
            )
    is_named = labels.isin(entry.rows)
    return rows[is_named]


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


def with_published(scores: pd.DataFrame, compared: pd.DataFrame) -> pd.DataFrame:
    """Add `published` to scores, a fraction; nan where no paper has the figure."""
    is_score = compared["metric"] != DOCUMENTS
    printed = compared[is_score].drop_duplicates(SCORE_KEYS)
    percents = printed["published"].astype(float)
    fractions = printed[SCORE_KEYS]
    fractions = fractions.assign(published=percents / 100)
    return scores.merge(fractions, "left", SCORE_KEYS)


def training_concepts(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return setting, direction and concepts (means over repetitions), both ways."""
    groups = pairs.groupby(["setting"] + DIRECTION, as_index=False)
    means = groups["train"].mean()
    turned = _turned(means)
    both_ways = pd.concat([means, turned])
    return both_ways.rename(columns={"train": "concepts"})


def _turned(frame: pd.DataFrame) -> pd.DataFrame:
    """Interchange the languages of each direction."""
    query_language, target_language = DIRECTION
    return frame.rename(columns={query_language: target_language, target_language: query_language})


def _compared(entry: Comparison, scores: pd.DataFrame, concepts: pd.DataFrame) -> pd.DataFrame:
    ours = rows_with(scores, series=entry.setting, task=entry.task)
    printed = cells(entry)
    averages = _averages(printed, ours)
    with_averages = pd.concat([ours, averages])
    joined = printed.merge(with_averages, "left", KEYS)
    joined = joined.fillna({"setting": entry.setting, "task": entry.task})
    joined[FIGURES] *= 100
    trains_in_ours = concepts["setting"].isin(ours["setting"])
    our_concepts = concepts[trains_in_ours]
    joined["concepts"] = _concepts(joined, our_concepts)
    judged = _judged(entry, joined)
    return judged[COLUMNS]


def _judged(entry: Comparison, joined: pd.DataFrame) -> pd.DataFrame:
    """Add to published figures and our values: ours, difference, tolerance and verdict."""
    is_count = joined["metric"] == DOCUMENTS
    ours = joined["value"].mask(is_count, joined["concepts"])
    difference = (ours - joined["published"]).round(6)
    scores = joined[~is_count]
    n_queries = scores["n_queries"]
    n_candidates = scores["n_candidates"]
    tolerance = tolerances(scores, entry, n_queries, n_candidates)
    judged = joined.assign(
        ours=ours,
        difference=difference,
        tolerance=tolerance.reindex(joined.index),
    )
    return judged.assign(verdict=_verdicts(entry, judged))


def _concepts(joined: pd.DataFrame, concepts: pd.DataFrame) -> pd.Series:
    """Return the training concepts of each figure: its pair's or, of all pairs, the most of any."""
    of_pair = concepts.groupby(DIRECTION, as_index=False)["concepts"].max()
    merged = joined[DIRECTION].merge(of_pair, "left", DIRECTION)
    # of both directions, and of a search within one language
    query_language = joined["query_language"]
    has_no_pair = query_language == joined["target_language"]
    most = of_pair["concepts"].max()
    return merged["concepts"].mask(has_no_pair, most)


def _verdicts(entry: Comparison, joined: pd.DataFrame) -> np.ndarray:
    """Return the verdict on each figure: the first of these that holds, in this order."""
    smallest, largest = _sizes(entry, joined)
    is_of_size = joined["concepts"].between(smallest, largest)
    departs = [_departs(entry, system) for system in joined["system"]]
    difference = joined["difference"]
    tolerance = joined["tolerance"]
    verdicts = {
        "missing": joined["ours"].isna(),
        "fewer candidates": joined["n_candidates"] < entry.candidates,
        "other training concepts": smallest.notna() & ~is_of_size,
        "other options": departs,
        "not judged": tolerance.isna(),
        "equal": difference.abs() <= tolerance,
        "higher": difference > 0,
    }
    return np.select(list(verdicts.values()), list(verdicts), "lower")


def _averages(printed: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Return our means over the directions that a printed average is over; nan if one is missing.

    They have no interval, and as many queries as all these directions together.
    """
    is_average = _is_average(printed)
    directions = printed[~is_average].merge(ours, "left", KEYS)
    groups = directions.groupby(AVERAGED)
    means = groups.agg(
        setting=("setting", "first"),
        task=("task", "first"),
        value=("value", _mean_of_all),
        n_queries=("n_queries", "sum"),
        n_candidates=("n_candidates", "min"),
    )
    return printed.loc[is_average, KEYS].join(means, on=AVERAGED)


def _mean_of_all(values: pd.Series) -> float:
    return values.mean(skipna=False)


def _sizes(entry: Comparison, joined: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the least and most training concepts of each figure.

    As given, or about as printed for its pair, whose number is printed once for both directions;
    nan where nothing is known.
    """
    if entry.concepts is None:
        size = _printed_sizes(joined)
        smallest = (1 - ABOUT) * size - ROUNDED
        largest = (1 + ABOUT) * size + ROUNDED
    else:
        fewest, most = entry.concepts
        smallest = pd.Series(fewest, joined.index, float)
        largest = pd.Series(most, joined.index, float)
    return smallest, largest


def _printed_sizes(joined: pd.DataFrame) -> pd.Series:
    """Return the number of documents that is printed for the pair of each figure, or nan."""
    sizes = rows_with(joined, metric=DOCUMENTS)
    sizes = sizes[PAIR_KEYS + ["published"]]
    both_ways = pd.concat([sizes, _turned(sizes)])
    size_of_pair = both_ways.set_index(PAIR_KEYS)["published"]
    pairs = joined[PAIR_KEYS].join(size_of_pair, on=PAIR_KEYS)
    return pairs["published"]


def _departs(entry: Comparison, system: str) -> bool:
    """Whether an option that the paper states has another value, for a system and the task."""
    compared = {"systems": system, "tasks": entry.task}
    for place in entry.departures:
        section, _, within_section = place.partition(".")
        name, _, _ = within_section.partition(".")
        if section not in compared or compared[section] == name:
            return True
    return False
