"""The report of a run: all its tables and figures, and report.html, in one job.

All tables and the main figure are in the page itself, so that it can be sent alone; other figures
are linked. Nothing of time and machine is in it, so that the same run gives the same bytes.
"""

import base64
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
import yaml

from cr5.base.artefacts import NO_JOB, Job
from cr5.report import canvas, examples, figures, tables
from cr5.report.canvas import Drawn
from cr5.report.frames import rows_with
from cr5.report.names import similarity_name, words
from cr5.report.run import CONFIG, KIND, RECORD, Run, record
from cr5.report.table import Table, count, html
from cr5.scores.collected import as_written

MAIN = "precision_at_k"  # the figure within the page
TABLE_ENDINGS = ("csv", "md", "tex")
FIGURE_ENDINGS = ("svg", "png", "pdf", "csv")
TEMPLATE = Path(__file__).with_name("page.html")
Content = Table | Drawn | None  # none where there is nothing to show


@dataclass(frozen=True)
class Item:
    """A table or a figure that a report may have."""

    group: str  # the heading that it stands under
    name: str  # of its files
    title: str
    make: Callable[..., Content]  # of a run and `keys`
    keys: Mapping[str, str] = field(default_factory=dict)  # of its other arguments

    @property
    def caption(self) -> str:
        """The first paragraph of what makes it."""
        first_paragraph, _, _ = inspect.getdoc(self.make).partition("\n\n")
        return " ".join(first_paragraph.split())


@dataclass(frozen=True)
class Card:
    """An item of which there is something to show, as the page has it."""

    item: Item
    endings: Sequence[str]  # of its files
    table: Table | None = None  # none of a figure


@dataclass(frozen=True)
class Block:
    """A part of the main table: systems that can be compared with each other."""

    setting: str  # empty for all settings of a single system
    counts: pd.Series  # of directions, queries and candidates
    rows: Mapping[str, Mapping[str, Mapping[str, Any]]]  # by title of a system and metric


def items(run: Run) -> Iterator[Item]:
    """Yield all that a report may have, in the order of the page."""
    yield Item("Results", "systems", "All systems", tables.systems)
    yield Item("Results", MAIN, "Success@k", figures.first_figure)
    main_task = {"task": run.main_task}
    yield Item("Results", "table1", "Each direction", tables.directions, main_task)
    for task in run.facts.tasks:
        if task != run.main_task:
            name = f"task_{task}"
            title = f"Task: {task}"
            keys = {"task": task}
            yield Item("Results", name, title, tables.directions, keys)
    yield Item("Results", "precision_at_k_pairs", "Success@k, each pair", figures.pair_figure)
    yield Item("Results", "add_data", "More training data", figures.data_figure)
    yield Item("Results", "table2", "Examples", examples.examples)
    yield Item("Results", "published", "Published figures", tables.published)
    yield Item("Corpus", "languages", "Languages", tables.languages)
    yield Item("Corpus", "pairs", "Pairs of languages", tables.pairs)
    yield Item("Corpus", "overlap", "Overlap of languages", figures.overlap_figure)
    for kind, task in run.file_counts:
        name = f"{kind}_{task}"
        title = f"{kind.capitalize()}: {task}"
        keys = {"kind": kind, "task": task}
        yield Item("Corpus", name, title, tables.files, keys)
    yield Item("Hyperparameters", "validation", "Validation", figures.validation_figure)


def write(
    run: Run,
    config: Mapping[str, Any],
    folder: str | Path,
    explored: bool,
    warnings: Sequence[str],
    job: Job = NO_JOB,
) -> None:
    """Write report.html, run.json and config.yaml and, in report/, all tables and figures.

    `explored`: whether there is a page to explore the results; `warnings`: of test texts that
    train, or are asked twice.
    """
    folder = Path(folder)
    about = record(run, config)
    foot = f"Made from {about['made']}."
    with job.making(folder / "report", KIND, beside=("report.html", RECORD, CONFIG)) as temporary:
        cards = []
        for item in items(run):
            content = item.make(run, **item.keys)
            if content is not None:
                cards.append(_written(item, content, temporary, foot))
        shown = {
            "run": run,
            "about": about,
            "cards": cards,
            "figure": _base64(temporary / f"{MAIN}.svg"),
            "explored": explored,
            "warnings": list(warnings) + list(run.told),
        }
        texts = {
            "report.html": _page(run, shown),
            RECORD: json.dumps(about, indent=2, ensure_ascii=False) + "\n",
            CONFIG: yaml.safe_dump(dict(config), sort_keys=False),
        }
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _written(item: Item, content: Table | Drawn, folder: Path, foot: str) -> Card:
    stem = folder / item.name
    if isinstance(content, Table):
        title = words(item.title)
        notes = [item.caption] + list(content.notes) + [foot]
        content.write(stem, title, notes)
        return Card(item, TABLE_ENDINGS, content)
    canvas.save(content.figure, stem, foot)
    numbers = as_written(content.numbers)
    numbers.to_csv(f"{stem}.csv", index=False, float_format="%.6g", lineterminator="\n")
    return Card(item, FIGURE_ENDINGS)


def _base64(path: Path) -> str:
    """Read a file for a page to hold it; nothing if it is not there."""
    if not path.is_file():
        return ""
    content = path.read_bytes()
    return base64.b64encode(content).decode()


def _page(run: Run, shown: Mapping[str, Any]) -> str:
    """Return the page of a run, of what is shown and the means of the main task."""
    means = rows_with(run.first_means, task=run.main_task)
    n_directions = means["directions"]
    has_most_directions = n_directions == n_directions.max()
    measures = [similarity_name(name) for name in means["similarity"].unique()]
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"cell": html, "count": count, "words": words}
    source = TEMPLATE.read_text(encoding="utf-8")
    template = environment.from_string(source)
    return template.render(
        **shown,
        left_out=tables.left_out(run.left_out, run),
        found_nothing=tables.those_that_found_nothing(run, means),
        metrics=tables.printed(means),
        most=means[has_most_directions],
        blocks=list(_blocks(means, run)),
        measures=", ".join(measures),
    )


def _blocks(means: pd.DataFrame, run: Run) -> Iterator[Block]:
    """Yield the blocks of the main table: settings of several systems, and then all others."""
    stands_alone = _stands_alone(means)
    for setting, rows in means[~stands_alone].groupby("setting", sort=False):
        ordered = tables.ordered(rows)
        titles = tables.titles(ordered, run.facts.measure, run)
        yield _block(setting, ordered, titles)
    others = means[stands_alone]
    if not others.empty:
        titles = tables.titles(others, run.facts.measure, run)
        settings = others["setting"].map(words)
        titles_and_settings = titles + ", " + settings
        yield _block("", others, titles_and_settings)


def _stands_alone(means: pd.DataFrame) -> pd.Series:
    """Tell of each row whether it is of a system that is alone in its setting, one of several."""
    systems = means.groupby("setting")["system"]
    is_alone = systems.transform("nunique") == 1
    has_several_settings = len(set(means["setting"])) > 1
    return is_alone & has_several_settings


def _block(setting: str, rows: pd.DataFrame, titles: pd.Series) -> Block:
    """Return a block of systems, of which each has a row of figures by its title."""
    rows_of_block = {}
    for title, rows_of_system in rows.groupby(titles, sort=False):
        by_metric = rows_of_system.set_index("metric")
        rows_of_block[title] = by_metric.to_dict("index")
    return Block(setting, rows.iloc[0], rows_of_block)
