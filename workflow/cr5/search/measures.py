"""Measures for comparing documents: a kernel, and a correction of hubs.

Every measure orders a query's candidates by its correction of kernel(x, y), which is computed once
for all measures of a kernel.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import Rows, norms
from cr5.search.corrections import (
    TIE,
    Correction,
    Space,
    csls,
    globally_corrected,
    inverted_softmax,
)


@dataclass(frozen=True)
class Measure:
    """How candidates are ordered and scored; higher is better."""

    name: str  # in configurations, models and tables
    kernel: str = "product"  # of `kernels.sweep`
    correction: Callable[[Space], Correction] | None = None  # for hubs
    norm: str | None = None  # the norm that the rows must have, None for any
    fits_rows_of: str | None = None  # another measure, whose models can be compared by this one too
    of_nothing: float = 0.0  # the similarity of texts that share nothing

    @property
    def corrects_hubs(self) -> bool:
        """Whether neighbours of the query language are used."""
        return self.correction is not None

    @property
    def is_csls(self) -> bool:
        """Whether scores depend on the neighbours of the query, too."""
        return self.correction is csls

    def fits(self, names: Collection[str]) -> bool:
        """Whether it can compare rows that the named measures can compare."""
        return self.name in names or self.fits_rows_of in names

    def score(self, values: np.ndarray, mean_of_nearest: np.ndarray) -> np.ndarray:
        """Compute scores from the corrected kernel, by which candidates are ordered, and r(x).

        Both are of one shape, or broadcast to one.
        """
        if self.is_csls:
            return 2 * values - mean_of_nearest
        return values

    def tie(self, queries: Rows, candidates: Rows) -> float:
        """Return the difference below which float32 cannot tell numbers apart: they are ties."""
        if self.norm:
            return TIE / 2 if self.corrects_hubs else TIE
        longest_query = norms(queries, "l2").max()
        longest_candidate = norms(candidates, "l2").max()
        largest = longest_query * longest_candidate
        if not largest < np.finfo(np.float32).max:
            raise UserError(
                f"{self.name}: products of rows reach {largest:.3g}, more than float32 can hold; "
                "scale the tables of the model and fit it again"
            )
        return TIE * largest


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("cosine", norm="l2"),
        Measure("csls", correction=csls, norm="l2"),
        Measure("inverted_softmax", correction=inverted_softmax, norm="l2", fits_rows_of="cosine"),
        Measure(
            "globally_corrected", correction=globally_corrected, norm="l2", fits_rows_of="cosine"
        ),
        Measure("dot"),
        Measure("l1", kernel="l1", norm="l1", of_nothing=-2.0),
        Measure(
            "jensen_shannon",
            kernel="jensen_shannon",
            norm="l1",
            fits_rows_of="l1",
            of_nothing=-float(np.log(2)),
        ),
    )
}


def measure_named(name: str) -> Measure:
    """Return a measure by its name; UserError if it is unknown."""
    if name not in MEASURES:
        known = ", ".join(MEASURES)
        raise UserError(f"{name!r} is not a measure; there are {known}")
    return MEASURES[name]
