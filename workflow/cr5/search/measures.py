"""Measures for comparing documents: a kernel, and a correction of hubs, near to all queries.

Every measure orders a query's candidates by its correction of kernel(x, y), so one sweep serves
all measures of a kernel. Most corrections subtract a number per candidate; the global one replaces
cosines by ranks.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import Rows, norms
from cr5.search import similarity
from cr5.search.nearest import mean_top_k, mean_top_k_of_columns
from cr5.search.options import SearchOptions
from cr5.search.similarity import slices, sweep, with_all

TIE = 1e-6
"""Cosines this close are ties: in float32 equal ones may differ by 2e-7, CSLS by 4e-7."""
PIVOTS = 5000  # neighbours used in addition to the queries, as in Dinu et al. (2015)


@dataclass(frozen=True)
class Answers:
    """Relevant candidates, (a,): row numbers, by query, then by candidate; grades above zero."""

    query: np.ndarray
    candidate: np.ndarray
    grade: np.ndarray

    @classmethod
    def of(cls, relevance: sparse.csr_matrix) -> "Answers":
        """All entries of queries x candidates."""
        found = relevance.tocsr().sorted_indices().tocoo()
        return cls(*(x.astype(np.int64) for x in found.coords), found.data.astype(np.float64))

    def select(self, which: np.ndarray) -> "Answers":
        """Select answers by a mask, or by their numbers."""
        return Answers(self.query[which], self.candidate[which], self.grade[which])

    def better(self, order: np.ndarray) -> np.ndarray:
        """How many answers of the same query come before each, by the numbers that order them."""
        places = np.lexsort((self.candidate, self.grade, -order, self.query))
        firsts = np.searchsorted(self.query, self.query)  # first answer of the same query
        return np.argsort(places) - firsts


@dataclass(frozen=True)
class Space:
    """What is searched, by which queries: n x d and m x d, float32."""

    queries: Rows
    candidates: Rows
    neighbours: Rows  # of the query language, used to detect hubs
    answers: Answers  # which are compared before all other candidates
    how: SearchOptions
    threads: int

    @cached_property
    def known(self) -> np.ndarray:
        """Of each answer whether neither it nor its query is all zeros, (a,) bool."""
        queries, candidates = (norms(x, "l2") > 0 for x in (self.queries, self.candidates))
        return queries[self.answers.query] & candidates[self.answers.candidate]


@dataclass
class Penalty:
    """Subtracts a number from each candidate: `values`, (m,) float32."""

    values: np.ndarray

    def of(self, scores: np.ndarray, which: slice | np.ndarray) -> np.ndarray:
        """Ordering values of queries x some candidates, or of single pairs, from their kernel."""
        return scores - self.values[which]


class AmongQueries(Penalty):
    """CSLS whose neighbours are the queries: their blocks tell r(y), with no product of its own."""

    def __init__(self, space: Space) -> None:
        super().__init__(np.zeros(space.candidates.shape[0], np.float32))
        which = np.unique(space.answers.candidate)
        self.values[which] = _half_of_mean(space.candidates[which], space)
        self._k = space.how.csls_neighbours

    def see(self, first: int, blocks: Sequence[np.ndarray]) -> None:
        """Take r(y) of the candidates from number `first`, by all queries, before `of`."""
        found = mean_top_k_of_columns(blocks, self._k) / 2
        self.values[first : first + len(found)] = found


class Places:
    """cos(x, y) minus the number of pivots nearer to y than x is (Dinu et al. 2015, Eq. 3)."""

    def __init__(self, space: Space) -> None:
        self._candidates, self._pivots = space.candidates, [space.queries]
        if space.neighbours is not space.queries:
            n = space.neighbours.shape[0]
            sample = np.linspace(0, n - 1, min(n, PIVOTS)).round().astype(int)
            self._pivots.append(space.neighbours[sample])

    def of(self, scores: np.ndarray, which: slice | np.ndarray) -> np.ndarray:
        """Compare them with those of the pivots."""
        found = np.atleast_2d(scores).copy()
        some = self._candidates[which]
        for part in slices(0, some.shape[0], similarity.ROWS):
            cosines = np.hstack([with_all(some[part], pivots) for pivots in self._pivots])
            for column, own in zip(found.T[part], np.sort(cosines, axis=1), strict=True):
                reached = column.astype(np.float32) + np.float32(TIE)
                column -= len(own) - np.searchsorted(own, reached, "right")
        return found.reshape(scores.shape)


def csls(space: Space) -> Penalty:
    """Subtract half of r(y), the mean cosine of a candidate with its k nearest neighbours.

    CSLS (Conneau et al. 2018, Eq. 3) is 2 cos(x, y) - r(x) - r(y): r(x) changes no query's order.
    """
    if space.neighbours is space.queries and space.queries.shape[0] <= similarity.TOGETHER:
        return AmongQueries(space)
    return Penalty(_half_of_mean(space.candidates, space))


def _half_of_mean(candidates: Rows, space: Space) -> np.ndarray:
    return mean_top_k(candidates, space.neighbours, space.how.csls_neighbours, space.threads) / 2


def inverted_softmax(space: Space) -> Penalty:
    """ln(sum of exp(beta cos(x', y)) over all neighbours x') / beta (Smith et al. 2017)."""
    beta, total = space.how.inverse_temperature, np.zeros(space.candidates.shape[0])

    def see(rows: slice, _: int, block: np.ndarray) -> None:  # exp(beta (cos - 1)) <= 1
        total[rows] += np.exp(beta * (block.astype(np.float64) - 1)).sum(axis=1)

    sweep(space.candidates, space.neighbours, see, threads=space.threads)
    return Penalty((np.log(total) / beta + 1).astype(np.float32))


@dataclass(frozen=True)
class Measure:
    """How candidates are ordered and scored; higher is better."""

    name: str  # in configurations, models and tables
    kernel: str = "product"  # of `similarity.sweep`
    correction: Callable[[Space], Penalty | Places] | None = None  # for hubs
    unit: str | None = None  # the norm that the rows must have, None for any
    beside: str | None = None  # another measure, whose models can be compared by this one too

    @property
    def corrects_hubs(self) -> bool:
        """Whether neighbours of the query language are used."""
        return self.correction is not None

    def fits(self, names: Collection[str]) -> bool:
        """Whether it can compare rows that the named measures can compare."""
        return self.name in names or self.beside in names

    def score(self, order: np.ndarray, nearest: np.ndarray) -> np.ndarray:
        """Compute the score from the ordering values (n,) and r(x) (n,)."""
        return 2 * order - nearest if self.correction is csls else order

    def tie(self, queries: Rows, candidates: Rows) -> float:
        """The difference below which numbers are ties, as float32 cannot tell them apart."""
        if self.unit:
            return TIE / 2 if self.corrects_hubs else TIE
        largest = norms(queries, "l2").max() * norms(candidates, "l2").max()
        if not largest < np.finfo(np.float32).max:
            raise UserError(
                f"{self.name}: products of rows reach {largest:.3g}, more than float32 can hold; "
                "scale the tables of the model and fit it again"
            )
        return TIE * largest


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("cosine", unit="l2"),
        Measure("csls", correction=csls, unit="l2"),
        Measure("inverted_softmax", correction=inverted_softmax, unit="l2", beside="cosine"),
        Measure("globally_corrected", correction=Places, unit="l2", beside="cosine"),
        Measure("dot"),
        Measure("l1", kernel="l1", unit="l1"),
        Measure("jensen_shannon", kernel="jensen_shannon", unit="l1", beside="l1"),
    )
}


def measure(name: str) -> Measure:
    """Return a measure by its name; UserError if it is unknown."""
    if name not in MEASURES:
        raise UserError(f"{name!r} is not a measure; there are {', '.join(MEASURES)}")
    return MEASURES[name]
