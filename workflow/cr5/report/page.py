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
    """The page.

    Args:
        run: what it is made from.
        about: see `record.about`.
        cards: of each table and figure group, name, title, caption, table and endings of its files.
        figure: the main one, if it is there.
        folder: where the page will be, with the cards in report/.
        explored: whether there is a page to explore the results.
        warnings: shown above everything.
    """
    own = by_own_measure(run)
    own = own[own["task"] == run.main]
    known = run.left_out.groupby("reason", sort=False)[["system", "setting", "task"]]
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"cell": html, "count": count, "in_words": setting_name}
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        run=run,
        about=about,
        cards=cards,
        warnings=warnings,
        left_out=[(reason, _places(rows, run)) for reason, rows in known],
        metrics=printed(own),
        most=own[own["directions"] == own["directions"].max()],
        blocks=[_block(name, block, run) for name, block in main_blocks(own)] if len(own) else [],
        measures=", ".join(map(similarity_name, own["similarity"].unique())),
        figure=base64.b64encode(figure.read_bytes()).decode() if figure.is_file() else "",
        explored=explored,
        scores=os.path.relpath(run.folder, folder),
        data=DATA,
    )


def _places(rows: pd.DataFrame, run: Run) -> str:
    places = rows.drop_duplicates().itertuples(index=False, name=None)
    return "; ".join(f"{run.systems.legend(*fit)}, {task}" for *fit, task in places)


def _block(name: str, block: pd.DataFrame, run: Run) -> tuple[str, Mapping, list]:
    """A setting, what is the same in it, and its systems with the record of each metric."""
    rows = []
    usual = run.means["similarity"].iloc[0]
    for (system, setting), of in block.groupby(["system", "setting"], sort=False):
        title = run.systems.title(system) if name else run.systems.legend(system, setting)
        measure = of["similarity"].iloc[0]
        title += "" if measure == usual else f" ({similarity_name(measure)})"
        rows.append((title, {x["metric"]: x for x in of.to_dict("records")}))
    return name, block.iloc[0], rows
