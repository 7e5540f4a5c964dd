"""Corrections of hubs, candidates that are near to all queries: what is subtracted from the kernel.

Most subtract a number from each candidate; the global one replaces cosines by ranks.
"""

from dataclasses import dataclass

import numpy as np

from cr5.base.rows import Rows, stacked
from cr5.search import kernels
from cr5.search.kernels import by_rows
from cr5.search.nearest import mean_top_k, mean_top_k_of_columns
from cr5.search.options import SearchOptions

TIE = 1e-6
"""Cosines this close are ties: in float32 equal ones may differ by 2e-7, CSLS by 4e-7."""
PIVOTS = 5000  # neighbours used in addition to the queries, as in Dinu et al. (2015)
FEW_ANSWERS = 0.25  # of the candidates: the share that may be compared twice

Numbers = slice | np.ndarray


@dataclass(frozen=True)
class Space:
    """What is searched, by which queries: n x d and m x d, float32."""

    queries: Rows
    candidates: Rows
    neighbours: Rows  # of the query language, used to detect hubs
    answers: np.ndarray  # numbers of the candidates that are relevant to a query
    options: SearchOptions
    threads: int


class Correction:
    """What is subtracted from the kernel, float32: (m,) of candidates, or n x m of pairs."""

    def __init__(self, penalties: np.ndarray) -> None:
        self._penalties = penalties

    def see(self, first: int, scores: np.ndarray) -> None:
        """Learn from the kernel of all queries with some candidates, numbered from `first`.

        This precedes `penalty` of these candidates, but for those that are answers.
        """

    def penalty(self, queries: Numbers, candidates: Numbers) -> np.ndarray:
        """Return what is subtracted, queries x candidates, or (m,) if queries make no difference.

        Of queries and candidates by their numbers it is that of their pairs.
        """
        if self._penalties.ndim == 1:
            return self._penalties[candidates]
        return self._penalties[queries, candidates]


class CslsAmongQueries(Correction):
    """CSLS whose neighbours are the queries: their kernel tells r(y), with no product of its own.

    The answers are compared beforehand, as their scores must be known from the beginning.
    """

    def __init__(self, space: Space) -> None:
        penalties = np.zeros(space.candidates.shape[0], np.float32)
        penalties[space.answers] = _half_of_mean(space.candidates[space.answers], space)
        super().__init__(penalties)
        self._k = space.options.csls_neighbours

    def see(self, first: int, scores: np.ndarray) -> None:
        """Take r(y) of these candidates."""
        columns = slice(first, first + scores.shape[1])
        self._penalties[columns] = mean_top_k_of_columns(scores, self._k) / 2


def csls(space: Space) -> Correction:
    """Subtract half of r(y), the mean cosine of a candidate with its k nearest neighbours.

    CSLS (Conneau et al. 2018, Eq. 3) is 2 cos(x, y) - r(x) - r(y): r(x) changes no query's order.
    """
    n_queries = space.queries.shape[0]
    n_candidates = space.candidates.shape[0]
    are_queries = space.neighbours is space.queries and n_queries <= kernels.TOGETHER
    if are_queries and len(space.answers) <= FEW_ANSWERS * n_candidates:
        return CslsAmongQueries(space)
    return Correction(_half_of_mean(space.candidates, space))


def _half_of_mean(candidates: Rows, space: Space) -> np.ndarray:
    """Return half of r(y) of some candidates, (m,) float32."""
    k = space.options.csls_neighbours
    return mean_top_k(candidates, space.neighbours, k, space.threads) / 2


def inverted_softmax(space: Space) -> Correction:
    """Subtract ln(sum of exp(beta cos(x', y)) over neighbours x') / beta (Smith et al. 2017)."""
    beta = space.options.inverse_temperature

    def logarithms_of_sums(_: slice, cosines: np.ndarray) -> np.ndarray:
        # Divided by the largest, as float64 may have no number for any of them.
        exponents = beta * cosines.astype(np.float64)
        largest = exponents.max(axis=1)
        exponents -= largest[:, None]
        return largest + np.log(np.exp(exponents).sum(axis=1))

    logarithms = by_rows(
        space.candidates, space.neighbours, logarithms_of_sums, threads=space.threads
    )
    penalties = np.concatenate(logarithms) / beta
    return Correction(penalties.astype(np.float32))


def globally_corrected(space: Space) -> Correction:
    """Subtract how many pivots are nearer to y than x is (Dinu et al. 2015, Eq. 3).

    These numbers are held for all queries and candidates, 4 bytes each.
    """
    n_queries = space.queries.shape[0]
    n_candidates = space.candidates.shape[0]
    pivots = _pivots(space)
    n_pivots = pivots.shape[0]
    n_nearer = np.empty((n_queries, n_candidates), np.float32)

    def count_nearer(candidates: slice, cosines: np.ndarray) -> None:
        # The queries are the first pivots.
        bars = cosines[:, :n_queries] + np.float32(TIE)
        cosines.sort(axis=1)
        columns = n_nearer.T[candidates]
        for column, ascending, bars_of_queries in zip(columns, cosines, bars, strict=True):
            n_not_nearer = np.searchsorted(ascending, bars_of_queries, "right")
            column[:] = n_pivots - n_not_nearer

    by_rows(space.candidates, pivots, count_nearer, threads=space.threads)
    return Correction(n_nearer)


def _pivots(space: Space) -> Rows:
    """Return the queries, and a sample of the neighbours if they are others."""
    if space.neighbours is space.queries:
        return space.queries
    n_neighbours = space.neighbours.shape[0]
    n_sampled = min(n_neighbours, PIVOTS)
    sample = np.linspace(0, n_neighbours - 1, n_sampled).round().astype(int)
    return stacked([space.queries, space.neighbours[sample]])
