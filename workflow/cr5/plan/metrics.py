"""By which metrics each task is scored: its module's `METRICS`, or those of the configuration."""

from collections.abc import Mapping
from typing import Any

from cr5.base.errors import UserError
from cr5.plan.catalogue import constant, module_source
from cr5.plan.mistakes import listed, unknown
from cr5.scores.metrics import RENAMED, parsed

OTHERWISE = ("Success@1", "Success@5", "Success@10", "RR")
PLACE = "evaluation.metrics."


def of_tasks(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the metrics of each task by today's names.

    Args:
        config: validated.

    Raises:
        UserError: a task or metric is unknown.
    """
    given = config["evaluation"]["metrics"]
    if strange := [unknown(PLACE, x, config["tasks"]) for x in given if x not in config["tasks"]]:
        raise listed(strange)
    return {task: given.get(task) or _own(*_declared(config, task)) for task in config["tasks"]}


def old_names(config: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each metric that a task's module calls by an old name."""
    declared = [_declared(config, task) for task in config["tasks"]]
    return [
        f"{place}: {name} is now called {RENAMED[name]}; write {RENAMED[name]}"
        for place, names in declared
        for name in names
        if name in RENAMED
    ]


def _declared(config: Mapping[str, Any], task: str) -> tuple[str, tuple[str, ...]]:
    """Return where a task declares its metrics, and their names."""
    source = module_source("tasks", task, config["tasks"][task].get("module"))
    return f"{source}: METRICS", constant(source, "METRICS", OTHERWISE)


def _own(place: str, names: tuple[str, ...]) -> list[str]:
    found = [RENAMED.get(name, name) for name in names]
    try:
        for name in found:
            parsed(name)
    except UserError as error:
        raise UserError(f"{place}: {error}") from error
    return found
