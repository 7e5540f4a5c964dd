"""Measures for comparing documents: a kernel, and a correction of hubs, near to all queries.

Every measure orders a query's candidates by its correction of kernel(x, y), which is computed once
for all measures of a kernel. Most corrections subtract a number per candidate; the global one
replaces cosines by ranks.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import Rows, norms, stacked
from cr5.search.kernels import by_rows
from cr5.search.nearest import mean_top_k
from cr5.search.options import SearchOptions

TIE = 1e-6
"""Cosines this close are ties: in float32 equal ones may differ by 2e-7, CSLS by 4e-7."""
PIVOTS = 5000  # neighbours used in addition to the queries, as in Dinu et al. (2015)


@dataclass(frozen=True)
class Space:
    """What is searched, by which queries: n x d and m x d, float32."""

    queries: Rows
    candidates: Rows
    neighbours: Rows  # of the query language, used to detect hubs
    how: SearchOptions
    threads: int


Which = slice | np.ndarray
Correct = Callable[[np.ndarray, Which, Which], object]
"""Changes the kernel of some queries and candidates, or of single pairs, to ordering values."""


def csls(space: Space) -> Correct:
    """Subtract half of r(y), the mean cosine of a candidate with its k nearest neighbours.

    CSLS (Conneau et al. 2018, Eq. 3) is 2 cos(x, y) - r(x) - r(y): r(x) changes no query's order.
    """
    k, threads = space.how.csls_neighbours, space.threads
    half = mean_top_k(space.candidates, space.neighbours, k, threads) / 2
    return lambda scores, _, candidates: np.subtract(scores, half[candidates], scores)


def inverted_softmax(space: Space) -> Correct:
    """Subtract ln(sum of exp(beta cos(x', y)) over neighbours x') / beta (Smith et al. 2017)."""
    beta = space.how.inverse_temperature

    def see(_: slice, cosines: np.ndarray) -> np.ndarray:  # exp(beta (cos - 1)) <= 1
        return np.exp(beta * (cosines.astype(np.float64) - 1)).sum(axis=1)

    totals = by_rows(space.candidates, space.neighbours, see, threads=space.threads)
    penalty = (np.log(np.concatenate(totals)) / beta + 1).astype(np.float32)
    return lambda scores, _, candidates: np.subtract(scores, penalty[candidates], scores)


def globally_corrected(space: Space) -> Correct:
    """Subtract how many pivots are nearer to y than x is (Dinu et al. 2015, Eq. 3).

    These numbers are held for all queries and candidates, 4 bytes each.
    """
    pivots, asked = [space.queries], space.queries.shape[0]
    if space.neighbours is not space.queries:
        n = space.neighbours.shape[0]
        pivots.append(space.neighbours[np.linspace(0, n - 1, min(n, PIVOTS)).round().astype(int)])

    nearer = np.empty((asked, space.candidates.shape[0]), np.float32)

    def see(rows: slice, cosines: np.ndarray) -> None:
        reached = cosines[:, :asked] + np.float32(TIE)
        cosines.sort(axis=1)
        for column, own, of_queries in zip(nearer.T[rows], cosines, reached, strict=True):
            column[:] = len(own) - np.searchsorted(own, of_queries, "right")

    by_rows(space.candidates, stacked(pivots), see, threads=space.threads)
    return lambda scores, *of: np.subtract(scores, nearer[of], scores)


@dataclass(frozen=True)
class Measure:
    """How candidates are ordered and scored; higher is better."""

    name: str  # in configurations, models and tables
    kernel: str = "product"  # of `kernels.by_rows`
    correction: Callable[[Space], Correct] | None = None  # for hubs
    unit: str | None = None  # the norm that the rows must have, None for any
    beside: str | None = None  # another measure, whose models can be compared by this one too
    of_nothing: float = 0.0  # the similarity of texts that share nothing

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
        Measure("globally_corrected", correction=globally_corrected, unit="l2", beside="cosine"),
        Measure("dot"),
        Measure("l1", kernel="l1", unit="l1", of_nothing=-2.0),
        Measure(
            "jensen_shannon",
            kernel="jensen_shannon",
            unit="l1",
            beside="l1",
            of_nothing=-float(np.log(2)),
        ),
    )
}


def measure(name: str) -> Measure:
    """Return a measure by its name; UserError if it is unknown."""
    if name not in MEASURES:
        raise UserError(f"{name!r} is not a measure; there are {', '.join(MEASURES)}")
    return MEASURES[name]
