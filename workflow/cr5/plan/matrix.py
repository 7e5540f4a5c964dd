"""The matrix of what to run: the configuration expanded to a table."""

import hashlib
from dataclasses import dataclass
from typing import Any

from cr5.splits.options import Cut, Pair


@dataclass(frozen=True)
class Setting:
    """One training situation of the Cr5 paper's Sec. 4.2: what one model trains on and searches."""

    name: str  # such as `pairwise_da-en`; names folders and is never parsed
    series: str  # its key in the configuration; its settings are one row or curve in reports
    kind: str
    languages: tuple[str, ...]  # that train together, in alphabetical order
    systems: tuple[str, ...]
    tasks: tuple[str, ...]
    pairs: tuple[Pair, ...]  # that are searched; unordered, each in alphabetical order
    cut: Cut | None = None  # what is removed of a pair's shared concepts before training


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


def seed_of(seed: int, repetition: int) -> int:
    """Return the seed of a repetition; the first has the run's own."""
    if repetition == 1:
        return seed
    digest = hashlib.sha256(f"{seed} {repetition}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
