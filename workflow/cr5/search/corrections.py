"""Hubness corrections of a block of cosines, so that no candidate is near to all queries.

A correction turns kernel(x, y) into the values that order candidates: most subtract a number per
candidate; the global one replaces cosines by ranks.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cr5.base.rows import Rows
from cr5.search import similarity
from cr5.search.nearest import mean_top_k, penalised
from cr5.search.similarity import Blocks, blocks, over_blocks

PIVOTS = 5000  # neighbours used in addition to the queries, as in Dinu et al. (2015)
SAME = 1e-6  # cosines this close are treated as equal, as of the same pair of rows


@dataclass(frozen=True)
class Space:
    """The search space.

    Attributes:
        queries: n x d, float32.
        candidates: m x d, likewise.
        neighbours: rows of the query language, used to detect hubs.
        k: neighbourhood size of CSLS.
        inverse_temperature: beta of the inverted softmax.
        threads: do not affect the result.
    """

    queries: Rows
    candidates: Rows
    neighbours: Rows
    k: int
    inverse_temperature: float
    threads: int


class Plain:
    """The uncorrected kernel."""

    changes = False

    def of_block(self, scores: np.ndarray, first: int, room: np.ndarray) -> np.ndarray:
        """Ordering values of n queries and m candidates starting at `first`, n x m float32.

        Args:
            scores: their kernel; must not be modified.
            first: number of the first of these candidates.
            room: buffer for the result, at least n x m.
        """
        return scores

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Ordering values of single pairs, from kernel and candidate number, (a,) float64."""
        return scores


@dataclass(frozen=True)
class Penalty(Plain):
    """Subtracts a number from each candidate, (m,)."""

    values: np.ndarray
    changes = True

    def of_block(self, scores: np.ndarray, first: int, room: np.ndarray) -> np.ndarray:
        """See `Plain`."""
        return penalised(scores, self.values, first, room)

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """See `Plain`."""
        return scores - self.values[candidates]


@dataclass(frozen=True)
class Places(Plain):
    """cos(x, y) minus the number of pivots nearer to y than x is (Dinu et al. 2015, Eq. 3).

    Pivots are the queries and `PIVOTS` evenly spaced neighbours.
    """

    candidates: Rows
    pivots: tuple[Rows, ...]
    changes = True

    def of_block(self, scores: np.ndarray, first: int, room: np.ndarray) -> np.ndarray:
        """See `Plain`."""
        n, m = scores.shape
        out = room[:n, :m]
        for start in range(0, m, similarity.ROWS):
            part = slice(start, min(start + similarity.ROWS, m))
            ordered = self._ordered(slice(first + part.start, first + part.stop))
            for column, own in zip(range(part.start, part.stop), ordered, strict=True):
                out[:, column] = scores[:, column] - _nearer(own, scores[:, column])
        return out

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """See `Plain`."""
        out = scores.astype(np.float64)
        for start in range(0, len(scores), similarity.ROWS):
            part = slice(start, start + similarity.ROWS)
            rounded = scores[part].astype(np.float32)
            for i, own in enumerate(self._ordered(candidates[part])):
                out[start + i] -= _nearer(own, rounded[i : i + 1])[0]
        return out

    def _ordered(self, which: slice | np.ndarray) -> np.ndarray:
        """Cosines of at most `similarity.ROWS` candidates with all pivots, ascending."""
        rows = self.candidates[which]
        found = [part.copy() for each in self.pivots for _, part in blocks(rows, each)]
        return np.sort(np.hstack(found), axis=1)


def _nearer(ordered: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return len(ordered) - np.searchsorted(ordered, scores + np.float32(SAME), "right")


def csls(space: Space) -> Plain:
    """Subtract half of r(y), the mean cosine of a candidate with its k nearest neighbours."""
    found = mean_top_k(space.candidates, space.neighbours, space.k, space.threads)
    return Penalty(found / 2)


def inverted_softmax(space: Space) -> Plain:
    """ln(sum of exp(beta cos(x', y)) over all neighbours x') / beta (Smith et al. 2017).

    Normalises over queries for each candidate instead of over candidates for each query;
    ordering by this probability is ordering by its logarithm.
    """
    beta = space.inverse_temperature

    def use(start: int, found: Blocks) -> np.ndarray:
        n = min(similarity.ROWS, space.candidates.shape[0] - start)
        # exp(beta (cos - 1)) is at most 1 (up to rounding), so no sum can overflow
        total = sum(np.exp(beta * (part.astype(np.float64) - 1)).sum(axis=1) for _, part in found)
        return np.log(total + np.zeros(n)) / beta + 1

    found = over_blocks(space.candidates, space.neighbours, use, space.threads)
    return Penalty(np.concatenate(found).astype(np.float32))


def globally_corrected(space: Space) -> Plain:
    """Ranks among the queries and a sample of the neighbours."""
    if space.neighbours is space.queries:
        return Places(space.candidates, (space.queries,))
    n = space.neighbours.shape[0]
    sample = np.arange(n) if n <= PIVOTS else np.linspace(0, n - 1, PIVOTS).round().astype(int)
    return Places(space.candidates, (space.queries, space.neighbours[sample]))


CORRECTIONS: dict[str, Callable[[Space], Plain]] = {
    "": lambda space: Plain(),
    "csls": csls,
    "inverted_softmax": inverted_softmax,
    "globally_corrected": globally_corrected,
}
