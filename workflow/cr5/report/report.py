"""The report of a run: all its tables and figures, and report.html, in one job."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from cr5.base.errors import UserError
from cr5.base.files import atomic_folder
from cr5.report import canvas, figures, page, tables
from cr5.report.run import Run
from cr5.report.table import Table
from cr5.scores.summary import ALL

log = logging.getLogger(__name__)

PARTIAL = "partial"  # the folder of what is written although a figure failed
RESULTS, CORPUS, HYPERPARAMETERS = "Results", "Corpus", "Hyperparameters"


@dataclass(frozen=True)
class Item:
    """A table or a figure.

    Attributes:
        name: of its files.
        group: the heading it is under.
        title: its title.
        caption: what it shows, in a sentence or two.
        make: makes it.
        data: numbers written beside a figure.
    """

    name: str
    group: str
    title: str
    caption: str
    make: Callable[[], Table | Figure]
    data: pd.DataFrame | None = None


def items(run: Run) -> Iterator[Item]:
    """Yield all tables and figures of a run, in the report's order."""
    facts, systems = run.facts, run.systems
    yield Item(
        "systems",
        *(RESULTS, "All systems"),
        "Means over the directions of a setting with 95 % intervals.",
        lambda: tables.systems_table(
            *(run.means, run.tests, run.dimensions, run.compared, systems), _notes(run)
        ),
    )
    curves = run.curves[run.curves["query"] != ALL]
    if len(means := run.curves[run.curves["query"] == ALL]):
        yield Item(
            "precision_at_k",
            *(RESULTS, "Success@k", "Four systems, means over all directions."),
            lambda: figures.first_figure(means, facts["measure"], systems),
        )
    for task in facts["tasks"]:
        yield from _of_task(run, task)
    shown = curves[~curves["setting"].isin(facts["crowding"])]
    of_pairs = "csls" if "csls" in facts["measures"] else facts["measure"]
    if len(shown):
        yield Item(
            "precision_at_k_pairs",
            *(RESULTS, "Success@k, each pair"),
            "All systems and settings, means of both directions, as Figure 2 of the Cr5 paper.",
            lambda: figures.pair_figure(
                shown, run.compared, of_pairs, systems, run.main == "documents"
            ),
        )
    main = figures.there(run.scores[run.scores["task"] == run.main], facts["measure"])
    found = figures.data_curves(main, run.pairs, facts["points"]) if facts["points"] else []
    if len(found):
        yield Item(
            "add_data",
            *(RESULTS, "More training data"),
            "Success@1 over the number of training concepts of a pair.",
            lambda: figures.data_figure(found, systems),
            found,
        )
    if len(run.nearest):
        yield Item(
            "table2",
            *(RESULTS, "Examples"),
            "Some queries and the documents nearest to them, by title; the right one is in bold.",
            lambda: tables.examples_table(
                run.nearest, run.titles, facts["examples"], facts["seed"], systems
            ),
        )
    if facts["published"]:
        yield Item(
            "published",
            *(RESULTS, "Published figures"),
            "Every published figure that this configuration makes beside ours, with a verdict.",
            lambda: tables.published_table(run.compared, systems),
        )
    yield from _of_corpus(run)
    yield from _of_fits(run)


def _of_task(run: Run, task: str) -> Iterator[Item]:
    is_main = task == run.main
    if (run.scores["task"] == task).any():
        yield Item(
            "table1" if is_main else f"task_{task}",
            *(RESULTS, "Each direction" if is_main else f"Task: {task.replace('_', ' ')}"),
            "Each system, setting and direction, in the layout of Table 1 of the Cr5 paper.",
            lambda: tables.directions_table(
                run.scores,
                run.tests,
                run.compared,
                run.systems,
                task,
                tables.left_out(run.left_out[run.left_out["task"] == task], run.systems),
            ),
        )


def _of_corpus(run: Run) -> Iterator[Item]:
    facts = run.facts
    yield Item(
        "languages",
        *(CORPUS, "Languages", "Documents, tokens and vocabulary of each language."),
        lambda: tables.languages_table(run.statistics, run.paragraphs, facts["unique_words"]),
    )
    yield Item(
        "pairs",
        *(CORPUS, "Pairs of languages"),
        "Concepts that two languages share: how many train, validate and test in each setting.",
        lambda: tables.pairs_table(run.pairs),
    )
    found = figures.overlap(run.concepts, run.trained)
    yield Item(
        "overlap",
        *(CORPUS, "Overlap of languages"),
        "Concepts by the languages that have them, and how many train, after the Cr5 paper's "
        "Figure 1.",
        lambda: figures.overlap_figure(found),
        found,
    )
    texts = {
        "dictionaries": ("Dictionaries", "Entries by the first reason not to search for them."),
        "sentences": ("Parallel text", "Lines by the first reason not to search for them."),
    }
    for task in sorted({*facts["tables_of"], *facts["aligned_of"]}):
        frames = {"dictionaries": run.coverage(task), "sentences": run.sentences(task)}
        for name, frame in frames.items():
            if frame is not None:
                title, caption = texts[name]
                title = f"{title}: {task.replace('_', ' ')}"
                yield Item(
                    f"{name}_{task}",
                    *(CORPUS, title, caption),
                    lambda title=title, frame=frame, caption=caption: tables.plain_table(
                        title, frame, [caption]
                    ),
                )


def _of_fits(run: Run) -> Iterator[Item]:
    yield Item(
        "validation",
        *(HYPERPARAMETERS, "Validation"),
        "The criterion on validation queries over each hyperparameter; a ring marks what was "
        "chosen.",
        lambda: figures.validation_figure(run.grids, run.systems),
        run.grids,
    )
    tried = run.grids[run.grids["option"].isin(["dimension", "rank"])]
    if len(set(tried["value"])) > 1:
        yield Item(
            "dimensions",
            *(HYPERPARAMETERS, "Dimensions"),
            "The same over the number of dimensions, after Figures 3 and 4 of Platt et al. (2010).",
            lambda: figures.validation_figure(run.grids, run.systems, dimension=True),
            run.dimensions,
        )


def _notes(run: Run) -> list[str]:
    seeded, asked = run.facts["seeded"], " or ".join(run.facts["translated"])
    names = ", ".join(map(run.systems.title, seeded))
    said = [f"{names}: no word that {asked} asks for is among the pairs to start from."]
    said = said if seeded and asked else []
    return [*said, *tables.left_out(run.left_out, run.systems), *run.warnings]


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
    folder, every, failed = Path(folder), list(items(run)), {}
    made = f"Made from {run.source}."
    with atomic_folder(folder / PARTIAL) as partial:
        (partial / "report").mkdir()
        cards = []
        for item in every:
            try:
                cards.append(_card(item, partial / "report" / item.name, made))
            except Exception as error:
                log.exception("%s failed", item.name)
                failed[item.name] = f"{item.name}: {type(error).__name__}: {error}"
        svg = partial / "report" / "precision_at_k.svg"
        home = folder / PARTIAL if failed else folder
        said = [*seen, *failed.values()]
        shown = page.render(run, about, cards, svg, home, explored, said)
        (partial / "report.html").write_text(shown, encoding="utf-8", newline="\n")
    if failed:
        raise UserError(
            f"{'; '.join(failed.values())}. All else is in {folder / PARTIAL}/report.html."
        )
    with atomic_folder(folder / "report") as final:
        for path in sorted((folder / PARTIAL / "report").iterdir()):
            path.rename(final / path.name)
    (folder / PARTIAL / "report.html").replace(folder / "report.html")
    (folder / PARTIAL / "report").rmdir()
    (folder / PARTIAL).rmdir()


def _card(item: Item, stem: Path, made: str) -> dict[str, Any]:
    """Write an item; return what the page shows of it."""
    found = item.make()
    if isinstance(found, Figure):
        canvas.save(found, stem, made)
        if item.data is not None:
            data = item.data.to_csv(index=False, float_format="%.6g", lineterminator="\n")
            stem.with_name(f"{stem.name}.csv").write_text(data, encoding="utf-8", newline="\n")
        endings = ["svg", "png", "pdf", *(["csv"] if item.data is not None else [])]
        return {"item": item, "table": None, "endings": endings}
    found = Table(found.title, found.blocks, found.data, [*found.notes, made], found.left)
    found.write(stem)
    return {"item": item, "table": found, "endings": ["csv", "md", "tex"]}
