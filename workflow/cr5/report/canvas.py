"""What all figures share: colours, style, panels of curves, and how they are written."""

import math
from functools import partial
from itertools import cycle
from pathlib import Path
from textwrap import fill

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cr5.report.names import Systems, words

# Okabe and Ito's colours, without the yellow, which is hard to see on white. In greyscale, markers
# distinguish systems and line styles settings.
COLOURS = [
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"),
    *("#8C510A", "#7B4FA3", "#8A8A8A"),  # ours, for runs of many systems
]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
LINES = ["-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (6, 2, 1, 2, 1, 2, 1, 2))]
MARKED = (1, 2, 5, 10, 20, 50, 100)
ALONE, ONE_OF_MANY = (4.6, 3.6), (2.7, 2.1)  # inches of a panel
PER_INCH = 6  # entries of a legend
CHANCE = {"color": "0.6", "linewidth": 0.8, "linestyle": ":", "label": "chance"}
BAND = {"alpha": 0.15, "linewidth": 0, "label": "95 % intervals"}
RING = {"marker": "o", "markersize": 8, "fillstyle": "none", "linestyle": "", "label": "chosen"}
STYLE = [
    "default",  # whatever a user's own matplotlibrc says
    {
        "font.size": 8,
        "axes.titlesize": 8,
        "figure.labelsize": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "0.92",
        "lines.linewidth": 1.2,
        "lines.markersize": 3.5,
        "legend.frameon": False,
        "legend.handlelength": 4,  # long enough to distinguish line styles
        "savefig.dpi": 150,
        "text.parse_math": False,  # dollars are dollars
        "svg.hashsalt": "cr5",
        "svg.fonttype": "path",  # the same picture if the font is not installed
        "pdf.fonttype": 42,
    },
]
styled = partial(matplotlib.style.context, STYLE)
Drawn = tuple[Figure, pd.DataFrame]  # and its numbers
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def looks(systems: Systems) -> dict[str, dict[str, str]]:
    """Colour and marker of each declared system, the same in all figures of a run.

    The first system that declares a colour has it; the others get those that no other has.
    """
    first = {systems.said(x, "colour"): x for x in reversed(list(systems.declared))}
    own = {x: colour for colour, x in first.items() if colour}
    free = cycle([x for x in COLOURS if x not in own.values()] or COLOURS)
    return {
        system: {"color": own.get(system) or next(free), "marker": marker}
        for system, marker in zip(systems.declared, cycle(MARKERS), strict=False)
    }


def save(figure: Figure, stem: str | Path, made: str) -> None:
    """Write `stem`.svg, .pdf and .png, with what made it at the foot, always the same bytes."""
    with styled():
        figure.text(0.01, 0, made, fontsize=4.5, color="0.5", va="top")
        all_of_it = figure.get_tightbbox().padded(0.1)  # inches; the legend stands beside panels
        for ending, metadata in METADATA.items():
            figure.savefig(f"{stem}.{ending}", metadata=metadata, bbox_inches=all_of_it)


def panels(
    frame: pd.DataFrame, x_label: str, y_label: str, systems: Systems, data: pd.DataFrame
) -> Drawn | None:
    """Draw curves, if there are any: a panel per value of `panel`, a curve per system and line.

    The frame has panel, system (its colour), line (a setting or nothing, its style), x and value, a
    fraction; and, if there are any, ci_low and ci_high, chance and chosen (rings).
    """
    if frame.empty:
        return None
    groups, styles = frame.groupby("panel", sort=False), looks(systems)
    lines = dict(zip(frame["line"].unique(), cycle(LINES), strict=False))
    columns = math.ceil(math.sqrt(len(groups)))
    rows = math.ceil(len(groups) / columns)
    width, height = ALONE if columns == 1 else ONE_OF_MANY
    highest = 1.05 * frame.filter(["value", "ci_high"]).max(axis=None)
    with styled():
        figure = Figure((columns * width, rows * height))
        for number, (title, panel) in enumerate(groups, 1):
            axes = figure.add_subplot(rows, columns, number, ylim=(0, highest))
            axes.set_title(fill(title, int(14 * width)))
            axes.yaxis.set_major_formatter("{x:.0%}")
            numbers = pd.to_numeric(panel["x"], errors="coerce")
            is_text = numbers.isna().any()
            panel = panel.assign(x=panel["x"].astype(str) if is_text else numbers)
            for (system, line), curve in panel.groupby(["system", "line"], sort=False):
                name = systems.named(system, words(line)) if line else systems.title(system)
                look = {**styles[system], "linestyle": lines[line], "label": name}
                _curve(axes, curve.sort_values("x", kind="stable"), look)
            if not is_text:
                _scale(axes, np.unique(panel["x"]))
        figure.supxlabel(x_label)
        figure.supylabel(y_label)
        figure.tight_layout()
        _legend(figure)
    return figure, data


def _curve(axes: Axes, curve: pd.DataFrame, look: dict) -> None:
    marked = (curve["x"].isin(MARKED) | (len(curve) < 40)).to_numpy()
    axes.plot(curve["x"], curve["value"], markevery=marked, **look)
    if "ci_low" in curve:
        ends = curve["ci_low"], curve["ci_high"]
        axes.fill_between(curve["x"], *ends, color=look["color"], **BAND)
    if "chance" in curve:
        axes.plot(curve["x"], curve["chance"], **CHANCE)
    if "chosen" in curve:
        ring = curve[curve["chosen"].astype(bool)]
        axes.plot(ring["x"], ring["value"], color=look["color"], **RING)


def _scale(axes: Axes, there: np.ndarray) -> None:
    """Use a logarithmic axis with a few of its own values as ticks."""
    if there[0] > 0:
        axes.set_xscale("log")
        shown = [x for x in MARKED if x in there] if len(there) > 12 else there
        few = shown[:: math.ceil(len(shown) / 7)]
        axes.set_xticks(few, [f"{x:,g}" for x in few])
        axes.set_xticks([], [], minor=True)


def _legend(figure: Figure) -> None:
    """Name each curve once, and then what all of them have."""
    every = [x for axes in figure.axes for x in axes.get_legend_handles_labels()[0]]
    found = {x.get_label(): x for x in every}
    last = [x["label"] for x in (CHANCE, RING, BAND)]
    figure.legend(
        handles=sorted(found.values(), key=lambda x: x.get_label() in last),
        loc="upper left",
        bbox_to_anchor=(1, 1),
        ncols=math.ceil(len(found) / (PER_INCH * figure.get_figheight())),
    )
