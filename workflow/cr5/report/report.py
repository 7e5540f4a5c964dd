"""The report of a run: all its tables and figures, and report.html, in one job."""

import inspect
import logging
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
Made = Table | Figure | tuple[Figure, pd.DataFrame] | None


@dataclass(frozen=True)
class Item:
    """A table or a figure, or one for each of some tasks.

    Attributes:
        name: of its files; `{}` stands for a task in it, and in the title.
        title: its title.
        make: makes it from a run, or a run and a task; a figure perhaps with numbers to write
            beside it; None where there is nothing to show. Its docstring begins with the caption.
        tasks: gives the tasks.
    """

    name: str
    title: str
    make: Callable[..., Made]
    tasks: Callable[[Run], Iterable[str]] | None = None

    @property
    def caption(self) -> str:
        """What it shows."""
        return " ".join(inspect.getdoc(self.make).partition("\n\n")[0].split())


ITEMS = {  # by the heading that they are under
    "Results": [
        Item("systems", "All systems", tables.systems),
        Item(MAIN, "Success@k", figures.first_figure),
        Item("table1", "Each direction", tables.directions, lambda run: [run.main]),
        Item("task_{}", "Task: {}", tables.directions, lambda run: run.others),
        Item("precision_at_k_pairs", "Success@k, each pair", figures.pair_figure),
        Item("add_data", "More training data", figures.data_figure),
        Item("table2", "Examples", tables.examples),
        Item("published", "Published figures", tables.published),
    ],
    "Corpus": [
        Item("languages", "Languages", tables.languages),
        Item("pairs", "Pairs of languages", tables.pairs),
        Item("overlap", "Overlap of languages", figures.overlap_figure),
        Item("dictionaries_{}", "Dictionaries: {}", tables.coverage, lambda run: run.coverage),
        Item("sentences_{}", "Parallel text: {}", tables.sentences, lambda run: run.sentences),
    ],
    "Hyperparameters": [
        Item("validation", "Validation", figures.validation_figure),
        Item("dimensions", "Dimensions", figures.dimension_figure),
    ],
}


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
        for group, item, task in _items(run):
            try:
                found = item.make(run, *task)
                if found is not None:
                    cards.append(_card(group, item, found, part, f"Made from {about['made']}."))
            except Exception as error:
                log.exception("%s failed", item.name)
                failed.append(f"{item.name}: {type(error).__name__}: {error}")
        home = partial if failed else folder
        figure = part / f"{MAIN}.svg"
        shown = page.render(run, about, cards, figure, home, explored, [*seen, *failed])
        if failed:
            shutil.copytree(part, partial / "report")
        (home / "report.html").write_text(shown, encoding="utf-8", newline="\n")
        if failed:
            raise UserError(f"{'; '.join(failed)}. All else is in {partial}/report.html.")
        record.write(folder, about)


def _items(run: Run) -> Iterator[tuple[str, Item, list[str]]]:
    """Yield the heading of each item, itself, and its task if it has one."""
    for group, items in ITEMS.items():
        for item in items:
            for task in [[x] for x in item.tasks(run)] if item.tasks else [[]]:
                name, title = (x.format(*task) for x in (item.name, item.title))
                yield group, replace(item, name=name, title=title.replace("_", " ")), task


def _card(group: str, item: Item, found: Made, folder: Path, made: str) -> dict[str, Any]:
    """Write an item; return what the page shows of it."""
    stem = folder / item.name
    card = {"group": group, "item": item, "table": found if isinstance(found, Table) else None}
    if isinstance(found, Table):
        replace(found, notes=[item.caption, *found.notes, made]).write(stem, item.title)
        return {**card, "endings": ["csv", "md", "tex"]}
    figure, data = found if isinstance(found, tuple) else (found, None)
    canvas.save(figure, stem, made)
    if data is not None:
        text = data.to_csv(index=False, float_format="%.6g", lineterminator="\n")
        Path(f"{stem}.csv").write_text(text, encoding="utf-8", newline="\n")
    return {**card, "endings": ["svg", "png", "pdf", *([] if data is None else ["csv"])]}
