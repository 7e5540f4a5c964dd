"""What all figures share: colours, sizes, style, and how they are written."""

import math
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib.style
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cr5.base import origin
from cr5.base.files import atomic_file
from cr5.base.origin import Origin
from cr5.report.names import Systems

# Okabe and Ito's colours, without the yellow, which is hard to see on white. In greyscale, markers
# distinguish systems and line styles settings.
COLOURS = [
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"),
    *("#8C510A", "#7B4FA3", "#8A8A8A"),  # ours, for runs of many systems
]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
OTHER_LINES = ["-.", ":"]
FOOT_STYLE = {"fontsize": 4.5, "color": "0.5", "va": "bottom"}
CHANCE = {"color": "0.6", "linewidth": 0.8, "linestyle": ":"}
BANDS = "bands: 95 % intervals"

# inches
LINE = 0.17
MARGIN = 0.2
FOOT = 0.12  # of the line with a figure's origin
GAP = 0.02
DPI = 150
DIGITS = 6  # of a place, as a fraction of the figure
STYLE = {
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
}
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def look(systems: Systems, system: str) -> dict[str, str]:
    """Return colour and marker of a system: the same in all figures, whatever else is in a run.

    The first system that declares a colour has it. The others get those that follow from their
    names, or the next ones that no other system has.
    """
    return _looks(systems).get(system) or _free(zlib.crc32(system.encode()))


def _looks(systems: Systems) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for system in systems.declared:
        colour = systems.colour(system)
        if colour and colour not in [of["color"] for of in found.values()]:
            place = COLOURS.index(colour) if colour in COLOURS else 0
            found[system] = {"color": colour, "marker": MARKERS[place % len(MARKERS)]}
    for system in systems.declared:
        found[system] = found.get(system) or _own(system, found.values())
    return found


def _own(system: str, others: Collection[Mapping[str, str]]) -> dict[str, str]:
    """Return the first pair, from where the name says, that no other has; a new colour if any."""
    colours, start = {x["color"] for x in others}, zlib.crc32(system.encode())
    pairs = [_free(start + n) for n in range(len(COLOURS) * len(MARKERS))]
    new = [x for x in pairs if x["color"] not in colours]
    return next(iter(new or [x for x in pairs if x not in others] or pairs))


def _free(number: int) -> dict[str, str]:
    """Return a pair; neighbours differ in both."""
    turn, place = divmod(number, len(COLOURS))
    return {"color": COLOURS[place], "marker": MARKERS[(place + turn) % len(MARKERS)]}


def no_math(text: str) -> str:
    """Escape dollar signs, which would start math mode."""
    return text.replace("$", r"\$")


def draw_curve(
    axes: Axes, x: pd.Series, values: pd.DataFrame, style: Mapping[str, Any], alpha: float
) -> None:
    """Draw a curve in percent, with its intervals as a light band.

    Args:
        axes: to draw on.
        x: (points,).
        values: points x value, ci_low and ci_high, fractions.
        style: of the line.
        alpha: of the band.
    """
    axes.plot(x, 100 * values["value"], **style)
    low, high = 100 * values["ci_low"], 100 * values["ci_high"]
    axes.fill_between(x, low, high, color=style["color"], alpha=alpha, linewidth=0)


def curve_entries(styles: Mapping[str, Mapping[str, Any]]) -> dict[str, Artist]:
    """Return the legend's entries for curves by name, and for chance and bands."""
    entries: dict[str, Artist] = {
        no_math(name): Line2D([], [], **style) for name, style in styles.items()
    }
    entries["chance"] = Line2D([], [], **CHANCE)
    return {**entries, BANDS: Patch(color="0.4", alpha=0.2, linewidth=0)}


def save_figure(figure: Figure, stem: str | Path, source: Origin) -> None:
    """Write `stem`.svg, `stem`.pdf and `stem`.png, with the origin at the foot.

    The same figure of the same origin gives the same bytes.
    """
    origin.write(f"{stem}.json", source)
    with _style():
        place = 0.01, GAP / figure.get_figheight()
        figure.text(*place, f"Made from {source}.", **FOOT_STYLE)
        for ending, metadata in METADATA.items():
            with atomic_file(f"{stem}.{ending}") as path:
                figure.savefig(path, metadata=metadata, dpi=DPI)


@contextmanager
def _style() -> Iterator[None]:
    """Draw in the common style, unaffected by a user's own matplotlibrc."""
    with matplotlib.style.context(["default", STYLE]):
        yield


@contextmanager
def drawn(layout: str | None = "constrained") -> Iterator[Figure]:
    """Yield a figure to draw on; its layout is solved here once, not for each format."""
    with _style():
        figure = Figure(layout=layout)
        FigureCanvasAgg(figure)
        yield figure
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        _round_places(figure)


def _round_places(figure: Figure) -> None:
    """Round where the axes are: last digits of the layout's solver depend on memory addresses."""
    for axes in figure.axes:
        axes.set_position([round(x, DIGITS) for x in axes.get_position(original=True).bounds])


def say(figure: Figure, text: str) -> None:
    """Write a text in place of panels."""
    figure.set_size_inches(3, 1)
    figure.text(0.5, 0.5, text, ha="center")


def set_size(figure: Figure, width: float, above: float, entries: int, columns: int) -> None:
    """Leave room below the panels for the legend and the line with the origin.

    Args:
        figure: with constrained layout.
        width: width of the figure, in inches.
        above: height of the panels, in inches.
        entries: number of legend entries.
        columns: number of legend columns.
    """
    below = FOOT + MARGIN + math.ceil(entries / columns) * LINE
    height = above + below
    figure.set_size_inches(width, height)
    figure.get_layout_engine().set(rect=(0, below / height, 1, 1 - below / height))


def add_legend(figure: Figure, entries: Mapping[str, Artist], columns: int) -> None:
    """Put the legend where `set_size` left room."""
    place = {"loc": "lower center", "bbox_to_anchor": (0.5, FOOT / figure.get_figheight())}
    figure.legend(entries.values(), entries.keys(), **place, ncols=columns)
