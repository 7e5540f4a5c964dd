"""Success@1 over a pair's number of training concepts: the gain from more data (Cr5, Sec. 4.2).

The paper claims that a joint model needs few concepts of a pair because its other languages help.
"""

import math
from collections.abc import Iterable, Mapping
from itertools import count

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cr5.report.canvas import (
    CHANCE,
    OTHER_LINES,
    add_legend,
    curve_entries,
    draw_curve,
    drawn,
    look,
    say,
    set_size,
)
from cr5.report.names import UNDECLARED, Systems, direction, direction_order, similarity_name

METRIC = "Success@1"
PLACE = ["query", "target"]
VALUES = ["value", "ci_low", "ci_high", "n_queries", "n_candidates"]
COLUMNS = ["series", "system", *PLACE, "setting", "concepts", *VALUES]

PANEL = (3.0, 2.3)  # inches
PLACES = 2  # columns of the legend
LINES = ["-", "--", *OTHER_LINES]
TICKS = 6


def curves(
    scores: pd.DataFrame,
    pairs: pd.DataFrame,
    points: Iterable[Mapping],
    similarity: str,
    task: str,
) -> pd.DataFrame:
    """Join scores with the number of training concepts.

    Args:
        scores: see `scores.summary.scores`.
        pairs: see `corpus.PAIRS`; languages of a pair are in either order.
        points: series, pair and setting of each point of a curve, see `plan.shown`.
        similarity: the similarity to select.
        task: the task to select.

    Returns:
        `COLUMNS`, a row per point; concepts is the mean over repetitions. Points of settings that
        were left out are missing, and so are curves of a single point.
    """
    chosen = (scores["metric"] == METRIC) & (scores["similarity"] == similarity)
    scores = scores[chosen & (scores["task"] == task)]
    train = pairs.groupby(["setting", *PLACE])["train"].mean()
    train = pd.concat([train, train.swaplevel(*PLACE)]).rename("concepts")
    scores = scores.join(train, on=["setting", *PLACE])
    found = [
        scores[(scores["setting"] == point["setting"]) & _of(scores, point["pair"])].assign(
            series=point["series"]
        )
        for point in points
    ]
    table = pd.concat(found)[COLUMNS]
    table = table[table.duplicated(["system", "series", *PLACE], keep=False)]
    order = ["system", "series", *PLACE, "concepts"]
    return table.sort_values(order, kind="stable", ignore_index=True)


def _of(scores: pd.DataFrame, pair: Iterable[str]) -> pd.Series:
    return scores["query"].isin(pair) & scores["target"].isin(pair)


def add_data(table: pd.DataFrame, similarity: str, systems: Systems = UNDECLARED) -> Figure:
    """Draw the output of `curves`: a panel per direction, a curve per system and series.

    Bands are 95 % intervals, as in `scores`.
    """
    directions = sorted(set(zip(*(table[x] for x in PLACE), strict=True)), key=direction_order)
    looks = _looks(table, systems)
    with drawn() as figure:
        if directions:
            _panels(figure, table, directions, looks, similarity)
            names = {systems.legend(*key): style for key, style in looks.items()}
            add_legend(figure, curve_entries(names), PLACES)
        else:
            say(figure, "All of it was left out:\nsee tables/left_out.csv.")
    return figure


def _panels(figure: Figure, table: pd.DataFrame, directions: list, looks: dict, similarity: str):
    columns = 2 if len(directions) <= 2 else 4
    rows = math.ceil(len(directions) / columns)
    set_size(figure, columns * PANEL[0], rows * PANEL[1], len(looks) + 2, PLACES)
    panels = table.groupby(PLACE)
    for number, pair in enumerate(directions):
        axes = figure.add_subplot(rows, columns, number + 1)
        panel = panels.get_group(pair)
        _draw(axes, panel, looks)
        axes.set_title(f"{direction(*pair)} ({panel['n_queries'].min():.0f} queries)")
        axes.set_ylabel(f"{METRIC} in %, {similarity_name(similarity)}")
        axes.set_xlabel("training concepts of the pair", labelpad=0)
        axes.set_ylim(0, max(10, 105 * table["ci_high"].max()))


def _looks(table: pd.DataFrame, systems: Systems) -> dict[tuple[str, str], dict]:
    """Choose styles: colours and markers distinguish systems, lines and filling series."""
    numbers = dict(zip(table["series"].unique(), count(), strict=False))
    return {
        (system, series): {
            "label": systems.legend(system, series),
            **look(systems, system),
            "linestyle": LINES[numbers[series] % len(LINES)],
            "markerfacecolor": "white" if numbers[series] % 2 else look(systems, system)["color"],
        }
        for system, series in table.groupby(["system", "series"], sort=False).groups
    }


def _draw(axes: Axes, panel: pd.DataFrame, looks: dict) -> None:
    for (system, series), style in looks.items():
        curve = panel[(panel["system"] == system) & (panel["series"] == series)]
        draw_curve(axes, curve["concepts"], curve, style, alpha=0.12)
    axes.axhline(100 / panel["n_candidates"].max(), **CHANCE)
    axes.set_xscale("log")
    there = np.unique(panel["concepts"])
    shown = there[np.unique(np.linspace(0, len(there) - 1, TICKS).round().astype(int))]
    axes.set_xticks(shown, [f"{x:,.0f}" for x in shown])
    axes.set_xticks([], [], minor=True)
