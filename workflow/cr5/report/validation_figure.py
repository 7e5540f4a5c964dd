"""Figures of validation queries over hyperparameters, one panel per setting and option."""

import math
from collections.abc import Iterator
from itertools import cycle

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cr5.fitting.criteria import CRITERIA
from cr5.report.canvas import COLOURS, MARKERS, add_legend, drawn, say, set_size
from cr5.report.names import system_name
from cr5.report.validation import KEYS

COLUMNS, PLACES = 3, 4  # of panels, and in a line of the legend
SMALL = (2.3, 1.9)  # inches
APART = 0.18  # labels of an axis, as a share of it
OPTIONS = {"ridge": "ridge (λ)", "rank": "rank (r)"}
RING = {"marker": "o", "markersize": 8, "markerfacecolor": "none", "linestyle": "none"}


def validation_figure(grids: pd.DataFrame) -> Figure:
    """Draw the criterion over each option that has more than one value, chosen ones in a ring.

    Where a grid has several options, each value has the best that was found with it.

    Args:
        grids: of `report.validation`.
    """
    means = grids[grids["query"] == ""]
    varied = means.groupby(["setting", "option"])["value"].transform("nunique") > 1
    panels = list(means[varied].groupby(["setting", "option"], sort=False))
    looks = dict(zip(means["system"].unique(), zip(cycle(COLOURS), cycle(MARKERS)), strict=False))
    with drawn() as figure:
        if panels:
            _panels(figure, panels, looks)
            _legend(figure, looks)
        else:
            say(figure, "Nothing was chosen\non validation queries.")
    return figure


def _panels(figure: Figure, panels: list, looks: dict) -> None:
    _size(figure, len(panels), len(looks))
    columns = min(COLUMNS, len(panels))
    for number, ((setting, option), panel) in enumerate(panels, start=1):
        axes = figure.add_subplot(math.ceil(len(panels) / columns), columns, number)
        _draw(axes, panel, looks)
        axes.set_title(setting)
        axes.set_xlabel(OPTIONS.get(option, option), labelpad=0)


def _size(figure: Figure, panels: int, systems: int) -> None:
    """Leave room for the legend and the line that says where the figure comes from."""
    columns = min(COLUMNS, panels)
    above = math.ceil(panels / columns) * SMALL[1]
    set_size(figure, max(2, columns) * SMALL[0], above, systems + 1, PLACES)


def _draw(axes: Axes, panel: pd.DataFrame, looks: dict) -> None:
    criterion = CRITERIA[panel["criterion"].iloc[0]]
    place, labels = _places(panel["value"])
    for key, curve in panel.groupby(KEYS, sort=False):
        colour, marker = looks[dict(zip(KEYS, key, strict=True))["system"]]
        by_value = curve.groupby("value", sort=False)["score"]
        best = (by_value.min() if criterion.smaller_is_better else by_value.max()).sort_index(
            key=lambda values: values.map(place)
        )
        axes.plot(best.index.map(place), best, color=colour, marker=marker)
        chosen = curve[curve["chosen"]]
        axes.plot(chosen["value"].map(place), chosen["score"], color=colour, **RING)
    _scale(axes, labels, [place[value] for value in place])
    axes.set_ylabel(criterion.title)


def _places(values: pd.Series) -> tuple[dict, list[str] | None]:
    """Where each value stands: at itself, or, if it is no number, in its turn, by name."""
    found = list(dict.fromkeys(values))
    if any(isinstance(value, str) for value in found):
        return {value: float(i) for i, value in enumerate(found)}, [str(x) for x in found]
    return {value: float(value) for value in found}, None


def _scale(axes: Axes, labels: list[str] | None, places: list[float]) -> None:
    if labels is not None:
        axes.set_xticks(places, labels)
    elif min(places) > 0:
        axes.set_xscale("log")
        ticks = sorted(set(places))
        shown = list(_apart(ticks))
        axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
        axes.set_xticks(ticks, [], minor=True)


def _apart(ticks: list[float]) -> Iterator[float]:
    """Those that leave room for a label; on a logarithmic axis."""
    last, room = 0.0, (ticks[-1] / ticks[0]) ** APART
    for tick in ticks:
        if tick >= last * room:
            yield tick
            last = tick


def _legend(figure: Figure, looks: dict) -> None:
    handles = {
        system_name(system).replace("$", r"\$"): Line2D([], [], color=colour, marker=marker)
        for system, (colour, marker) in looks.items()
    }
    handles["chosen"] = Line2D([], [], color="0.4", **RING)
    add_legend(figure, handles.values(), handles.keys(), min(PLACES, len(handles)))
