"""Validation scores over hyperparameters.

`validation_figure` has a panel per setting and option; `dimension_figure` has one per setting, over
dimensions, as Figures 3 and 4 of Platt et al. (EMNLP 2010).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from pandas.core.groupby import SeriesGroupBy

from cr5.fitting.criteria import CRITERIA, Criterion
from cr5.report.canvas import add_legend, drawn, look, no_math, say, set_size
from cr5.report.names import UNDECLARED, Systems, setting_name
from cr5.report.validation import KEYS

ROOM = 0.05  # above the highest ring, as a share of the axis
DIMENSION = "dimension"
OPTIONS = {"ridge": "ridge (λ)", DIMENSION: DIMENSION}
RANK = {"rank": DIMENSION}  # Cr5's name for it
RING = {"marker": "o", "markersize": 8, "markerfacecolor": "none", "linestyle": "none"}
OTHERWISE = (0, (4, 2))  # dashes of a system without a dimension to choose

Looks = dict[str, dict[str, Any]]  # of each system's curve, as keywords for lines


@dataclass(frozen=True)
class Layout:
    """How panels are laid out.

    Attributes:
        columns: of panels, at most.
        fewest: columns for which the figure is wide enough, so that the legend fits.
        size: of a panel, in inches.
        places: per line of the legend, by the number of columns.
        apart: distance of an axis's labels, as a share of it.
        longest: characters per line of a title.
    """

    columns: int
    fewest: int
    size: tuple[float, float]
    places: Callable[[int], int]
    apart: float
    longest: int


CHARACTERS = 4  # of a label that needs no more than `Layout.apart`
OF_OPTIONS = Layout(3, 2, (2.3, 1.9), lambda columns: 4, 0.18, 28)
OF_DIMENSIONS = Layout(2, 1, (4.6, 3.2), lambda columns: 2 * columns, 0.12, 80)


def validation_figure(grids: pd.DataFrame, systems: Systems = UNDECLARED) -> Figure:
    """Draw the criterion over each option with more than one value; chosen values have a ring.

    If a grid has several options, each value has the best score found with it.

    Args:
        grids: from `report.validation`.
        systems: how they are named and drawn.
    """
    means = _over_pairs(grids)
    varied = means.groupby(["setting", "option"])["value"].transform("nunique") > 1
    panels = [(key[0], x) for key, x in means[varied].groupby(["setting", "option"], sort=False)]
    nothing = "Nothing was chosen\non validation queries."
    looks = _looks(means, systems)
    return _figure(panels, looks, OF_OPTIONS, _draw_option, nothing)


def dimension_figure(grids: pd.DataFrame, systems: Systems = UNDECLARED) -> Figure:
    """Draw the criterion over the number of dimensions, on a logarithmic axis.

    If a grid has other options too, each number has the best score found with it. With several
    repetitions, the mean is drawn, for numbers that all of them have. Chosen numbers have rings. A
    system that chose only among other options is a dashed line at its best; one that chose nothing
    has no known score.

    Args:
        grids: from `report.validation`.
        systems: how they are named and drawn.
    """
    panels = [
        (setting, panel)
        for setting, panel in _over_pairs(grids).groupby("setting", sort=False)
        if len(set(panel.loc[panel["option"] == DIMENSION, "value"])) > 1
    ]
    means = pd.concat([panel for _, panel in panels]) if panels else None
    looks = _with_dashes(means, systems) if panels else {}
    nothing = "No dimension was chosen\non validation queries."
    return _figure(panels, looks, OF_DIMENSIONS, _draw_dimensions, nothing)


def _over_pairs(grids: pd.DataFrame) -> pd.DataFrame:
    """Return the means over directed pairs; Cr5's rank is renamed to dimension."""
    means = grids[(grids["query"] == "") | grids["query"].isna()]  # files have nan for empty
    return means.replace({"option": RANK})


def _looks(means: pd.DataFrame, systems: Systems) -> Looks:
    named = {system: {"label": systems.title(system)} for system in means["system"].unique()}
    return {system: of | look(systems, system) for system, of in named.items()}


def _with_dashes(means: pd.DataFrame, systems: Systems) -> Looks:
    """Choose styles: a system without a dimension anywhere has a line without markers."""
    has = set(means.loc[means["option"] == DIMENSION, "system"])
    looks = _looks(means, systems)
    for system in looks.keys() - has:
        del looks[system]["marker"]
        looks[system]["linestyle"] = OTHERWISE
    return looks


def _figure(
    panels: Sequence[tuple[str, pd.DataFrame]],
    looks: Looks,
    layout: Layout,
    draw: Callable[[Axes, pd.DataFrame, Looks, Layout], None],
    nothing: str,
) -> Figure:
    """Draw panels, each with the name of its setting; say `nothing` if there are none."""
    with drawn() as figure:
        if not panels:
            say(figure, nothing)
            return figure
        columns = min(layout.columns, len(panels))
        rows, places = math.ceil(len(panels) / columns), layout.places(columns)
        wide, high = layout.size
        width = max(layout.fewest, columns) * wide
        set_size(figure, width, rows * high, len(looks) + 1, places)
        for number, (setting, panel) in enumerate(panels, start=1):
            axes = figure.add_subplot(rows, columns, number)
            draw(axes, panel, looks, layout)
            axes.set_title(fill(setting_name(setting), layout.longest))
        _same_heights(figure.axes)
        _legend(figure, looks, places)
    return figure


def _same_heights(every: Sequence[Axes]) -> None:
    """Give all panels of a criterion the same axis, to make them comparable."""
    for name in {axes.get_ylabel() for axes in every}:
        alike = [axes for axes in every if axes.get_ylabel() == name]
        lows, highs = zip(*(axes.get_ylim() for axes in alike), strict=True)
        for axes in alike:
            axes.set_ylim(min(lows), max(highs) + ROOM * (max(highs) - min(lows)))


def _draw_option(axes: Axes, panel: pd.DataFrame, looks: Looks, layout: Layout) -> None:
    criterion, option = CRITERIA[panel["criterion"].iloc[0]], panel["option"].iloc[0]
    place, labels = _places(panel["value"])
    for key, curve in panel.groupby(KEYS, sort=False):
        style = looks[dict(zip(KEYS, key, strict=True))["system"]]
        best = _best_of(curve.groupby("value", sort=False)["score"], criterion)
        best = best.sort_index(key=lambda values: values.map(place))
        axes.plot(best.index.map(place), best, **style)
        chosen = curve[curve["chosen"]]
        axes.plot(chosen["value"].map(place), chosen["score"], color=style["color"], **RING)
    _scale(axes, labels, [place[value] for value in place], layout.apart)
    axes.set_ylabel(criterion.title)
    axes.set_xlabel(OPTIONS.get(option, option.replace("_", " ")), labelpad=0)


def _draw_dimensions(axes: Axes, panel: pd.DataFrame, looks: Looks, layout: Layout) -> None:
    criterion = CRITERIA[panel["criterion"].iloc[0]]
    of_dimension = panel["option"] == DIMENSION
    values = panel.loc[of_dimension, "value"].astype(float)
    for system, found in panel.groupby("system", sort=False):
        tried = found[of_dimension[found.index]]
        if tried.empty:
            best = _best_of(found.groupby("repetition")["score"], criterion)
            axes.axhline(best.mean(), **looks[system])
            continue
        curve = _curve(tried, criterion)
        axes.plot(curve.index, curve, markersize=4.5, **looks[system])
        chosen = curve[curve.index.isin(tried.loc[tried["chosen"], "value"].astype(float))]
        axes.plot(chosen.index, chosen, color=looks[system]["color"], **RING)
    _scale(axes, None, list(values), layout.apart)
    axes.set_xlabel(DIMENSION)
    axes.set_ylabel(f"{criterion.title} (validation)")


def _curve(found: pd.DataFrame, criterion: Criterion) -> pd.Series:
    """Return the mean over repetitions of the best score, by dimension."""
    values = found["value"].astype(float)
    best = _best_of(found.groupby([values, "repetition"])["score"], criterion).dropna()
    of_all = best.groupby("value").filter(lambda x: len(x) == found["repetition"].nunique())
    return of_all.groupby("value").mean()


def _best_of(scores: SeriesGroupBy, criterion: Criterion) -> pd.Series:
    """Return the best score of each group."""
    return scores.min() if criterion.smaller_is_better else scores.max()


def _places(values: pd.Series) -> tuple[dict, list[str] | None]:
    """Return each value's position: the value itself or, if not a number, its index, with names."""
    found = list(dict.fromkeys(values))
    if any(isinstance(value, str) for value in found):
        return {value: float(i) for i, value in enumerate(found)}, [str(x) for x in found]
    return {value: float(value) for value in found}, None


def _scale(axes: Axes, labels: list[str] | None, places: list[float], apart: float) -> None:
    """Mark the positions of values: by name, or on a logarithmic axis if all are above 0."""
    if labels is not None:
        axes.set_xticks(places, labels)
    elif min(places) > 0:
        axes.set_xscale("log")
        ticks = sorted(set(places))
        shown = dict(_labelled(ticks, apart))
        axes.set_xticks(list(shown), list(shown.values()))
        axes.set_xticks(ticks, [], minor=True)


def _labelled(ticks: list[float], apart: float) -> Iterator[tuple[float, str]]:
    """Yield ticks of a logarithmic axis that have room for their label, and it."""
    last, before = 0.0, ""
    for tick in ticks:
        label = f"{float(f'{tick:.2g}'):g}"
        room = apart * max(1, (len(before + label) / 2 + 1) / CHARACTERS)
        if tick >= last * (ticks[-1] / ticks[0]) ** room:
            yield tick, label
            last, before = tick, label


def _legend(figure: Figure, looks: Looks, places: int) -> None:
    """Name the curves, and explain the ring."""
    entries = {no_math(of["label"]): Line2D([], [], **of) for of in looks.values()}
    entries["chosen"] = Line2D([], [], color="0.4", **RING)
    add_legend(figure, entries, min(places, len(entries)))
