"""The report of a run: all its tables and figures, and report.html, in one job.

All tables and the main figure are in the page itself, so that it can be sent alone; other figures
are linked. Nothing of time and machine is in it, so that the same run gives the same bytes.
"""

import base64
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
import yaml

from cr5.base.artefacts import NO_JOB, Job
from cr5.report import canvas, figures, tables
from cr5.report.names import similarity_name, words
from cr5.report.run import CONFIG, KIND, RECORD, Run, record
from cr5.report.table import Table, count, html

INPUTS = (
    "seen",
    "tables",
    "aligned",
    "ranks",
    "bags",
    "documents",
    "draws",
    "trained",
    "models",
)
"""The names of what it is made from, besides `scores`: lists of folders."""
MAIN = "precision_at_k"  # the figure within the page
TEMPLATE = Path(__file__).with_name("page.html")
Made = Table | canvas.Drawn | None


def items(run: Run) -> Iterator[tuple[str, str, str, Callable[..., Made], *tuple[str, ...]]]:
    """Heading, name of files, title, and what makes it of a run and, perhaps, a task.

    That gives None where there is nothing to show. Its docstring begins with the caption.
    """
    yield "Results", "systems", "All systems", tables.systems
    yield "Results", MAIN, "Success@k", figures.first_figure
    yield "Results", "table1", "Each direction", tables.directions, run.main
    for task in run.facts["tasks"]:
        if task != run.main:
            yield "Results", f"task_{task}", f"Task: {task}", tables.directions, task
    yield "Results", "precision_at_k_pairs", "Success@k, each pair", figures.pair_figure
    yield "Results", "add_data", "More training data", figures.data_figure
    yield "Results", "table2", "Examples", tables.examples
    yield "Results", "published", "Published figures", tables.published
    yield "Corpus", "languages", "Languages", tables.languages
    yield "Corpus", "pairs", "Pairs of languages", tables.pairs
    yield "Corpus", "overlap", "Overlap of languages", figures.overlap_figure
    for kind, task in run.files:
        yield "Corpus", f"{kind}_{task}", f"{kind.capitalize()}: {task}", tables.files, kind, task
    yield "Hyperparameters", "validation", "Validation", figures.validation_figure


def write(
    run: Run,
    config: Mapping[str, Any],
    folder: str | Path,
    explored: bool,
    seen: Sequence[str],
    job: Job = NO_JOB,
) -> None:
    """Write report.html, run.json and config.yaml and, in report/, all tables and figures.

    `explored`: whether there is a page to explore the results; `seen`: warnings of test texts that
    train, or are asked twice.
    """
    folder, about = Path(folder), record(run, config)
    with job.making(folder / "report", KIND, beside=("report.html", RECORD, CONFIG)) as part:
        cards = []
        for group, name, title, make, *task in items(run):
            if (found := make(run, *task)) is not None:
                caption = " ".join(inspect.getdoc(make).partition("\n\n")[0].split())
                card = {"group": group, "name": name, "title": words(title)}
                cards.append(_written({**card, "caption": caption}, found, part, about["made"]))
        main = part / f"{MAIN}.svg"
        figure = base64.b64encode(main.read_bytes()).decode() if main.is_file() else ""
        shown = {"cards": cards, "figure": figure, "explored": explored}
        shown["warnings"] = [*seen, *run.told]
        texts = {
            "report.html": _page(run, about, **shown),
            RECORD: json.dumps(about, indent=2, ensure_ascii=False) + "\n",
            CONFIG: yaml.safe_dump(dict(config), sort_keys=False),
        }
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _written(card: dict[str, Any], found: Made, folder: Path, made: str) -> dict[str, Any]:
    """Write a table or figure; return the card, with the endings of its files."""
    stem, made = folder / card["name"], f"Made from {made}."
    if isinstance(found, Table):
        found.write(stem, card["title"], [card["caption"], *found.notes, made])
        return {**card, "table": found, "endings": ["csv", "md", "tex"]}
    figure, data = found
    canvas.save(figure, stem, made)
    data.to_csv(f"{stem}.csv", index=False, float_format="%.6g", lineterminator="\n")
    return {**card, "endings": ["svg", "png", "pdf", "csv"]}


def _page(run: Run, about: Mapping[str, Any], **shown: Any) -> str:
    own = run.own[run.own["task"] == run.main]
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"cell": html, "count": count, "words": words}
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        **shown,
        run=run,
        about=about,
        left_out=tables.left_out(run.left_out, run),
        found_nothing=tables.those_that_found_nothing(run, own),
        metrics=tables.printed(own),
        most=own[own["directions"] == own["directions"].max()],
        blocks=list(_blocks(own, run)),
        measures=", ".join(map(similarity_name, own["similarity"].unique())),
    )


def _blocks(means: pd.DataFrame, run: Run) -> Iterator[tuple[str, pd.Series, list]]:
    """Settings of the main table, what is the same in each, and records of its systems by metric.

    Settings of a single system are one block, without a name.
    """
    systems, several = means.groupby("setting")["system"], len(set(means["setting"])) > 1
    names = means["setting"].mask(several & (systems.transform("nunique") == 1), "")
    for name, block in sorted(means.groupby(names, sort=False), key=lambda x: not x[0]):
        block = tables.ordered(block) if name else block
        titles = tables.titles(block, run.facts["measure"], run)
        titles += "" if name else ", " + block["setting"].map(words)
        systems = block.groupby(titles, sort=False)
        yield name, block.iloc[0], [(x, y.set_index("metric").to_dict("index")) for x, y in systems]
