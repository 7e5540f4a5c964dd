"""The report of a run: all its tables and figures, and report.html, in one job."""

import logging
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from cr5.base.artefacts import making
from cr5.base.errors import UserError
from cr5.report import canvas, figures, page, record, tables
from cr5.report.run import Run
from cr5.report.table import Table

log = logging.getLogger(__name__)

PARTIAL = "partial"  # the folder of what is written although a figure failed
MAIN = "precision_at_k"  # the figure within the page
RESULTS, CORPUS, HYPERPARAMETERS = "Results", "Corpus", "Hyperparameters"
Made = Table | Figure | tuple[Figure, pd.DataFrame] | None


@dataclass(frozen=True)
class Item:
    """A table or a figure, or one for each of some tasks.

    Attributes:
        name: of its files; `{}` stands for a task in it, and in the title.
        group: the heading it is under.
        title: its title.
        caption: what it shows, in a sentence or two.
        make: makes it from a run, or a run and a task; a figure perhaps with numbers to write
            beside it; None where there is nothing to show.
        each: gives the tasks.
    """

    name: str
    group: str
    title: str
    caption: str
    make: Callable[..., Made]
    each: Callable[[Run], Iterable[str]] | None = None


ITEMS = [
    Item(
        "systems",
        *(RESULTS, "All systems"),
        "Means over the directions of a setting with 95 % intervals.",
        tables.systems,
    ),
    Item(
        MAIN,
        *(RESULTS, "Success@k", "Four systems, means over all directions."),
        figures.first_figure,
    ),
    Item(
        "table1",
        *(RESULTS, "Each direction"),
        "Each system, setting and direction, in the layout of Table 1 of the Cr5 paper.",
        lambda run: tables.directions(run, run.main),
    ),
    Item(
        "task_{}",
        *(RESULTS, "Task: {}"),
        "Each system, setting and direction, in the layout of Table 1 of the Cr5 paper.",
        tables.directions,
        lambda run: [x for x in run.facts["tasks"] if x != run.main],
    ),
    Item(
        "precision_at_k_pairs",
        *(RESULTS, "Success@k, each pair"),
        "All systems and settings, means of both directions, as Figure 2 of the Cr5 paper.",
        figures.pair_figure,
    ),
    Item(
        "add_data",
        *(RESULTS, "More training data"),
        "Success@1 over the number of training concepts of a pair.",
        figures.data_figure,
    ),
    Item(
        "table2",
        *(RESULTS, "Examples"),
        "Some queries and the documents nearest to them, by title; the right one is in bold.",
        tables.examples,
    ),
    Item(
        "published",
        *(RESULTS, "Published figures"),
        "Every published figure that this configuration makes beside ours, with a verdict.",
        tables.published,
    ),
    Item(
        "languages",
        *(CORPUS, "Languages", "Documents, tokens and vocabulary of each language."),
        tables.languages,
    ),
    Item(
        "pairs",
        *(CORPUS, "Pairs of languages"),
        "Concepts that two languages share: how many train, validate and test in each setting.",
        tables.pairs,
    ),
    Item(
        "overlap",
        *(CORPUS, "Overlap of languages"),
        "Concepts by the languages that have them, and how many train, after the Cr5 paper's "
        "Figure 1.",
        figures.overlap_figure,
    ),
    Item(
        "dictionaries_{}",
        *(CORPUS, "Dictionaries: {}"),
        "Entries by the first reason not to search for them.",
        lambda run, task: tables.frame(run.coverage[task]),
        lambda run: run.coverage,
    ),
    Item(
        "sentences_{}",
        *(CORPUS, "Parallel text: {}"),
        "Lines by the first reason not to search for them.",
        lambda run, task: tables.frame(run.sentences[task]),
        lambda run: run.sentences,
    ),
    Item(
        "validation",
        *(HYPERPARAMETERS, "Validation"),
        "The criterion on validation queries over each hyperparameter; a ring marks what was "
        "chosen.",
        figures.validation_figure,
    ),
    Item(
        "dimensions",
        *(HYPERPARAMETERS, "Dimensions"),
        "The same over the number of dimensions, after Figures 3 and 4 of Platt et al. (2010).",
        figures.dimension_figure,
    ),
]


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
        folder: that gets them; `PARTIAL` of it if a figure failed.
        explored: whether there is a page to explore the results.
        seen: warnings of test texts that train.

    Raises:
        UserError: a figure or table failed; the others are written.
    """
    folder, failed, cards = Path(folder), [], []
    partial = folder / PARTIAL
    shutil.rmtree(partial, ignore_errors=True)
    beside = ("report.html", record.RUN, record.CONFIG)
    with making(folder / "report", record.KIND, beside=beside) as part:
        for item in ITEMS:
            for task in item.each(run) if item.each else [None]:
                name = item.name.format(task)
                try:
                    found = item.make(run) if task is None else item.make(run, task)
                    if found is not None:
                        title = item.title.format(str(task).replace("_", " "))
                        shown = replace(item, name=name, title=title)
                        cards.append(_card(shown, found, part, f"Made from {about['made']}."))
                except Exception as error:
                    log.exception("%s failed", name)
                    failed.append(f"{name}: {type(error).__name__}: {error}")
        home = partial if failed else folder
        figure = part / f"{MAIN}.svg"
        shown = page.render(run, about, cards, figure, home, explored, [*seen, *failed])
        if failed:
            shutil.copytree(part, partial / "report")
        (home / "report.html").write_text(shown, encoding="utf-8", newline="\n")
        if failed:
            raise UserError(f"{'; '.join(failed)}. All else is in {partial}/report.html.")
        record.write(folder, about)


def _card(item: Item, found: Made, folder: Path, made: str) -> dict[str, Any]:
    """Write an item; return what the page shows of it."""
    stem = folder / item.name
    if isinstance(found, Table):
        replace(found, notes=[item.caption, *found.notes, made]).write(stem, item.title)
        return {"item": item, "table": found, "endings": ["csv", "md", "tex"]}
    figure, data = found if isinstance(found, tuple) else (found, None)
    canvas.save(figure, stem, made)
    if data is not None:
        text = data.to_csv(index=False, float_format="%.6g", lineterminator="\n")
        Path(f"{stem}.csv").write_text(text, encoding="utf-8", newline="\n")
    endings = ["svg", "png", "pdf", *([] if data is None else ["csv"])]
    return {"item": item, "table": None, "endings": endings}
