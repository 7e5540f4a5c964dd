"""Values of a number to try in turn, and more of them if the best is at an edge."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cr5.fitting.tried import Tried


@dataclass
class Grid:
    """A grid that extends itself, one value at a time.

    The caller takes the next value after the previous fits are validated (`fitting.best` ensures
    that and records the best value so far). So a grid with its best value inside costs nothing
    extra, and no fit is done twice. A grid of one value is not extended.

    Attributes:
        name: of the option, as in `Fit.chosen`.
        values: given, in the order in which they are tried; above 0.
        extend: maximum number of values beyond them.
        low: lower bound of the values beyond those given.
        high: their upper bound.
        best: the best value tried; None if not known yet.
    """

    name: str
    values: Sequence[float]
    extend: int = 0
    low: float = 0.0
    high: float = math.inf
    best: float | None = None

    def __len__(self) -> int:
        """Number of the values given."""
        return len(self.values)

    def __iter__(self) -> Iterator[float]:
        """Yield the values given, then those beyond, for as long as the caller asks."""
        yield from self.values
        tried = sorted(set(self.values))
        for _ in range(self.extend if len(tried) > 1 else 0):
            value = self._beyond(tried)
            if value is None or not self.low <= value <= self.high:
                return
            yield value
            tried = sorted([*tried, value])

    def hear(self, tried: Tried) -> None:
        """Record the best value so far; None if all score the same."""
        if not math.isnan(tried.score(tried.kept)) and not tried.are_alike:
            self.best = tried.entries[tried.kept][self.name]

    def report(self, tried: Tried) -> dict[str, Any]:
        """Return the values tried beyond those given, if any."""
        values = dict.fromkeys(entry[self.name] for entry in tried.entries)
        beyond = [value for value in values if value not in self.values]
        return {"beyond": {self.name: beyond}} if beyond else {}

    def _beyond(self, tried: list[float]) -> float | None:
        """Return the next value beyond the edge that is best, by the factor of the last step.

        It is rounded to three digits, as in hand-written grids.
        """
        neighbour = {tried[0]: tried[1], tried[-1]: tried[-2]}.get(self.best)
        return float(f"{self.best * (self.best / neighbour):.3g}") if neighbour else None
