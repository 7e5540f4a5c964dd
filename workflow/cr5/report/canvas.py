"""What all figures share: colours, sizes, style, panels of curves, and how they are written."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, cycle
from pathlib import Path
from textwrap import fill

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cr5.report.names import Systems

# Okabe and Ito's colours, without the yellow, which is hard to see on white. In greyscale, markers
# distinguish systems and line styles settings.
COLOURS = [
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"),
    *("#8C510A", "#7B4FA3", "#8A8A8A"),  # ours, for runs of many systems
]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
LINES = ["-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (6, 2, 1, 2, 1, 2, 1, 2))]
MARKED = (1, 2, 5, 10, 20, 50, 100)
CHANCE = {"color": "0.6", "linewidth": 0.8, "linestyle": ":"}
RING = {"marker": "o", "markersize": 8, "markerfacecolor": "none", "linestyle": "none"}
DPI = 150
DIGITS = 6  # of a place, as a fraction of the figure
CHARACTER, HANDLE = 0.065, 0.85  # inches, of a legend
STYLE = [
    "default",  # whatever a user's own matplotlibrc says
    {
        "font.size": 8,
        "axes.titlesize": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "0.92",
        "lines.linewidth": 1.2,
        "lines.markersize": 3.5,
        "legend.frameon": False,
        "legend.handlelength": 4,  # long enough to distinguish line styles
        "svg.hashsalt": "cr5",
        "svg.fonttype": "path",  # the same picture if the font is not installed
        "pdf.fonttype": 42,
    },
]
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def looks(systems: Systems) -> dict[str, dict[str, str]]:
    """Colour and marker of each declared system, the same in all figures of a run.

    The first system that declares a colour has it; the others get those that no other has.
    """
    own = [systems.said(x, "colour") for x in systems.declared]
    free = chain((x for x in COLOURS if x not in own), cycle(COLOURS))
    found: dict[str, dict[str, str]] = {}
    for place, (system, colour) in enumerate(zip(systems.declared, own, strict=True)):
        colour = colour if colour and colour not in own[:place] else next(free)
        marker = MARKERS[(place + place // len(MARKERS)) % len(MARKERS)]
        found[system] = {"color": colour, "marker": marker}
    return found


@contextmanager
def drawn(width: float, height: float) -> Iterator[Figure]:
    """Yield a figure of a size in inches; its layout is solved once."""
    with matplotlib.style.context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        yield figure
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for axes in figure.axes:  # last digits of the solver depend on memory addresses
            place = axes.get_position(original=True).bounds
            axes.set_position([round(x, DIGITS) for x in place])


def save(figure: Figure, stem: str | Path, made: str) -> None:
    """Write `stem`.svg, .pdf and .png, with what made it at the foot, always the same bytes."""
    with matplotlib.style.context(STYLE):
        figure.text(0.01, 0.005, made, fontsize=4.5, color="0.5", va="bottom")
        for ending, metadata in METADATA.items():
            figure.savefig(f"{stem}.{ending}", metadata=metadata, dpi=DPI)


def no_math(text: str) -> str:
    """Escape dollar signs, which would start math mode."""
    return text.replace("$", r"\$")


def panels(
    frame: pd.DataFrame,
    x_label: str,
    y_label: str,
    systems: Systems,
    columns: int = 3,
    size: tuple[float, float] = (2.3, 1.9),
    highest: float | None = None,
    beside: bool = False,
) -> Figure:
    """Draw curves, a panel of a size in inches per value of `panel`, a curve per `label`.

    The frame has panel, label, system (its colour), line (number of its style), x and y; and, if
    there are any, low and high (a band), chance, chosen (rings) and tick (a text at x). Vertical
    axes go from 0 to the highest; the legend stands below or beside.
    """
    groups, styles = dict(iter(frame.groupby("panel", sort=False))), looks(systems)
    columns = min(columns, len(groups))
    rows = math.ceil(len(groups) / columns)
    entries = _entries(frame, styles)
    longest = HANDLE + CHARACTER * max(map(len, entries))
    width = max(columns * size[0] + beside * longest, 4.0, 0.0 if beside else longest)
    places = 1 if beside else min(len(entries), max(1, int(width / longest)))
    below = 0.0 if beside else 0.17 * math.ceil(len(entries) / places)
    with drawn(width, rows * size[1] + below + 0.15) as figure:
        figure.get_layout_engine().set(rect=(0, 0.02, 1, 0.98))
        ends = highest or 1.05 * float(frame[[x for x in ("y", "high") if x in frame]].max().max())
        for number, (title, panel) in enumerate(groups.items()):
            axes = figure.add_subplot(rows, columns, number + 1)
            for label, curve in panel.groupby("label", sort=False):
                _curve(axes, label, curve.sort_values("x", kind="stable"), styles)
            _scale(axes, panel)
            axes.set_ylim(0, ends)
            axes.set_title(fill(no_math(title), int(14 * size[0])))
            if number % columns == 0:
                axes.set_ylabel(y_label)
            if number + columns >= len(groups):
                axes.set_xlabel(x_label)
        place = "outside right upper" if beside else "outside lower center"
        figure.legend(entries.values(), map(no_math, entries), loc=place, ncols=places)
    return figure


def _look(curve: pd.DataFrame, styles: Mapping) -> dict:
    first = curve.iloc[0]
    return {**styles[first["system"]], "linestyle": LINES[first["line"] % len(LINES)]}


def _entries(frame: pd.DataFrame, styles: Mapping) -> dict[str, Line2D]:
    groups = frame.groupby("label", sort=False)
    entries = {label: Line2D([], [], **_look(curve, styles)) for label, curve in groups}
    more = {"chance": CHANCE, "chosen": {"color": "0.4", **RING}}
    entries |= {name: Line2D([], [], **more[name]) for name in more if name in frame}
    if "low" in frame:
        band = {"color": "0.4", "alpha": 0.2, "linewidth": 6}
        entries["bands: 95 % intervals"] = Line2D([], [], **band)
    return entries


def _curve(axes: Axes, label: str, curve: pd.DataFrame, styles: Mapping) -> None:
    look = _look(curve, styles)
    marked = [i for i, x in enumerate(curve["x"]) if x in MARKED or len(curve) < 40]
    axes.plot(curve["x"], curve["y"], label=label, markevery=marked, **look)
    if "low" in curve:
        band = {"color": look["color"], "alpha": 0.15, "linewidth": 0}
        axes.fill_between(curve["x"], curve["low"], curve["high"], **band)
    if "chance" in curve:
        axes.plot(curve["x"], curve["chance"], **CHANCE)
    if "chosen" in curve:
        ring = curve[curve["chosen"].astype(bool)]
        axes.plot(ring["x"], ring["y"], color=look["color"], **RING)


def _scale(axes: Axes, panel: pd.DataFrame) -> None:
    """Use a logarithmic axis with a few of its own values as ticks, or the texts of ticks."""
    there = np.unique(panel["x"].astype(float))
    if "tick" in panel and panel["tick"].notna().any():
        named = panel.drop_duplicates("x").sort_values("x")
        axes.set_xticks(named["x"], named["tick"])
    elif there[0] > 0:
        axes.set_xscale("log")
        shown = [x for x in MARKED if x in there] if len(there) > 12 else there
        few = [x for k, x in enumerate(shown) if k % math.ceil(len(shown) / 7) == 0]
        axes.set_xticks(few, [f"{x:,g}" for x in few])
        axes.set_xticks([], [], minor=True)
