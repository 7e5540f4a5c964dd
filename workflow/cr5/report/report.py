"""The report of a run: all its tables and figures, and report.html, in one job."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from cr5.base.artefacts import making
from cr5.report import canvas, figures, page, record, tables
from cr5.report.run import Run
from cr5.report.table import Table

MAIN = "precision_at_k"  # the figure within the page
Made = Table | Figure | tuple[Figure, pd.DataFrame] | None


def items(run: Run) -> Iterator[tuple[str, str, str, Callable[..., Made], *tuple[str, ...]]]:
    """Heading, name of files, title, and what makes it of a run and, perhaps, a task.

    That gives a figure perhaps with numbers to write beside it, and None where there is nothing to
    show. Its docstring begins with the caption.
    """
    yield "Results", "systems", "All systems", tables.systems
    yield "Results", MAIN, "Success@k", figures.first_figure
    yield "Results", "table1", "Each direction", tables.directions, run.main
    for task in run.others:
        yield "Results", f"task_{task}", f"Task: {task}", tables.directions, task
    yield "Results", "precision_at_k_pairs", "Success@k, each pair", figures.pair_figure
    yield "Results", "add_data", "More training data", figures.data_figure
    yield "Results", "table2", "Examples", tables.examples
    yield "Results", "published", "Published figures", tables.published
    yield "Corpus", "languages", "Languages", tables.languages
    yield "Corpus", "pairs", "Pairs of languages", tables.pairs
    yield "Corpus", "overlap", "Overlap of languages", figures.overlap_figure
    for task in run.coverage:
        yield "Corpus", f"dictionaries_{task}", f"Dictionaries: {task}", tables.coverage, task
    for task in run.sentences:
        yield "Corpus", f"sentences_{task}", f"Parallel text: {task}", tables.sentences, task
    yield "Hyperparameters", "validation", "Validation", figures.validation_figure
    yield "Hyperparameters", "dimensions", "Dimensions", figures.dimension_figure


def write(
    run: Run,
    about: Mapping[str, Any],
    folder: str | Path,
    explored: bool = False,
    seen: Sequence[str] = (),
) -> None:
    """Write report.html and, in report/, all tables and figures.

    Args:
        run: what they are made from.
        about: see `record.about`.
        folder: that gets them.
        explored: whether there is a page to explore the results.
        seen: warnings of test texts that train.
    """
    beside = ("report.html", record.RUN, record.CONFIG)
    with making(Path(folder) / "report", record.KIND, beside=beside) as part:
        cards = []
        for group, name, title, make, *task in items(run):
            if (found := make(run, *task)) is not None:
                caption = " ".join(inspect.getdoc(make).partition("\n\n")[0].split())
                card = {"group": group, "name": name, "title": title.replace("_", " ")}
                cards.append(_written({**card, "caption": caption}, found, part, about["made"]))
        shown = page.render(run, about, cards, part / f"{MAIN}.svg", Path(folder), explored, seen)
        Path(folder, "report.html").write_text(shown, encoding="utf-8", newline="\n")
        record.write(folder, about)


def _written(card: dict[str, Any], found: Made, folder: Path, made: str) -> dict[str, Any]:
    """Write a table or figure; return the card, with the endings of its files."""
    stem, made = folder / card["name"], f"Made from {made}."
    if isinstance(found, Table):
        replace(found, notes=[card["caption"], *found.notes, made]).write(stem, card["title"])
        return {**card, "table": found, "endings": ["csv", "md", "tex"]}
    figure, data = found if isinstance(found, tuple) else (found, None)
    canvas.save(figure, stem, made)
    if data is not None:
        text = data.to_csv(index=False, float_format="%.6g", lineterminator="\n")
        Path(f"{stem}.csv").write_text(text, encoding="utf-8", newline="\n")
    return {**card, "endings": ["svg", "png", "pdf", *([] if data is None else ["csv"])]}
