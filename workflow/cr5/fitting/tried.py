"""The validation results so far, and the protocol of those who follow them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cr5.fitting.criteria import Criterion


@dataclass
class Tried:
    """The validated fits, in order.

    Attributes:
        criterion: that scored them.
        entries: the chosen values, and the score under the criterion's name; None if not finite.
        by_pair: the scores of all entries, by languages of queries and candidates.
        kept: index of the best entry, from 0.
    """

    criterion: Criterion
    entries: list[dict[str, Any]] = field(default_factory=list)
    by_pair: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    kept: int = 0

    def add(self, chosen: Mapping[str, Any], score: float) -> None:
        """Add an entry; a plain number has no scores of pairs."""
        score_or_none = float(score) if math.isfinite(score) else None
        self.entries.append({**chosen, self.criterion.name: score_or_none})
        for query, of_query in getattr(score, "by_pair", {}).items():
            for target, figure in of_query.items():
                self.by_pair.setdefault(query, {}).setdefault(target, []).append(figure)

    def score(self, number: int) -> float:
        """Return the score of an entry; nan if it has none."""
        found = self.entries[number][self.criterion.name]
        return math.nan if found is None else found

    @property
    def are_alike(self) -> bool:
        """Whether all scores are the same."""
        return len({entry[self.criterion.name] for entry in self.entries}) == 1


class Follower(Protocol):
    """Decides how to go on when fits are made one by one; `fitting.best` gives it each score.

    The first two fits are made before either is validated, to see whether there is a choice.
    """

    def hear(self, tried: Tried) -> None:
        """Take note of one more validated fit."""

    def report(self, tried: Tried) -> dict[str, Any]:
        """Return facts to report at the end, JSON-able."""
