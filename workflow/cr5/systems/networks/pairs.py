"""Texts and their answers, of which some are held out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

MOST_HELD_OUT = 2000  # all are compared with all


@dataclass(frozen=True)
class Pairs:
    """Texts and their answers: n rows of X (texts x words), answers of X or of `fixed`.

    `fixed` (answers x r) is of another network that does not change; without it answers are
    composed by the same network. Pairs of one group, such as those of one concept, are held out
    together, and none has an answer of another one as a negative.
    """

    X: sparse.csr_matrix
    queries: np.ndarray
    answers: np.ndarray
    groups: np.ndarray
    fixed: np.ndarray | None = None

    def __getitem__(self, chosen: np.ndarray) -> Pairs:
        """Return some of the pairs."""
        return Pairs(
            X=self.X,
            queries=self.queries[chosen],
            answers=self.answers[chosen],
            groups=self.groups[chosen],
            fixed=self.fixed,
        )


def hold_out(pairs: Pairs, share: float, generator: np.random.Generator) -> tuple[Pairs, Pairs]:
    """Return some pairs by which training is judged, and those that train."""
    groups = generator.permutation(np.unique(pairs.groups))
    n_held_out = _number_held_out(len(groups), share)
    is_held_out = np.isin(pairs.groups, groups[:n_held_out])
    held_out = generator.permutation(np.flatnonzero(is_held_out))[:MOST_HELD_OUT]
    return pairs[held_out], pairs[np.flatnonzero(~is_held_out)]


def _number_held_out(n_groups: int, share: float) -> int:
    """Return a share of the groups, but enough to tell, at most a tenth and `MOST_HELD_OUT`."""
    if not share:
        return 0
    enough = max(round(share * n_groups), 100)
    return min(enough, n_groups // 10, MOST_HELD_OUT)
