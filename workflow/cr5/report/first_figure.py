"""Success@k of four systems, means over all directions: a run's result in one panel."""

from collections.abc import Mapping, Sequence
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cr5.report.canvas import BANDS, draw_curve, drawn, look, no_math
from cr5.report.frames import select
from cr5.report.markup import count_cell
from cr5.report.names import FLOOR, OURS, UNDECLARED, Systems, setting_name, similarity_name

MOST = 4
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MARKED = TICKS[:7]
SIZE = (6.6, 3.9)  # inches
PANEL = (0.085, 0.155, 0.60, 0.765)  # of the figure; labels are to the right of it
APART = 10.5  # distance of labels, in percentage points
LONGEST = 31  # characters per line of a label
GREY = "0.4"


def first_figure(
    curves: pd.DataFrame,
    similarity: str,
    task: str = "documents",
    systems: Systems = UNDECLARED,
) -> Figure:
    """Draw the setting with the most directions, with labels at the lines.

    Args:
        curves: means over directions, see `scores.summary.mean_curves`.
        similarity: which rows to draw.
        task: the task to draw.
        systems: how they are named and drawn.

    Raises:
        UserError: no row has the similarity or the task.
    """
    curves = select(curves, "task", task, "mean_curves")
    curves = select(curves, "similarity", similarity, "mean_curves")
    setting = curves.loc[curves["directions"].idxmax(), "setting"]
    curves = curves[curves["setting"] == setting].sort_values("k", kind="stable")
    with drawn(layout=None) as figure:
        figure.set_size_inches(*SIZE)
        axes = figure.add_axes(PANEL)
        four = chosen(curves, systems)
        for system in four:
            _draw(axes, curves[curves["system"] == system], look(systems, system))
        _scale(axes, int(curves["k"].max()), similarity)
        _label(axes, curves, four, systems)
        axes.set_title(_title(curves), loc="left", color=GREY)
    return figure


def chosen(curves: pd.DataFrame, systems: Systems = UNDECLARED) -> list[str]:
    """Choose the best system, Cr5, the best of word vectors, and the floor, by falling Success@1.

    If one of them is missing, or is the best, the next best of all takes its place.
    """
    at_one = curves[curves["k"] == curves["k"].min()].set_index("system")["value"]
    order = list(at_one.sort_values(ascending=False, kind="stable").index)
    of_vectors = [system for system in order if systems.maps_vectors(system)]
    wanted = [order[0], OURS, *of_vectors[:1], FLOOR]
    there = list(dict.fromkeys(x for x in wanted if x in order))
    there += [x for x in order if x not in there][: MOST - len(there)]
    return [system for system in order if system in there]


def _draw(axes: Axes, curve: pd.DataFrame, style: Mapping[str, str]) -> None:
    marked = [place for place, k in enumerate(curve["k"]) if k in MARKED]
    line = {"markevery": marked, "linewidth": 1.6, **style}
    draw_curve(axes, curve["k"], curve, line, alpha=0.16)


def _scale(axes: Axes, largest: int, similarity: str) -> None:
    axes.set_xscale("log")
    axes.set_xlim(0.9, max(largest, 2))
    ticks = [k for k in TICKS if k <= largest]
    axes.set_xticks(ticks, map(str, ticks))
    axes.set_xticks([], [], minor=True)
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20))
    axes.set_xlabel("k nearest candidates (logarithmic)")
    axes.set_ylabel(f"Success@k in %, {similarity_name(similarity)}")


def _label(axes: Axes, curves: pd.DataFrame, four: Sequence[str], systems: Systems) -> None:
    """Name each line at its end, with its Success@1, and explain the bands."""
    lines = [100 * curves.loc[curves["system"] == system, "value"] for system in four]
    ends = [values.iloc[-1] for values in lines]
    for system, values, end, place in zip(four, lines, ends, apart(ends), strict=True):
        colour = look(systems, system)["color"]
        arrow = {"arrowstyle": "-", "color": colour, "shrinkA": 2, "shrinkB": 2, "relpos": (0, 0.5)}
        axes.annotate(
            f"{fill(no_math(systems.title(system)), LONGEST)}\nSuccess@1 {values.iloc[0]:.1f}",
            (1, end),
            (1.05, place),
            xycoords=("axes fraction", "data"),
            va="center",
            annotation_clip=False,
            arrowprops=arrow,
        )
    # below the labels, where no curve is
    axes.text(1.05, -0.09, BANDS, transform=axes.transAxes, va="top", color=GREY)


def apart(places: Sequence[float]) -> list[float]:
    """Move labels up until they do not overlap, and down again if that is too high.

    Of several in one place the first is the highest.
    """
    order = sorted(range(len(places)), key=lambda i: (places[i], -i))
    found, below = list(places), -APART
    for i in order:
        found[i] = below = max(places[i], below + APART)
    above = 100.0 + APART
    for i in reversed(order):
        found[i] = above = min(found[i], above - APART)
    return found


def _title(curves: pd.DataFrame) -> str:
    first = curves.iloc[0]
    directions, queries = first["directions"], count_cell(first["n_queries"])
    over = "one direction" if directions == 1 else f"mean over {directions:.0f} directions"
    candidates = count_cell(curves["n_candidates"].mean())
    return f"{setting_name(first['setting'])}: {over}, {queries} queries, {candidates} candidates"
