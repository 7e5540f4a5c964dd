"""What all figures share: colours, style, panels of curves, and how they are written."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cr5.report.names import Systems, words

# Okabe and Ito's colours, without the yellow, which is hard to see on white. In greyscale, markers
# distinguish systems and line styles settings.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"]
COLOURS += ["#8C510A", "#7B4FA3", "#8A8A8A"]  # ours, for runs of many systems
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
LINES = ["-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (6, 2, 1, 2, 1, 2, 1, 2))]
MARKED = (1, 2, 5, 10, 20, 50, 100)
FEW_POINTS = 40  # of a curve: all are marked
ALONE = (4.6, 3.6)  # inches of a panel
ONE_OF_MANY = (2.7, 2.1)
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
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


@dataclass(frozen=True)
class Drawn:
    """A figure and its numbers."""

    figure: Figure
    numbers: pd.DataFrame


def looks(systems: Systems) -> dict[str, dict[str, str]]:
    """Return colour and marker of each declared system, the same in all figures of a run.

    The first system that declares a colour has it; the others get those that no other has.
    """
    owner: dict[str, str] = {}  # by colour
    for system, facts in systems.root.items():
        if facts.colour:
            owner.setdefault(facts.colour, system)
    free = [colour for colour in COLOURS if colour not in owner]
    free_colours = cycle(free or COLOURS)
    markers = cycle(MARKERS)
    styles = {}
    for system, facts in systems.root.items():
        colour = facts.colour
        if not colour or owner[colour] != system:
            colour = next(free_colours)
        styles[system] = {"color": colour, "marker": next(markers)}
    return styles


def save(figure: Figure, stem: str | Path, foot: str) -> None:
    """Write `stem`.svg, .pdf and .png, with what made it at the foot, always the same bytes."""
    with styled():
        figure.set_layout_engine(None)  # it is laid out: else each file would be drawn twice
        figure.text(0.01, 0, foot, fontsize=4.5, color="0.5", va="top")
        drawn = figure.get_tightbbox()  # the legend stands beside panels
        box = drawn.padded(0.1)  # inches
        for ending, metadata in METADATA.items():
            figure.savefig(f"{stem}.{ending}", metadata=metadata, bbox_inches=box)


def panels(
    frame: pd.DataFrame, x_label: str, y_label: str, systems: Systems, numbers: pd.DataFrame
) -> Drawn | None:
    """Draw curves, if there are any: a panel per value of `panel`, a curve per system and line.

    The frame has panel, system (its colour), line (a setting or nothing, its style), x and value, a
    fraction; and, if there are any, ci_low and ci_high, chance and chosen (rings).
    """
    if frame.empty:
        return None
    groups = frame.groupby("panel", sort=False)
    n_panels = len(groups)
    n_columns = math.ceil(math.sqrt(n_panels))
    n_rows = math.ceil(n_panels / n_columns)
    width, height = ALONE if n_columns == 1 else ONE_OF_MANY
    characters = int(14 * width)  # of a line of a title
    highest = frame.filter(["value", "ci_high"]).max(axis=None)
    limits = (0, 1.05 * highest)
    lines = frame["line"].unique()
    curves = _Curves(systems, lines)
    with styled():
        figure = Figure((n_columns * width, n_rows * height))
        for number, (title, panel) in enumerate(groups, 1):
            axes = figure.add_subplot(n_rows, n_columns, number, ylim=limits)
            axes.set_title(fill(title, characters))
            axes.yaxis.set_major_formatter("{x:.0%}")
            curves.draw_panel(axes, panel)
        figure.supxlabel(x_label)
        figure.supylabel(y_label)
        figure.tight_layout()
        _legend(figure)
    return Drawn(figure, numbers)


class _Curves:
    """Draws the curves of panels, of which each system and each line looks the same in all."""

    def __init__(self, systems: Systems, lines: Sequence[str]):
        self.systems = systems
        self.looks = looks(systems)
        self.styles = dict(zip(lines, cycle(LINES), strict=False))

    def draw_panel(self, axes: Axes, panel: pd.DataFrame) -> None:
        """Draw the curves over numbers or, if not all are any, over words."""
        values = panel["x"]
        numbers = pd.to_numeric(values, errors="coerce")
        if numbers.isna().any():
            in_words = panel.assign(x=values.astype(str))
            self.draw(axes, in_words)
        else:
            in_numbers = panel.assign(x=numbers)
            self.draw(axes, in_numbers)
            _scale(axes, np.unique(numbers))

    def draw(self, axes: Axes, panel: pd.DataFrame) -> None:
        """Draw a curve per system and line."""
        for (system, line), curve in panel.groupby(["system", "line"], sort=False):
            look = {
                **self.looks[system],
                "linestyle": self.styles[line],
                "label": self.name(system, line),
            }
            points = curve.sort_values("x", kind="stable")
            _draw_curve(axes, points, look)

    def name(self, system: str, line: str) -> str:
        """Name a curve in the legend."""
        if not line:
            return self.systems.title(system)
        return self.systems.named(system, words(line))


def _draw_curve(axes: Axes, points: pd.DataFrame, look: Mapping[str, Any]) -> None:
    """Draw a curve with its intervals, chance and rings, as far as it has columns of them."""
    x = points["x"]
    y = points["value"]
    colour = look["color"]
    has_few_points = len(points) < FEW_POINTS
    has_marker = x.isin(MARKED) | has_few_points
    axes.plot(x, y, markevery=has_marker.to_numpy(), **look)
    if "ci_low" in points:
        low = points["ci_low"]
        high = points["ci_high"]
        axes.fill_between(x, low, high, color=colour, **BAND)
    if "chance" in points:
        axes.plot(x, points["chance"], **CHANCE)
    if "chosen" in points:
        is_chosen = points["chosen"].astype(bool)
        chosen_x = x[is_chosen]
        chosen_y = y[is_chosen]
        axes.plot(chosen_x, chosen_y, color=colour, **RING)


def _scale(axes: Axes, numbers: np.ndarray) -> None:
    """Use a logarithmic axis with a few of its own numbers as ticks."""
    if numbers[0] <= 0:
        return
    axes.set_xscale("log")
    ticks = list(numbers)
    if len(numbers) > 12:
        marked = [number for number in MARKED if number in numbers]
        ticks = marked or ticks
    step = math.ceil(len(ticks) / 7)
    ticks = ticks[::step]
    labels = [f"{number:,g}" for number in ticks]
    axes.set_xticks(ticks, labels)
    axes.set_xticks([], [], minor=True)


def _legend(figure: Figure) -> None:
    """Name each curve once, and then what all of them have."""
    handle_of: dict[str, Artist] = {}
    for axes in figure.axes:
        handles, labels = axes.get_legend_handles_labels()
        handle_of |= dict(zip(labels, handles, strict=True))
    in_order = sorted(handle_of, key=_is_common)
    n_rows = PER_INCH * figure.get_figheight()
    figure.legend(
        handles=[handle_of[label] for label in in_order],
        loc="upper left",
        bbox_to_anchor=(1, 1),
        ncols=math.ceil(len(handle_of) / n_rows),
    )


def _is_common(label: str) -> bool:
    """Whether all curves have what is so labelled."""
    return label in (CHANCE["label"], RING["label"], BAND["label"])
