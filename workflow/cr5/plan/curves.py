"""Which curves a run has: over the number of training concepts ("add data"), over dimensions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cr5.plan.matrix import Pair, Setting, settings


@dataclass(frozen=True)
class Point:
    """A setting on a curve over the number of training concepts of a pair.

    Attributes:
        series: the curve's series.
        pair: the curve's pair; unordered.
        setting: the setting's name.
    """

    series: str
    pair: Pair
    setting: str


def add_data(config: Mapping[str, Any]) -> list[Point]:
    """Return the points of all curves; none if no series has several numbers of concepts.

    The last point of a curve is a setting of the same languages without a cut, if there is one.
    """
    found = list(settings(config).values())
    curves = dict.fromkeys((x.series, x.pairs[0]) for x in found if x.cut and x.cut.concepts)
    return [point for curve in curves for point in _points(*curve, found)]


def drawn_there(config: Mapping[str, Any]) -> list[str]:
    """Return the settings that would crowd the other figures; never all of them."""
    points = {point.setting for point in add_data(config)}
    found = settings(config).values()
    cut = [x.name for x in found if x.cut and x.name in points]
    return cut if len(cut) < len(found) else []


def has_dimensions(config: Mapping[str, Any]) -> bool:
    """Return whether a system chooses among several numbers of dimensions, or Cr5 among ranks."""
    systems = {system for setting in settings(config).values() for system in setting.systems}
    grids = (_dimensions(config["systems"][system]) for system in systems)
    return any(len(set(grid)) > 1 for grid in grids)


def _dimensions(options: Mapping[str, Any]) -> list[int]:
    grid = options.get("dimensions") or options.get("ranks") or []
    is_used = options.get("via", "lsa")  # word by word has dimensions only this way
    return grid if is_used and isinstance(grid, list) else []


def _points(series: str, pair: Pair, found: Sequence[Setting]) -> Iterator[Point]:
    cut = [x for x in found if x.cut and (x.series, x.pairs) == (series, (pair,))]
    if len(cut) < 2:
        return
    whole = [x for x in found if not x.cut and x.languages == cut[0].languages]
    for setting in [*cut, *whole[:1]]:
        yield Point(series, pair, setting.name)
