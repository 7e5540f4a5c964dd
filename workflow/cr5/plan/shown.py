"""Which tables and figures a run has, from its configuration."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cr5.plan import curves, pair_files
from cr5.plan.matrix import main_task


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
        if module_of(config, task) in ("documents", "classification"):
            yield Shown(f"tables/by_accuracy/{task}", "by_accuracy", task)
    for task in with_dictionaries(config):
        yield Shown(f"tables/dictionaries/{task}", "dictionaries", task)
    yield Shown("tables/reproduction", "reproduction")
    if module_of(config, main) == "documents":  # whose candidates have titles
        yield Shown("tables/table2", "table2")
    yield Shown("tables/languages", "languages")
    yield Shown("tables/pairs", "pairs")


def with_dictionaries(config: Mapping[str, Any]) -> list[str]:
    """Return the tasks that read files of language pairs; pairs for training count as one."""
    return [task for task in pair_files.readers(config) if pair_files.place(config, task)]


def module_of(config: Mapping[str, Any], task: str) -> str:
    """Return the module of a task."""
    return config["tasks"][task].get("module", task)


def figures(config: Mapping[str, Any]) -> list[Shown]:
    """Return all figures of a run."""
    first, *others = config["evaluation"]["measures"]
    found = [Shown("figures/precision_at_k", "first", first)]
    found.append(Shown("figures/precision_at_k_all", "precision_at_k", first))
    found += [Shown(f"figures/precision_at_k_{x}", "precision_at_k_by", x) for x in others]
    found += [Shown("figures/validation", "validation"), Shown("figures/overlap", "overlap")]
    if curves.has_dimensions(config):
        found.append(Shown("figures/dimensions", "dimensions"))
    if curves.add_data(config):
        found.append(Shown("figures/add_data", "add_data", first))
    return found
