"""Hubness corrections of cosines, so that no candidate is near to all queries.

A correction turns kernel(x, y) into the values that order candidates: most subtract a number per
candidate; the global one replaces cosines by ranks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cr5.base.rows import Rows
from cr5.search import similarity
from cr5.search.nearest import mean_top_k, mean_top_k_of_columns, swept
from cr5.search.options import SearchOptions
from cr5.search.similarity import TOGETHER, with_all

PIVOTS = 5000  # neighbours used in addition to the queries, as in Dinu et al. (2015)
SAME = 1e-6  # cosines this close are treated as equal, as of the same pair of rows


@dataclass(frozen=True)
class Space:
    """The search space.

    Attributes:
        queries: n x d, float32.
        candidates: m x d, likewise.
        neighbours: rows of the query language, used to detect hubs.
        how: k of CSLS, beta of the inverted softmax.
        threads: do not affect the result.
    """

    queries: Rows
    candidates: Rows
    neighbours: Rows
    how: SearchOptions
    threads: int


class Penalty:
    """Subtracts a number from each candidate, (m,)."""

    def __init__(self, values: np.ndarray):
        self.values = values

    def see(self, blocks: Sequence[np.ndarray], first: int) -> None:
        """See the kernel of all queries with the candidates from number `first`."""

    def of_block(self, scores: np.ndarray, first: int) -> np.ndarray:
        """Ordering values of n queries and m candidates starting at `first`, n x m float32."""
        return scores - self.values[first : first + scores.shape[1]]

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Ordering values of single pairs, from kernel and candidate number, (a,) float64."""
        return scores - self.values[candidates]


class AmongQueries(Penalty):
    """CSLS whose neighbours are the queries: their blocks tell r(y), with no product of its own."""

    def __init__(self, space: Space):
        super().__init__(np.zeros(space.candidates.shape[0], np.float32))
        self._space = space

    def see(self, blocks: Sequence[np.ndarray], first: int) -> None:
        """See `Penalty`."""
        found = mean_top_k_of_columns(blocks, self._space.how.csls_neighbours) / 2
        self.values[first : first + len(found)] = found

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """See `Penalty`."""
        which, place = np.unique(candidates, return_inverse=True)
        among = replace(self._space, candidates=self._space.candidates[which])
        return scores - _half_of_mean(among)[place]


class Places(Penalty):
    """cos(x, y) minus the number of pivots nearer to y than x is (Dinu et al. 2015, Eq. 3).

    Pivots are the queries and `PIVOTS` evenly spaced neighbours.
    """

    def __init__(self, space: Space):
        self._candidates, self._pivots = space.candidates, [space.queries]
        if space.neighbours is not space.queries:
            n = space.neighbours.shape[0]
            sample = np.linspace(0, n - 1, min(n, PIVOTS)).round().astype(int)
            self._pivots.append(space.neighbours[sample])

    def of_block(self, scores: np.ndarray, first: int) -> np.ndarray:
        """See `Penalty`."""
        m, out = scores.shape[1], np.empty_like(scores)
        for start in range(0, m, similarity.ROWS):
            part = slice(start, min(start + similarity.ROWS, m))
            ordered = self._ordered(slice(first + part.start, first + part.stop))
            for column, own in zip(range(part.start, part.stop), ordered, strict=True):
                out[:, column] = scores[:, column] - _nearer(own, scores[:, column])
        return out

    def of_pairs(self, scores: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """See `Penalty`."""
        out = scores.astype(np.float64)
        for start in range(0, len(scores), similarity.ROWS):
            part = slice(start, start + similarity.ROWS)
            rounded = scores[part].astype(np.float32)
            for i, own in enumerate(self._ordered(candidates[part])):
                out[start + i] -= _nearer(own, rounded[i : i + 1])[0]
        return out

    def _ordered(self, which: slice | np.ndarray) -> np.ndarray:
        """Cosines of at most `similarity.ROWS` candidates with all pivots, ascending."""
        rows = self._candidates[which]
        return np.sort(np.hstack([with_all(rows, each) for each in self._pivots]), axis=1)


def _nearer(ordered: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return len(ordered) - np.searchsorted(ordered, scores + np.float32(SAME), "right")


def csls(space: Space) -> Penalty:
    """Subtract half of r(y), the mean cosine of a candidate with its k nearest neighbours."""
    if space.neighbours is space.queries and space.queries.shape[0] <= TOGETHER:
        return AmongQueries(space)
    return Penalty(_half_of_mean(space))


def _half_of_mean(space: Space) -> np.ndarray:
    return (
        mean_top_k(space.candidates, space.neighbours, space.how.csls_neighbours, space.threads) / 2
    )


def inverted_softmax(space: Space) -> Penalty:
    """ln(sum of exp(beta cos(x', y)) over all neighbours x') / beta (Smith et al. 2017).

    Normalises over queries for each candidate instead of over candidates for each query;
    ordering by this probability is ordering by its logarithm.
    """
    beta, rows = space.how.inverse_temperature, (space.candidates, space.neighbours)
    sums = swept(*rows, lambda n: _Sum(n, beta), space.threads)
    return Penalty(np.concatenate([x.logarithm() for x in sums]))


class _Sum:
    """Sums of exp(beta (cos - 1)), which is at most 1, up to rounding: none overflows."""

    def __init__(self, n: int, beta: float):
        self._total, self._beta = np.zeros(n), beta

    def add(self, block: np.ndarray, first: int) -> None:
        self._total += np.exp(self._beta * (block.astype(np.float64) - 1)).sum(axis=1)

    def logarithm(self) -> np.ndarray:
        return (np.log(self._total) / self._beta + 1).astype(np.float32)


CORRECTIONS: dict[str, Callable[[Space], Penalty | None]] = {
    "": lambda space: None,
    "csls": csls,
    "inverted_softmax": inverted_softmax,
    "globally_corrected": Places,
}
