"""Success@k as curves, a panel per pair of languages, as in the paper's Figure 2.

The paper calls it P@k: each of its queries has one relevant document, which suffices.
"""

import math
from collections.abc import Iterator
from itertools import chain, count

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.textpath import TextPath

from cr5.report.canvas import (
    CHANCE,
    MARGIN,
    OTHER_LINES,
    STYLE,
    add_legend,
    curve_entries,
    draw_curve,
    drawn,
    look,
    set_size,
)
from cr5.report.frames import labelled, select
from cr5.report.names import UNDECLARED, Systems, direction_order, similarity_name
from cr5.report.notes import FEW_QUERIES
from cr5.report.published import add_published

PLACE = ["system", "task", "query", "target"]
MEANS = ["value", "ci_low", "ci_high", "chance", "n_queries", "n_candidates", "published"]

LINES = {"joint": "-", "pairwise": "--"}
MARKED = (1, 2, 5, 10, 20, 50, 100)
PUBLISHED = (1, 5, 10)

HOLLOW = {
    "markerfacecolor": "none",
    "markersize": 6,
    "markeredgewidth": 0.8,
    "linewidth": 0.5,
}

# inches
PANEL = (2.1, 1.8)
MIN_WIDTH = 6.0
HANDLE = 0.8


def precision_at_k(
    curves: pd.DataFrame,
    similarity: str,
    show_published: bool = False,
    task: str = "documents",
    systems: Systems = UNDECLARED,
) -> Figure:
    """Draw Success@k over k (logarithmic), a panel per pair, intervals as light bands.

    Curves are the means of both directions. A panel with few queries says how many.

    Args:
        curves: see `scores.summary.curves`.
        similarity: which rows to draw, such as `cosine` or `csls`.
        show_published: add the paper's figures at 1, 5 and 10 as hollow markers.
        task: which rows to draw.
        systems: how they are named and drawn.

    Raises:
        UserError: no row has the similarity or the task, or a row is repeated.
    """
    curves = _select(curves, similarity, task)
    if show_published:
        curves = add_published(curves.assign(metric="Success@" + curves["k"].astype(str)))
    curves = both_directions(curves)
    styles = _styles(curves, systems)
    curves = curves.sort_values("k", kind="stable")
    pairs = sorted(set(zip(curves["query"], curves["target"], strict=True)), key=direction_order)
    columns = math.ceil(math.sqrt(len(pairs)))
    with drawn() as figure:
        for number, (pair, panel) in enumerate(_panels(curves, pairs)):
            axes = figure.add_subplot(math.ceil(len(pairs) / columns), columns, number + 1)
            _draw(axes, panel, styles, show_published, systems)
            # not shared axes: matplotlib's time would grow quadratically with the panels
            _scale(axes, int(curves["k"].max()))
            axes.set_title(_title("–".join(pair), panel))
            _label(axes, number % columns == 0, number + columns >= len(pairs), similarity)
        rows = math.ceil(len(pairs) / columns)
        _legend_and_size(figure, rows, columns, _named(styles, systems), show_published)
    return figure


def both_directions(curves: pd.DataFrame) -> pd.DataFrame:
    """Average the directions of each pair, for every k that both have.

    The mean of two intervals is at least as wide as that of the mean.
    """
    pair = np.sort(curves[["query", "target"]].to_numpy(), axis=1)
    curves = curves.assign(query=pair[:, 0], target=pair[:, 1])
    averaged = [x for x in MEANS if x in curves]
    groups = curves.groupby([x for x in curves if x not in averaged], sort=False, dropna=False)
    means = groups[averaged].mean().assign(directions=groups.size()).reset_index()
    most = means.groupby(["setting", *PLACE])["directions"].transform("max")
    return means[means["directions"] == most]


def _select(curves: pd.DataFrame, similarity: str, task: str) -> pd.DataFrame:
    # labelled before rows are selected, so that a label means the same in all figures of a run
    curves = labelled(curves, PLACE, ["similarity", "k"], "curves")
    return select(select(curves, "task", task, "curves"), "similarity", similarity, "curves")


def _styles(curves: pd.DataFrame, systems: Systems) -> dict[tuple[str, str], dict]:
    """Map each system and label to colour, marker and line, in order of appearance."""
    lines = _lines(curves)
    return {
        (system, label): {**look(systems, system), "linestyle": lines[label]}
        for system, label in curves.groupby(["system", "label"], sort=False).groups
    }


def _lines(curves: pd.DataFrame) -> dict[str, str | tuple]:
    """Give the first label of a known kind that kind's line, and every other label its own."""
    free = dict(LINES)
    dotted = ((0, (6, 2) + (1, 2) * dots) for dots in count(2))
    others = chain(OTHER_LINES, dotted)
    kinds = curves.drop_duplicates("label").set_index("label")["kind"]
    return {label: free.pop(kind, None) or next(others) for label, kind in kinds.items()}


def _panels(curves: pd.DataFrame, pairs: list) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    groups = curves.groupby(["query", "target"])
    for pair in pairs:
        yield pair, groups.get_group(pair)


def _title(name: str, panel: pd.DataFrame) -> str:
    fewest = round(panel["n_queries"].min())
    queries = "query" if fewest == 1 else "queries"
    return name + (f" ({fewest} {queries})" if fewest < FEW_QUERIES else "")


def _draw(
    axes: Axes, panel: pd.DataFrame, styles: dict, show_published: bool, systems: Systems
) -> None:
    # settings may differ in their number of candidates: the higher chance level is fairer
    chance = panel.groupby("k")["chance"].max()
    axes.plot(chance.index, 100 * chance, **CHANCE)
    for (system, name), style in styles.items():
        curve = panel[(panel["system"] == system) & (panel["label"] == name)]
        if curve.empty:
            continue
        marked = [place for place, k in enumerate(curve["k"]) if k in MARKED]
        line = {"markevery": marked, "label": systems.legend(system, name), **style}
        draw_curve(axes, curve["k"], curve, line, alpha=0.15)
        if show_published:
            _draw_published(axes, curve, style)


def _draw_published(axes: Axes, curve: pd.DataFrame, style: dict) -> None:
    points = curve[curve["k"].isin(PUBLISHED)]
    if not points.empty:
        axes.plot(points["k"], 100 * points["published"], **style, **HOLLOW)


def _label(axes: Axes, leftmost: bool, lowest: bool, similarity: str) -> None:
    axes.tick_params(labelleft=leftmost, labelbottom=lowest)
    if leftmost:
        axes.set_ylabel(f"Success@k in %, {similarity_name(similarity)}")
    if lowest:
        axes.set_xlabel("k", labelpad=0)


def _scale(axes: Axes, largest: int) -> None:
    """Set the axes, the same in all panels."""
    axes.set_xscale("log")
    axes.set_xlim(0.85, 1.1 * max(largest, 2))
    ticks = [k for k in (1, 10, 100) if k <= largest]
    axes.set_xticks(ticks, map(str, ticks))
    axes.set_xticks([k for k in MARKED if k <= largest and k not in ticks], [], minor=True)
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 25))


def _named(styles: dict, systems: Systems) -> dict[str, dict]:
    return {systems.legend(*key): style for key, style in styles.items()}


def _legend_and_size(
    figure: Figure, rows: int, columns: int, shown: dict, show_published: bool
) -> None:
    if show_published:
        shown["published"] = {"color": "0.4", "marker": "o", "linestyle": "none", **HOLLOW}
    legend = curve_entries(shown)
    entries = [_inches(label) + HANDLE for label in legend]
    width = max(columns * PANEL[0], MIN_WIDTH, max(entries) + MARGIN)
    places = _places(entries, width - MARGIN)
    set_size(figure, width, rows * PANEL[1], len(legend), places)
    add_legend(figure, legend, places)


def _places(entries: list[float], width: float) -> int:
    """Return the largest number of legend columns that fit, each as wide as its widest entry."""
    fits = (
        places
        for places in range(len(entries), 1, -1)
        # in matplotlib's order
        if sum(max(column) for column in np.array_split(entries, places)) <= width
    )
    return next(fits, 1)


def _inches(label: str) -> float:
    return TextPath((0, 0), label, size=STYLE["font.size"]).get_extents().width / 72
