"""Which tables, figures, curves and examples a run has, from its configuration."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cr5.base.parts import SYSTEMS
from cr5.plan.across import title_of
from cr5.plan.config import needs, part
from cr5.plan.files import pair_files, pair_readers
from cr5.plan.matrix import Pair, Row, Setting, main_task, matrix, settings
from cr5.plan.names import module_of


@dataclass(frozen=True)
class Shown:
    """A table or a figure.

    Attributes:
        stem: its path below the results, without suffix.
        kind: what `report.all_tables`, `report.all_figures` and `report.items` know it by.
        of: the task or similarity measure that it shows, if it shows one.
    """

    stem: str
    kind: str
    of: str = ""


def first_tables(config: Mapping[str, Any], scope: str) -> list[Shown]:
    """Return the tables that a first look also has, in the folder `scope`."""
    return [
        Shown(f"{scope}/systems", "systems"),
        Shown(f"{scope}/table1", "table1", main_task(config)),
    ]


def tables(config: Mapping[str, Any]) -> list[Shown]:
    """Return all tables of a run."""
    return [*first_tables(config, "tables"), *_others(config)]


def _others(config: Mapping[str, Any]) -> Iterator[Shown]:
    main = main_task(config)
    for task in config["tasks"]:
        if task != main:
            yield Shown(f"tables/tasks/{task}", "task", task)
        if module_of(config, "tasks", task) in ("documents", "classification"):
            yield Shown(f"tables/by_accuracy/{task}", "by_accuracy", task)
    for task in with_dictionaries(config):
        yield Shown(f"tables/dictionaries/{task}", "dictionaries", task)
    yield Shown("tables/reproduction", "reproduction")
    if module_of(config, "tasks", main) == "documents":  # whose candidates have titles
        yield Shown("tables/table2", "table2")
    yield Shown("tables/languages", "languages")
    yield Shown("tables/pairs", "pairs")


def with_dictionaries(config: Mapping[str, Any]) -> list[str]:
    """Return the tasks that read files of language pairs; pairs for training count as one."""
    return [task for task in pair_readers(config) if pair_files(config, task)]


def figures(config: Mapping[str, Any]) -> list[Shown]:
    """Return all figures of a run."""
    first, *others = config["evaluation"]["measures"]
    found = [Shown("figures/precision_at_k", "first", first)]
    of_pairs = "csls" if "csls" in others else first  # the paper's Figure 2 has CSLS
    found.append(Shown("figures/precision_at_k_pairs", "precision_at_k_pairs", of_pairs))
    found += [Shown("figures/validation", "validation"), Shown("figures/overlap", "overlap")]
    if has_dimensions(config):
        found.append(Shown("figures/dimensions", "dimensions"))
    if add_data(config):
        found.append(Shown("figures/add_data", "add_data", first))
    return found


def examples(config: Mapping[str, Any], task: str) -> Row:
    """Return the row whose examples are shown: the first of a task of documents."""
    return next(row for row in matrix(config) if row.repetition == 1 and row.task == task)


def systems(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what each system says of itself, in the order of the configuration.

    See `report.names`.
    """
    found = {}
    for name, keys in config["systems"].items():
        kind = SYSTEMS.kind(name, keys)
        found[name] = {
            "title": title_of(name, kind.title, keys),
            "reference": kind.reference,
            "colour": kind.colour,
            "module": SYSTEMS.source(name, keys).stem,
            "maps_vectors": "vectors" in needs(config, name),
        }
    return found


def metrics(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the metrics of each task: the configuration's, or those that it comes with."""
    given = config["evaluation"]["metrics"]
    return {
        task: given.get(task) or list(part(config, "tasks", task).metrics)
        for task in config["tasks"]
    }


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
