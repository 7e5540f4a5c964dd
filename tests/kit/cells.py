"""The tables that are read against the tidy ones that they are made of, cell by cell."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from lxml import html

from tests.kit.run import Run

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
COUNTS = ["Queries", "Candidates", "Directions", "Repetitions"]


def cells_are_the_values_of_the_scores(run: Run) -> Iterator[str]:
    """Of each table of scores, in all formats; and every score has a cell."""
    found, tables = pd.read_csv(run.results / "tables" / "scores.csv"), run.results / "tables"
    means = pd.read_csv(tables / "means.csv").query("metric in @SHOWN")
    for task in found["task"].unique():
        of_task = found[found["task"] == task]
        place = tables / "table1" if task == "documents" else tables / "tasks" / task
        if task == "documents":  # as in the paper
            of_task = of_task[of_task["metric"].str.startswith("Success@")]
        for title, rows in blocks(place):
            system, setting = title.split(", ")
            searched = [x.split("→") for x in rows.pop("Direction")]
            of_block = of_task[["series", "setting"]].eq(setting).any(axis=1)
            of_block &= of_task["system"].map(TITLES) == system
            yield from _unlike(place, title, rows, of_task[of_block], searched, ["query", "target"])
    for title, rows in blocks(tables / "systems"):
        task, similarity = title.split(", ")
        of_block = (means["task"].map(named) == task) & (
            means["similarity"].map(SIMILARITIES) == similarity
        )
        systems = rows.pop("System")
        names = list(zip(rows.pop("Setting"), systems, strict=True))
        shown = means[of_block].assign(system=means["system"].map(TITLES))
        shown["similarity"] = ""
        yield from _unlike(tables / "systems", title, rows, shown, names, ["setting", "system"])


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
    """The blocks of a table with their titles, once from Markdown and once from HTML."""
    for part in place.with_suffix(".md").read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, *lines = part.replace("\\", "").splitlines()
        rows = [[x.strip() for x in line.strip("| ").split("|")] for line in lines if line]
        yield title, pd.DataFrame(rows[2:], columns=rows[0])
    page = html.fromstring(place.with_suffix(".html").read_text(encoding="utf-8"))
    for table in page.iter("table"):
        rows = [[x.text_content().strip() for x in row] for row in table.iter("tr")]
        title = table.xpath("preceding::h2[1]|caption")[0].text_content().strip()
        yield title, pd.DataFrame(rows[1:], columns=rows[0])


def named(task: str) -> str:
    """A task in a heading."""
    return task.replace("_", " ").capitalize()
