"""Values of a number that are tried in turn, and more of them where the best is at an edge."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cr5.fitting.tried import Tried


@dataclass
class Grid:
    """A grid that goes on by itself, one value at a time.

    Whoever fits takes the next value when the fits before it are validated (`fitting.best` sees to
    that, and writes down the best value so far). So a grid with its best value inside costs nothing
    more, and no fit is done twice. A grid of one value is no choice and stays as it is.

    Attributes:
        name: of the option, as in `Fit.chosen`.
        values: given, in the order in which they are tried; above 0.
        extend: values at most beyond them.
        low: no value beyond those given is less.
        high: nor more.
        best: of those tried; None as long as nothing is known.
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
        """Values as long as they are asked for: those given, then those beyond."""
        yield from self.values
        tried = sorted(set(self.values))
        for _ in range(self.extend if len(tried) > 1 else 0):
            value = self._beyond(tried)
            if value is None or not self.low <= value <= self.high:
                return
            yield value
            tried = sorted([*tried, value])

    def hear(self, tried: Tried) -> None:
        """Write down the best value so far; where all are alike none is."""
        if not math.isnan(tried.score(tried.kept)) and not tried.are_alike:
            self.best = tried.entries[tried.kept][self.name]

    def report(self, tried: Tried) -> dict[str, Any]:
        """Return the values that were tried beyond those given, if any."""
        values = dict.fromkeys(entry[self.name] for entry in tried.entries)
        beyond = [value for value in values if value not in self.values]
        return {"beyond": {self.name: beyond}} if beyond else {}

    def _beyond(self, tried: list[float]) -> float | None:
        """The next value beyond the edge at which the best one is, by the factor of the last step.

        Rounded to three digits, as those who write grids do.
        """
        neighbour = {tried[0]: tried[1], tried[-1]: tried[-2]}.get(self.best)
        return float(f"{self.best * (self.best / neighbour):.3g}") if neighbour else None
