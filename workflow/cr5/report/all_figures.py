"""All figures of a run, by kind."""

from collections.abc import Callable

import pandas as pd
from matplotlib.figure import Figure

from cr5.report.add_data import add_data, curves
from cr5.report.figures import precision_at_k
from cr5.report.first_figure import first_figure
from cr5.report.overlap import COLUMNS, members, overlap, overlap_figure
from cr5.report.run_files import RunFiles
from cr5.report.validation_figures import dimension_figure, validation_figure
from cr5.splits import settings

Drawn = tuple[Figure, pd.DataFrame | None]


def figure(run: RunFiles, kind: str, similarity: str) -> Drawn:
    """Draw a figure.

    Args:
        run: the files it is made from.
        kind: one of `KINDS`.
        similarity: the one it shows, if any; where no system has that, the first that one has.

    Returns:
        The figure, and the numbers to write beside it, if any.
    """
    return KINDS[kind](run, similarity)


def _there(run: RunFiles, frame: pd.DataFrame, similarity: str) -> str:
    """The similarity, or another one: topics have l1 alone, BM25 scalar products."""
    found = frame.loc[frame["task"] == run.told["main_task"], "similarity"].unique()
    return similarity if similarity in found else next(iter(found), similarity)


def _first(run: RunFiles, similarity: str) -> Drawn:
    curves, task = run.frame("mean_curves"), run.told["main_task"]
    return first_figure(curves, _there(run, curves, similarity), task, run.systems), None


def _pairs(run: RunFiles, similarity: str) -> Drawn:
    shown = run.frame("curves")
    shown = shown[~shown["setting"].isin(run.told["crowding"])]
    is_like, similarity = not run.told["unlike_paper"], _there(run, shown, similarity)
    task = run.told["main_task"]
    return precision_at_k(shown, similarity, is_like, task, run.systems), None


def _validation(run: RunFiles, similarity: str) -> Drawn:
    return validation_figure(run.grids, run.systems), None


def _dimensions(run: RunFiles, similarity: str) -> Drawn:
    return dimension_figure(run.grids, run.systems), None


def _add_data(run: RunFiles, similarity: str) -> Drawn:
    scores, pairs = run.frame("scores"), run.pairs_shown
    similarity = _there(run, scores, similarity)
    table = curves(scores, pairs, run.told["points"], similarity, run.told["main_task"])
    return add_data(table, similarity, run.systems), table


def _overlap(run: RunFiles, similarity: str) -> Drawn:
    exist = members(run.concepts)
    found = [
        overlap(exist, settings.load(path)).assign(**names)
        for path, names in zip(run.read["trained"], run.told["trained"], strict=True)
    ]
    table = pd.concat(found, ignore_index=True)[COLUMNS]
    return overlap_figure(table), table


KINDS: dict[str, Callable[[RunFiles, str], Drawn]] = {
    "first": _first,
    "precision_at_k_pairs": _pairs,
    "validation": _validation,
    "dimensions": _dimensions,
    "add_data": _add_data,
    "overlap": _overlap,
}
