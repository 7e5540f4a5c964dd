"""The tables that are read against the tidy ones that they are made of, cell by cell."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from tests.kit.run import MEANS, Run, scores

TITLES = {
    "cr5": "Cr5",
    "procrustes": "Procrustes",
    "bm25_translated": "Word by word + BM25",
    "lexical_overlap": "Lexical overlap",
    "encoder": "Encoder",
    "toy": "toy",
}
SIMILARITIES = {"cosine": "cosine", "csls": "CSLS", "dot": "dot"}
SHOWN = ["Success@1", "Success@5", "Success@10", "RR", "nDCG@10", "AP", "P@10"]  # of the means
COUNTS = ["Queries", "Candidates", "Directions", "Repetitions", "Dimension"]


def cells_are_the_values_of_the_scores(run: Run) -> Iterator[str]:
    """Of each table of scores; and every score has a cell."""
    found = scores(run.results)
    means = scores(run.results, MEANS).query("metric in @SHOWN")
    for task in found["task"].unique():
        of_task = found[found["task"] == task]
        place = run.results / "report" / ("table1" if task == "documents" else f"task_{task}")
        if task == "documents":  # as in the paper
            of_task = of_task[of_task["metric"].str.startswith("Success@")]
        for title, rows in blocks(place):
            system, setting = title.split(", ")
            searched = [x.split("→") for x in rows.pop("Direction")]
            of_block = of_task[["series", "setting"]].eq(setting).any(axis=1)
            of_block &= of_task["system"].map(TITLES) == system
            yield from _unlike(place, title, rows, of_task[of_block], searched, ["query", "target"])
    place = run.results / "report" / "systems"
    for title, rows in blocks(place):
        task, similarity = title.split(", ")
        of_block = (means["task"].map(named) == task) & (
            means["similarity"].map(SIMILARITIES) == similarity
        )
        systems, others = rows.pop("System"), []
        for name in systems:  # by a measure of its own
            if own := re.fullmatch(r"(.*) \((\w+)\)", name):
                others.append(
                    (means["system"].map(TITLES) == own[1]) & (means["similarity"] == own[2])
                )
                others[-1] &= means["task"].map(named) == task
        of_block = of_block | np.logical_or.reduce(others) if others else of_block
        systems = systems.str.replace(r" \(\w+\)$", "", regex=True)
        names = list(zip(rows.pop("Setting"), systems, strict=True))
        shown = means[of_block].assign(system=means["system"].map(TITLES))
        shown["similarity"] = ""
        yield from _unlike(place, title, rows, shown, names, ["setting", "system"])


def _unlike(
    place: Path, title: str, cells: pd.DataFrame, values: pd.DataFrame, names: list, keys: list[str]
) -> Iterator[str]:
    """Compare the cells of a block with the values, each by the names of its row and its column."""
    if values.empty or values.duplicated([*keys, "similarity", "metric"]).any():
        yield f"{place}: {title}: {len(values)} values, none or some twice"
    expected = {
        (*(getattr(x, key) for key in keys), measured(x.similarity, x.metric)): x.value
        for x in values.itertuples()
    }
    found = {
        (*name, column): cell
        for column in cells.columns.difference(COUNTS)
        for name, cell in zip(names, cells[column], strict=True)
        if cell != "–"
    }
    yield from (f"{place}: {title}: no cell of {x}" for x in expected.keys() - found.keys())
    for name, cell in found.items():
        shown = cell.replace("*", "").split()[0]
        if f"{100 * expected.get(name, np.nan):.1f}" != shown:
            yield f"{place}: {title}: {name} is {cell}, not {expected.get(name)}"


def measured(similarity: str, metric: str) -> str:
    """The heading of a column of scores."""
    return f"{SIMILARITIES.get(similarity, similarity)} {metric}".strip()


def blocks(place: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """The blocks of a table with their titles, from Markdown."""
    for part in place.with_suffix(".md").read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, *lines = part.replace("\\", "").splitlines()
        rows = [[x.strip() for x in y.strip("| ").split("|")] for y in lines if y.startswith("|")]
        yield title, pd.DataFrame(rows[2:], columns=rows[0])


def named(task: str) -> str:
    """A task in a heading."""
    return task.replace("_", " ").capitalize()
