"""report.html: what was done and found, with all tables and figures, on one page.

The main table and figure are in the page itself, and so are all tables, so that it can be sent
alone; figures are linked. Nothing of time and machine is in it, so that the same run gives the same
bytes.
"""

import base64
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from cr5.report.names import setting_name, similarity_name
from cr5.report.run import Run
from cr5.report.table import count, html
from cr5.report.tables import by_own_measure, main_blocks, printed

TEMPLATE = Path(__file__).with_name("page.html")
OTHER_SETTINGS = "Other settings, each with its own directions and queries"
DATA = {
    "scores": "every score with its 95 % interval: directions and all, repetitions and their mean",
    "significance": "every test between two systems",
    "curves": "Success@k at every k, likewise",
    "left_out": "what the data allowed no figures for",
}


def render(
    run: Run,
    about: Mapping[str, Any],
    cards: Sequence[Mapping[str, Any]],
    figure: Path,
    folder: Path,
    explored: bool,
    warnings: Sequence[str],
) -> str:
    """Return the page.

    Args:
        run: what it is made from.
        about: see `record.about`.
        cards: of each table and figure `item`, `table` and `endings` of its files.
        figure: the main one, if it is there.
        folder: where the page will be, with the cards in report/.
        explored: whether there is a page to explore the results.
        warnings: shown above everything.
    """
    scores = Path(run.read["scores"]).parent
    own = by_own_measure(run)
    own = own[own["task"] == run.main]
    groups: dict[str, list] = {}
    for card in cards:
        groups.setdefault(card["item"].group, []).append(card)
    data = base64.b64encode(figure.read_bytes()).decode("ascii") if figure.is_file() else ""
    known = run.left_out.groupby("reason", sort=False)[["system", "setting", "task"]]
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["cell"] = html
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        about=about,
        title=f"{_words(run.main)} on {run.facts['corpus']}",
        done=_done(run, own),
        made=f"Made from {run.source}.",
        warnings=warnings,
        left_out=[(reason, _places(rows, run)) for reason, rows in known],
        metrics=printed(own),
        blocks=[_block(name, block, run) for name, block in main_blocks(own)] if len(own) else [],
        measures=", ".join(map(similarity_name, own["similarity"].unique())),
        fits=run.warnings,
        figure=data,
        explored=explored,
        groups=groups,
        scores=os.path.relpath(scores, folder),
        results=os.path.relpath(scores.parent, folder),
        data=DATA,
    )


def _words(name: str) -> str:
    return "Document retrieval" if name == "documents" else name.replace("_", " ").capitalize()


def _done(run: Run, own: pd.DataFrame) -> str:
    """Say in two sentences what was done, and from what."""
    languages, repetitions = run.facts["languages"], run.facts["repetitions"]
    said = f"{len(languages)} languages ({', '.join(languages)})"
    rows = own[own["directions"] == own["directions"].max()]
    if len(rows):
        said += (
            f", {rows['directions'].max():.0f} directions, {count(rows['n_queries'].max())} "
            f"queries, each searched among about {count(rows['n_candidates'].mean())} candidates "
            "in another language"
        )
    over = f", in {repetitions} repetitions" if repetitions > 1 else ""
    return (
        f"{said}. All systems of a setting have the same training documents and the same queries"
        f"{over}; hyperparameters were chosen on other queries."
    )


def _places(rows: pd.DataFrame, run: Run) -> str:
    places = rows.drop_duplicates().itertuples(index=False, name=None)
    return "; ".join(f"{run.systems.legend(*fit)}, {task}" for *fit, task in places)


def _block(name: str, block: pd.DataFrame, run: Run) -> dict[str, Any]:
    """Return the heading of a setting, and its systems with the record of each metric."""
    rows = []
    several = run.means["similarity"].iloc[0]
    for (system, setting), of in block.groupby(["system", "setting"], sort=False):
        title = run.systems.title(system) if name else run.systems.legend(system, setting)
        measure = of["similarity"].iloc[0]
        title += "" if measure == several else f" ({similarity_name(measure)})"
        rows.append((title, {x["metric"]: x for x in of.to_dict("records")}))
    first = block.iloc[0]
    number = f"{first['directions']:.0f} directions" if first["directions"] > 1 else "1 direction"
    sizes = f"{count(first['n_queries'])} queries, {count(first['n_candidates'])} candidates"
    heading = f"{setting_name(name)}: {number}, {sizes}" if name else OTHER_SETTINGS
    return {"heading": heading, "rows": rows}
