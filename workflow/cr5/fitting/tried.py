"""What validation said so far, and who goes by it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cr5.fitting.criteria import Criterion


@dataclass
class Tried:
    """What was validated, in order.

    Attributes:
        criterion: by which.
        entries: what was chosen, and the score under the criterion's name; None where it is none.
        by_pair: by languages of queries and candidates, the score of each entry.
        kept: number of the best entry, from 0.
    """

    criterion: Criterion
    entries: list[dict[str, Any]] = field(default_factory=list)
    by_pair: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    kept: int = 0

    def add(self, chosen: Mapping[str, Any], score: float) -> None:
        """Write down one more; a plain number says nothing of pairs."""
        score_or_none = float(score) if math.isfinite(score) else None
        self.entries.append({**chosen, self.criterion.name: score_or_none})
        for query, of_query in getattr(score, "by_pair", {}).items():
            for target, figure in of_query.items():
                self.by_pair.setdefault(query, {}).setdefault(target, []).append(figure)

    def score(self, number: int) -> float:
        """Of an entry; nan where it has none."""
        found = self.entries[number][self.criterion.name]
        return math.nan if found is None else found

    @property
    def are_alike(self) -> bool:
        """Whether all scores are the same."""
        return len({entry[self.criterion.name] for entry in self.entries}) == 1


class Follower(Protocol):
    """Whoever makes fits one by one asks it how to go on (`fitting.best` tells it each score).

    The first two fits are made before either is validated, to see whether there is a choice.
    """

    def hear(self, tried: Tried) -> None:
        """One more was validated."""

    def report(self, tried: Tried) -> dict[str, Any]:
        """Return what is worth knowing at the end, JSON-able."""
