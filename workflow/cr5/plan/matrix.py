"""The matrix of what to run: the configuration expanded to a table."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cr5.base.errors import UserError
from cr5.plan.kinds import KINDS
from cr5.splits.options import Cut

Pair = tuple[str, str]


@dataclass(frozen=True)
class Setting:
    """One training situation of the Cr5 paper's Sec. 4.2; see also `kinds.Group`."""

    name: str  # such as `pairwise_da-en`; names folders and is never parsed
    series: str  # its key in the configuration; its settings are one row or curve in reports
    kind: str
    languages: tuple[str, ...]
    systems: tuple[str, ...]
    tasks: tuple[str, ...]
    pairs: tuple[Pair, ...]
    cut: Cut | None = None


@dataclass(frozen=True)
class Row:
    """One system in one setting, one repetition and one task."""

    setting: Setting
    system: str
    repetition: int
    task: str

    @property
    def keys(self) -> dict[str, Any]:
        """Return the columns that artefacts carry."""
        return {
            "setting": self.setting.name,
            "series": self.setting.series,
            "kind": self.setting.kind,
            "system": self.system,
            "repetition": self.repetition,
            "task": self.task,
        }


def settings(config: Mapping[str, Any]) -> dict[str, Setting]:
    """Return the settings of a validated configuration by name, in order.

    Raises:
        UserError: two settings would have the same name, and so the same folders.
    """
    found = {}
    for setting in _settings(config):
        other = found.setdefault(setting.name, setting)
        if other != setting:
            raise UserError(
                f"settings.{setting.series} and settings.{other.series}: both have a setting "
                f"{setting.name!r}; rename one of them"
            )
    return found


def _settings(config: Mapping[str, Any]) -> Iterator[Setting]:
    for series, options in config["settings"].items():
        given = KINDS[options["kind"]](**options)
        for group in given.groups():
            yield Setting(
                name=f"{series}{group.suffix}",
                series=series,
                kind=given.kind,
                languages=group.languages,
                systems=tuple(given.systems),
                tasks=tuple(given.tasks or config["tasks"]),
                pairs=group.pairs,
                cut=group.cut,
            )


def matrix(config: Mapping[str, Any]) -> list[Row]:
    """Expand a validated configuration."""
    return [
        Row(setting, system, repetition, task)
        for setting in settings(config).values()
        for system in setting.systems
        for repetition in range(1, config["repetitions"] + 1)
        for task in setting.tasks
    ]


def searched_pairs(config: Mapping[str, Any]) -> list[Pair]:
    """Return the unordered pairs of all settings, sorted, each once."""
    return sorted({pair for setting in settings(config).values() for pair in setting.pairs})


def seed_of(seed: int, repetition: int) -> int:
    """Return the seed of a repetition; the first has the run's own."""
    if repetition == 1:
        return seed
    digest = hashlib.sha256(f"{seed} {repetition}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def draw_seed(config: Mapping[str, Any], repetition: int) -> int:
    """Return the seed with which a repetition draws queries and candidates."""
    return seed_of(config["seed"], repetition if config["splits"]["redraw"] else 1)


def main_task(config: Mapping[str, Any]) -> str:
    """Return the task that Table 1 and the figures show: `documents`, or else the first one."""
    return "documents" if "documents" in config["tasks"] else next(iter(config["tasks"]))


def quick(rows: Sequence[Row], task: str, little: Collection[str]) -> list[Row]:
    """Return the rows of a first look: cheap systems in the first setting that has the task.

    If the setting has none of those that need little, its first system is taken.
    """
    rows = [row for row in rows if row.task == task]
    first = [row for row in rows if row.setting == rows[0].setting]
    chosen = [row for row in first if row.system in little]
    return chosen or [row for row in first if row.system == first[0].system]
