"""What systems and tasks say of themselves, for tables, figures and the plan.

A module declares, as literals: `TITLE`, its name in print; `REFERENCE`, the paper; `COST`, shares
of `memory_mb` and `minutes` that a fit requests; `COLOUR`, of its curves; a task its `METRICS`. All
may be left out. They are read without running the module.
"""

import re
from collections.abc import Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.fitting.validation_options import OWN
from cr5.plan.catalogue import constant, source_of
from cr5.scores.metrics import RENAMED, parsed

TITLE = "title"
"""The key of an entry that has a name in print of its own."""
USUAL = (1, 4)
METRICS = ("Success@1", "Success@5", "Success@10", "RR")
"""Of a task that declares none."""
COLOUR = re.compile("#[0-9A-Fa-f]{6}")


def systems(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what each system declares, in the order of the configuration, see `report.names`.

    Raises:
        UserError: a declaration is invalid.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, options in config["systems"].items():
        source = source_of("systems", name, options)
        found[name] = {
            "title": title(name, options),
            "reference": _text(source, "REFERENCE"),
            "colour": _colour(name, options),
            "module": source.stem,
            "maps_vectors": "vectors" in constant(source, "NEEDS", ()),
        }
    return found


def title(name: str, options: Mapping[str, Any]) -> str:
    """Return a system's name in print.

    It is the entry's own `title`; or the module's, followed by what the entry's name adds to the
    module's, such as `Cr5 (log)` of cr5_log; or the entry's name if the module has none.
    """
    source = source_of("systems", name, options)
    declared = _text(source, "TITLE")
    if own := options.get(TITLE):
        return own
    if not declared:
        return name
    if name == source.stem:
        return declared
    return f"{declared} ({name.removeprefix(f'{source.stem}_').replace('_', ' ')})"


def mistakes(name: str, options: Mapping[str, Any]) -> Iterator[str]:
    """Report declarations of a system that are invalid, with its file."""
    for declaration in (title, cost, _colour):
        try:
            declaration(name, options)
        except UserError as error:
            yield str(error)


def same_titles(systems: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Report systems that tables and figures could not tell apart."""
    seen: dict[str, str] = {}
    for name, options in systems.items():
        other = seen.setdefault(said := title(name, options), name)
        if other != name:
            yield f"systems.{name}: its title, {said!r}, is that of {other} too; give `title: ...`"


def options_of_fit(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry without its title, which changes no fit, and the task that validates."""
    return {key: value for key, value in options.items() if key not in (TITLE, OWN)}


def cost(name: str, options: Mapping[str, Any]) -> tuple[float, float]:
    """Return the shares of `memory_mb` and `minutes` that a fit requests.

    Raises:
        UserError: `COST` is not two numbers above 0.
    """
    source = source_of("systems", name, options)
    found = constant(source, "COST", USUAL)
    if not (isinstance(found, tuple | list) and len(found) == 2 and all(map(_is_share, found))):
        raise UserError(
            f"{source}: COST must be two numbers above 0, shares of memory_mb and minutes such as "
            f"{USUAL}, found {found!r}"
        )
    return tuple(found)


def metrics(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the metrics of each task by today's names.

    Args:
        config: validated.

    Raises:
        UserError: a metric that a task's module declares is unknown.
    """
    given = config["evaluation"]["metrics"]
    return {task: given.get(task) or _known(*_metrics_of(config, task)) for task in config["tasks"]}


def impossible(name: str, options: Mapping[str, Any], metric: str) -> str:
    """Say why a task's ranks cannot be scored by a metric; empty if they can, or may.

    A task declares `DEPTH`, the ranks beyond which its searches do not look.
    """
    kind, k = parsed(metric)
    depth = constant(source_of("tasks", name, options), "DEPTH", inf)
    if k > depth or (kind.name == "nDCG" and depth < inf):
        return f"Success@{depth}, P@{depth} or R@{depth}: the task ranks no candidate beyond that"
    return ""


def old_metrics(config: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each metric that a task's module calls by an old name."""
    said = [_metrics_of(config, task) for task in config["tasks"]]
    return [
        f"{place}: {name} is now called {RENAMED[name]}; write {RENAMED[name]}"
        for place, names in said
        for name in names
        if name in RENAMED
    ]


def _colour(name: str, options: Mapping[str, Any]) -> str | None:
    source = source_of("systems", name, options)
    found = _text(source, "COLOUR")
    if found and not COLOUR.fullmatch(found):
        raise UserError(f"{source}: COLOUR must be one such as '#0072B2', found {found!r}")
    return found


def _text(source: Path, name: str) -> str | None:
    found = constant(source, name, None)
    if found is not None and not is_line(found):
        raise UserError(f"{source}: {name} must be a line of text, found {found!r}")
    return found


def is_line(value: Any) -> bool:
    """Return whether a value is a line of text."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _metrics_of(config: Mapping[str, Any], task: str) -> tuple[str, tuple[str, ...]]:
    """Return where a task declares its metrics, and their names."""
    source = source_of("tasks", task, config["tasks"][task])
    return f"{source}: METRICS", constant(source, "METRICS", METRICS)


def _known(place: str, names: tuple[str, ...]) -> list[str]:
    found = [RENAMED.get(name, name) for name in names]
    try:
        for name in found:
            parsed(name)
    except UserError as error:
        raise UserError(f"{place}: {error}") from error
    return found
