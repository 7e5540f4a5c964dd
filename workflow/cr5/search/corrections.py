"""Hubness corrections of a block of cosines, so that no candidate is near to all queries.

A correction turns kernel(x, y) into the values that order candidates: most subtract a number per
candidate; the global one replaces cosines by ranks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cr5.base.rows import Rows
from cr5.search import similarity
from cr5.search.nearest import mean_top_k, mean_top_k_of_columns
from cr5.search.similarity import over_blocks, with_all

PIVOTS = 5000  # neighbours used in addition to the queries, as in Dinu et al. (2015)
TOGETHER = 8192  # queries whose cosines with a block of candidates are held at once: 32 MiB
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
    see = None  # what, if anything, is to see the blocks of all queries first

    def of_block(self, scores: np.ndarray, first: int) -> np.ndarray:
        """Ordering values of n queries and m candidates starting at `first`, n x m float32.

        Args:
            scores: their kernel; must not be modified.
            first: number of the first of these candidates.
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

    def of_block(self, scores: np.ndarray, first: int) -> np.ndarray:
        """See `Plain`."""
        return scores - self.values[first : first + scores.shape[1]]

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """See `Plain`."""
        return scores - self.values[candidates]


@dataclass(frozen=True)
class AmongQueries(Penalty):
    """CSLS whose neighbours are the queries: their blocks tell r(y), with no product of its own."""

    space: Space

    def see(self, blocks: Sequence[np.ndarray], first: int) -> None:
        """Find the penalties of the candidates, from number `first`, of all queries' blocks."""
        found = mean_top_k_of_columns(blocks, self.space.k) / 2
        self.values[first : first + len(found)] = found

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """See `Plain`."""
        which, place = np.unique(candidates, return_inverse=True)
        return (
            scores
            - _half_of_mean(replace(self.space, candidates=self.space.candidates[which]))[place]
        )


@dataclass(frozen=True)
class Places(Plain):
    """cos(x, y) minus the number of pivots nearer to y than x is (Dinu et al. 2015, Eq. 3).

    Pivots are the queries and `PIVOTS` evenly spaced neighbours.
    """

    candidates: Rows
    pivots: tuple[Rows, ...]
    changes = True

    def of_block(self, scores: np.ndarray, first: int) -> np.ndarray:
        """See `Plain`."""
        m, out = scores.shape[1], np.empty_like(scores)
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
        return np.sort(np.hstack([with_all(rows, each) for each in self.pivots]), axis=1)


def _nearer(ordered: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return len(ordered) - np.searchsorted(ordered, scores + np.float32(SAME), "right")


def csls(space: Space) -> Plain:
    """Subtract half of r(y), the mean cosine of a candidate with its k nearest neighbours."""
    if space.neighbours is space.queries and space.queries.shape[0] <= TOGETHER:
        return AmongQueries(np.zeros(space.candidates.shape[0], np.float32), space)
    return Penalty(_half_of_mean(space))


def _half_of_mean(space: Space) -> np.ndarray:
    return mean_top_k(space.candidates, space.neighbours, space.k, space.threads) / 2


def inverted_softmax(space: Space) -> Plain:
    """ln(sum of exp(beta cos(x', y)) over all neighbours x') / beta (Smith et al. 2017).

    Normalises over queries for each candidate instead of over candidates for each query;
    ordering by this probability is ordering by its logarithm.
    """
    beta = space.inverse_temperature
    found = over_blocks(
        space.candidates, space.neighbours, lambda _, n: _Sums(n, beta), space.threads
    )
    total = np.concatenate([each.total for each in found])
    return Penalty((np.log(total) / beta + 1).astype(np.float32))


class _Sums:
    """Sums of exp(beta (cos - 1)), which is at most 1, up to rounding: no sum can overflow."""

    def __init__(self, n: int, beta: float):
        self.total, self._beta = np.zeros(n), beta

    def add(self, scores: np.ndarray, first: int) -> None:
        self.total += np.exp(self._beta * (scores.astype(np.float64) - 1)).sum(axis=1)


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
