"""Names of systems, measures and directions in tables and figures."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

SIMILARITIES = {"csls": "CSLS", "jensen_shannon": "Jensen-Shannon"}


@dataclass(frozen=True)
class Systems:
    """How a run's systems are named and drawn, by what each says of itself, see `plan.shown`."""

    declared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def title(self, system: str) -> str:
        """Its name in print, or else its own."""
        return self.said(system, "title") or system

    def named(self, system: str, label: str) -> str:
        """Name a system in a setting by a label, or this in words: `Cr5, low resource`."""
        return f"{self.title(system)}, {label}"

    def said(self, system: str, key: str) -> Any:
        """What a system says of itself; None where it says nothing."""
        return self.declared.get(system, {}).get(key)

    def references(self, shown: Collection[str]) -> list[str]:
        """Each paper once, after the shown systems of it: `Cr5, Cr5 (log tf): ...`."""
        named: dict[str, list[str]] = {}
        for system in self.declared:
            if system in shown and (reference := self.said(system, "reference")):
                named.setdefault(reference, []).append(self.title(system))
        return [f"{', '.join(titles)}: {reference}" for reference, titles in named.items()]


def similarity_name(similarity: str) -> str:
    """Its name in print."""
    return SIMILARITIES.get(similarity, words(similarity))


def direction(query: Any, target: Any) -> Any:
    """Name a directed pair, such as `da→en`, or each of two columns."""
    return query + "→" + target


def by_direction(frame: pd.DataFrame) -> pd.DataFrame:
    """Order rows by pairs of languages, the two directions of each next to each other."""
    pairs = list(zip(frame["query"], frame["target"], strict=True))
    return frame.iloc[sorted(range(len(pairs)), key=lambda i: (sorted(pairs[i]), pairs[i]))]


def words(name: str) -> str:
    """Name a setting, series, task or option in words, such as `low resource joint`."""
    return name.replace("_", " ")
