"""Names of systems, measures and directions in tables and figures."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, RootModel

if TYPE_CHECKING:  # plans are made without it
    import pandas as pd

SIMILARITIES = {"csls": "CSLS", "jensen_shannon": "Jensen-Shannon"}


class SystemFacts(BaseModel):
    """What a system says of itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str | None = None  # in print
    reference: str = ""  # the paper
    colour: str | None = None  # of its curves
    module: str = ""
    maps_vectors: bool = False  # whether it starts from word vectors


class Systems(RootModel[dict[str, SystemFacts]]):
    """How a run's systems are named and drawn, by what each says of itself."""

    model_config = ConfigDict(frozen=True)

    root: dict[str, SystemFacts] = {}

    def of(self, system: str) -> SystemFacts:
        """Return what a system says of itself; of an unknown one, nothing."""
        return self.root.get(system, SystemFacts())

    def title(self, system: str) -> str:
        """Return its name in print, or else its own."""
        return self.of(system).title or system

    def named(self, system: str, label: str) -> str:
        """Name a system in a setting by a label, or this in words: `Cr5, low resource`."""
        return f"{self.title(system)}, {label}"

    def references(self, shown: Collection[str]) -> list[str]:
        """Return each paper once, after the shown systems of it: `Cr5, Cr5 (log tf): ...`."""
        titles_of: dict[str, list[str]] = {}  # by reference
        for system, facts in self.root.items():
            if system in shown and facts.reference:
                titles = titles_of.setdefault(facts.reference, [])
                titles.append(self.title(system))
        lines = []
        for reference, titles in titles_of.items():
            systems = ", ".join(titles)
            lines.append(f"{systems}: {reference}")
        return lines


def similarity_name(similarity: str) -> str:
    """Return its name in print."""
    return SIMILARITIES.get(similarity, words(similarity))


def direction(
    query_language: "str | pd.Series", target_language: "str | pd.Series"
) -> "str | pd.Series":
    """Name a directed pair, such as `da→en`, or each of two columns."""
    return query_language + "→" + target_language


def words(name: str) -> str:
    """Name a setting, series, task or option in words, such as `low resource joint`."""
    return name.replace("_", " ")
