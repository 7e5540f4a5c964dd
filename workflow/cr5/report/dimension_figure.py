"""Validation over dimensions, a panel per setting: Figures 3 and 4 of Platt et al. (EMNLP 2010)."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cr5.fitting.criteria import CRITERIA, Criterion
from cr5.report.canvas import drawn, say, set_size
from cr5.report.names import setting_name
from cr5.report.validation_figure import (
    RING,
    best_of,
    legend,
    of_systems,
    over_pairs,
    same_heights,
    scale,
)

COLUMNS, PLACES = 2, 2  # of panels, and per line of the legend below each
WIDE, HIGH = 4.6, 3.2  # inches, of a panel
APART = 0.12  # distance of an axis's labels, as a share of it
DIMENSION = "dimension"
OTHERWISE = (0, (4, 2))  # dashes of a system without a dimension to choose


def dimension_figure(grids: pd.DataFrame) -> Figure:
    """Draw the criterion over the number of dimensions, on a logarithmic axis.

    If a grid has other options too, each number has the best score found with it. With several
    repetitions, the mean is drawn, for numbers that all of them have. Chosen numbers have rings. A
    system that chose only among other options is a dashed line at its best; one that chose nothing
    has no known score.

    Args:
        grids: from `report.validation`.
    """
    means = over_pairs(grids)
    panels = [
        (setting, panel)
        for setting, panel in means.groupby("setting", sort=False)
        if len(set(panel.loc[panel["option"] == DIMENSION, "value"])) > 1
    ]
    with drawn() as figure:
        if not panels:
            say(figure, "No dimension was chosen\non validation queries.")
            return figure
        columns = min(COLUMNS, len(panels))
        rows, places = math.ceil(len(panels) / columns), columns * PLACES
        looks = _looks(pd.concat([panel for _, panel in panels]))
        set_size(figure, columns * WIDE, rows * HIGH, len(looks) + 1, places)
        for number, (setting, panel) in enumerate(panels, start=1):
            axes = figure.add_subplot(rows, columns, number, title=setting_name(setting))
            _draw(axes, panel, looks)
        same_heights(figure.axes)
        legend(figure, looks, places)
    return figure


def _looks(panels: pd.DataFrame) -> dict:
    """Choose styles: a system without a dimension anywhere has a line without markers."""
    has = set(panels.loc[panels["option"] == DIMENSION, "system"])
    looks = of_systems(panels)
    plain = {x: {"color": look["color"], "linestyle": OTHERWISE} for x, look in looks.items()}
    return {system: looks[system] if system in has else plain[system] for system in looks}


def _draw(axes: Axes, panel: pd.DataFrame, looks: dict) -> None:
    criterion = CRITERIA[panel["criterion"].iloc[0]]
    of_dimension = panel["option"] == DIMENSION
    values = panel.loc[of_dimension, "value"].astype(float)
    for system, found in panel.groupby("system", sort=False):
        tried = found[of_dimension[found.index]]
        if tried.empty:
            axes.axhline(_best(found, criterion), **looks[system])
            continue
        curve = _curve(tried, criterion)
        axes.plot(curve.index, curve, markersize=4.5, **looks[system])
        chosen = _chosen(tried, curve)
        axes.plot(chosen.index, chosen, color=looks[system]["color"], **RING)
    scale(axes, None, list(values), APART)
    axes.set_xlabel("dimension")
    axes.set_ylabel(f"{criterion.title} (validation)")


def _curve(found: pd.DataFrame, criterion: Criterion) -> pd.Series:
    """Return the mean over repetitions of the best score, by dimension."""
    values = found["value"].astype(float)
    best = best_of(found.groupby([values, "repetition"])["score"], criterion).dropna()
    of_all = best.groupby("value").filter(lambda x: len(x) == found["repetition"].nunique())
    return of_all.groupby("value").mean()


def _chosen(found: pd.DataFrame, curve: pd.Series) -> pd.Series:
    """Return the points of the curve whose dimension a repetition chose."""
    return curve[curve.index.isin(found.loc[found["chosen"], "value"].astype(float))]


def _best(found: pd.DataFrame, criterion: Criterion) -> float:
    return best_of(found.groupby("repetition")["score"], criterion).mean()
