"""Validation scores over hyperparameters, one panel per setting and option."""

import math
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from pandas.core.groupby import SeriesGroupBy

from cr5.fitting.criteria import CRITERIA, Criterion
from cr5.report.canvas import add_legend, drawn, look, say, set_size
from cr5.report.names import setting_name, system_name
from cr5.report.validation import KEYS

COLUMNS, PLACES = 3, 4  # of panels, and per line of the legend
SMALL = (2.3, 1.9)  # inches
APART = 0.18  # distance of an axis's labels, as a share of it
ROOM = 0.05  # above the highest ring, likewise
LONGEST = 28  # characters per line of a title
OPTIONS = {"ridge": "ridge (λ)", "dimension": "dimension"}
DIMENSION = {"rank": "dimension"}  # Cr5's name for it
RING = {"marker": "o", "markersize": 8, "markerfacecolor": "none", "linestyle": "none"}


def validation_figure(grids: pd.DataFrame) -> Figure:
    """Draw the criterion over each option with more than one value; chosen values have a ring.

    If a grid has several options, each value has the best score found with it.

    Args:
        grids: from `report.validation`.
    """
    means = over_pairs(grids)
    varied = means.groupby(["setting", "option"])["value"].transform("nunique") > 1
    panels = list(means[varied].groupby(["setting", "option"], sort=False))
    looks = of_systems(means)
    with drawn() as figure:
        if panels:
            _panels(figure, panels, looks)
            legend(figure, looks)
        else:
            say(figure, "Nothing was chosen\non validation queries.")
    return figure


def over_pairs(grids: pd.DataFrame) -> pd.DataFrame:
    """Return the means over directed pairs; Cr5's rank is renamed to dimension."""
    means = grids[(grids["query"] == "") | grids["query"].isna()]  # files have nan for empty
    return means.replace({"option": DIMENSION})


def of_systems(means: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the look of each system's curve, as keywords for lines."""
    return {system: look(system) for system in means["system"].unique()}


def best_of(scores: SeriesGroupBy, criterion: Criterion) -> pd.Series:
    """Return the best score of each group."""
    return scores.min() if criterion.smaller_is_better else scores.max()


def _panels(figure: Figure, panels: list, looks: dict) -> None:
    _size(figure, len(panels), len(looks))
    columns = min(COLUMNS, len(panels))
    for number, ((setting, option), panel) in enumerate(panels, start=1):
        axes = figure.add_subplot(math.ceil(len(panels) / columns), columns, number)
        _draw(axes, panel, looks)
        axes.set_title(fill(setting_name(setting), LONGEST))
        axes.set_xlabel(OPTIONS.get(option, option.replace("_", " ")), labelpad=0)
    same_heights(figure.axes)


def same_heights(every: Sequence[Axes]) -> None:
    """Give all panels of a criterion the same axis, to make them comparable."""
    for name in {axes.get_ylabel() for axes in every}:
        alike = [axes for axes in every if axes.get_ylabel() == name]
        lows, highs = zip(*(axes.get_ylim() for axes in alike), strict=True)
        for axes in alike:
            axes.set_ylim(min(lows), max(highs) + ROOM * (max(highs) - min(lows)))


def _size(figure: Figure, panels: int, systems: int) -> None:
    """Leave room for the legend and the line with the origin."""
    columns = min(COLUMNS, panels)
    above = math.ceil(panels / columns) * SMALL[1]
    set_size(figure, max(2, columns) * SMALL[0], above, systems + 1, PLACES)


def _draw(axes: Axes, panel: pd.DataFrame, looks: dict) -> None:
    criterion = CRITERIA[panel["criterion"].iloc[0]]
    place, labels = _places(panel["value"])
    for key, curve in panel.groupby(KEYS, sort=False):
        look = looks[dict(zip(KEYS, key, strict=True))["system"]]
        best = best_of(curve.groupby("value", sort=False)["score"], criterion)
        best = best.sort_index(key=lambda values: values.map(place))
        axes.plot(best.index.map(place), best, **look)
        chosen = curve[curve["chosen"]]
        axes.plot(chosen["value"].map(place), chosen["score"], color=look["color"], **RING)
    scale(axes, labels, [place[value] for value in place])
    axes.set_ylabel(criterion.title)


def _places(values: pd.Series) -> tuple[dict, list[str] | None]:
    """Return each value's position: the value itself or, if not a number, its index, with names."""
    found = list(dict.fromkeys(values))
    if any(isinstance(value, str) for value in found):
        return {value: float(i) for i, value in enumerate(found)}, [str(x) for x in found]
    return {value: float(value) for value in found}, None


def scale(axes: Axes, labels: list[str] | None, places: list[float], apart: float = APART) -> None:
    """Mark the positions of values: by name, or on a logarithmic axis if all are above 0."""
    if labels is not None:
        axes.set_xticks(places, labels)
    elif min(places) > 0:
        axes.set_xscale("log")
        ticks = sorted(set(places))
        shown = list(_apart(ticks, apart))
        axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
        axes.set_xticks(ticks, [], minor=True)


def _apart(ticks: list[float], apart: float) -> Iterator[float]:
    """Yield the ticks that leave room for a label, on a logarithmic axis."""
    last, room = 0.0, (ticks[-1] / ticks[0]) ** apart
    for tick in ticks:
        if tick >= last * room:
            yield tick
            last = tick


def legend(figure: Figure, looks: dict, places: int = PLACES) -> None:
    """Name the curves, and explain the ring."""
    handles = {
        system_name(system).replace("$", r"\$"): Line2D([], [], **look)
        for system, look in looks.items()
    }
    handles["chosen"] = Line2D([], [], color="0.4", **RING)
    add_legend(figure, handles.values(), handles.keys(), min(places, len(handles)))
