"""Values of a number to try in turn, and more of them if the best is at an edge."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cr5.fitting.best import Selection


@dataclass(frozen=True)
class Grid:
    """A grid that extends itself, one value at a time.

    Whoever iterates adds the fits of a value to the selection before taking the next value. So a
    grid with its best value inside costs nothing extra, and no fit is done twice. A grid of one
    value is not extended.

    Attributes:
        selection: knows the best value so far.
        name: of the option, as in `Fit.chosen`.
        values: given, in the order in which they are tried; above 0.
        extend: maximum number of values beyond them.
        low: lower bound of the values beyond those given.
        high: their upper bound.
    """

    selection: Selection
    name: str
    values: Sequence[float]
    extend: int = 0
    low: float = 0.0
    high: float = math.inf

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

    def report(self) -> dict[str, dict[str, list[float]]]:
        """Return the values tried beyond those given, if any."""
        values = dict.fromkeys(entry[self.name] for entry in self.selection.tried)
        beyond = [value for value in values if value not in self.values]
        return {"beyond": {self.name: beyond}} if beyond else {}

    def _beyond(self, tried: list[float]) -> float | None:
        """Return the next value beyond the edge that is best, by the factor of the last step.

        It is rounded to three digits, as in hand-written grids.
        """
        best = self.selection.leading(self.name)
        neighbour = {tried[0]: tried[1], tried[-1]: tried[-2]}.get(best)
        return float(f"{best * (best / neighbour):.3g}") if neighbour else None
