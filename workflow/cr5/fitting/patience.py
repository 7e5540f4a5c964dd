"""When to stop what gets better step by step, and then worse."""

import math
from dataclasses import dataclass
from typing import Any

from cr5.fitting.tried import Tried


@dataclass
class Patience:
    """Ends a run after some checks in turn that are no better than the best one of the run.

    Whoever fits calls `begin` before a run, gives a fit at each check, and goes on until the run is
    `over`. `fitting.best` tells what each scored, and keeps the best fit of all runs.

    Attributes:
        run: name, as in `Fit.chosen`, of what is the same at all checks of a run.
        checks: that a run may do without a better one, 1 or more.
        over: whether the run has used them up.
    """

    run: str
    checks: int
    over: bool = False

    def begin(self) -> None:
        """A new run has all its checks before it."""
        self.over = False

    def hear(self, tried: Tried) -> None:
        """Count the checks since the best one of the run; of equals that is the first one."""
        run = tried.entries[-1][self.run]
        numbers = [i for i, entry in enumerate(tried.entries) if entry[self.run] == run]
        best, waited = math.nan, 0
        for score in map(tried.score, numbers):
            is_better = math.isnan(best) or tried.criterion.is_better(score, best)
            best = score if is_better else best
            waited = 0 if is_better and not math.isnan(score) else waited + 1
        self.over = waited >= self.checks

    def report(self, tried: Tried) -> dict[str, Any]:
        """Return nothing: each entry says after how many steps it was made."""
        return {}
