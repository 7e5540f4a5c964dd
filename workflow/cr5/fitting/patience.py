"""When to stop an iterative fit that gets better and then worse."""

import math
from dataclasses import dataclass
from typing import Any

from cr5.fitting.tried import Tried


@dataclass
class Patience:
    """Ends a run after several consecutive checks without improvement.

    The caller calls `begin` before a run, yields a fit at each check, and continues until the run
    is `over`. `fitting.best` reports each score, and keeps the best fit of all runs.

    Attributes:
        run: name, as in `Fit.chosen`, of the value that is the same at all checks of a run.
        checks: consecutive checks that a run may have without improvement, 1 or more.
        over: whether the run has used them up.
    """

    run: str
    checks: int
    over: bool = False

    def begin(self) -> None:
        """Start a new run with all its checks left."""
        self.over = False

    def hear(self, tried: Tried) -> None:
        """Count the checks since the best one of the run; the first wins a tie."""
        run = tried.entries[-1][self.run]
        numbers = [i for i, entry in enumerate(tried.entries) if entry[self.run] == run]
        best, waited = math.nan, 0
        for score in map(tried.score, numbers):
            is_better = math.isnan(best) or tried.criterion.is_better(score, best)
            best = score if is_better else best
            waited = 0 if is_better and not math.isnan(score) else waited + 1
        self.over = waited >= self.checks

    def report(self, tried: Tried) -> dict[str, Any]:
        """Return nothing: each entry already has its number of steps."""
        return {}
