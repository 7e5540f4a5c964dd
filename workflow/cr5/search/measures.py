"""Measures for comparing documents: from similarities in blocks to an order of candidates.

Every measure orders a query's candidates by its correction of kernel(x, y), so one pass over the
blocks serves all measures of a kernel.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import Rows, norms

TIE = 1e-6
"""Cosines this close are ties: in float32 equal ones may differ by 2e-7, CSLS by 4e-7."""


@dataclass(frozen=True)
class Measure:
    """How candidates are ordered and scored; higher is better.

    Attributes:
        name: in configurations, models and tables.
        kernel: of `similarity.strips`.
        correction: for hubs, see `corrections`. CSLS (Conneau et al. 2018, Eq. 3) is 2 cos(x, y) -
            r(x) - r(y): r(x) is the mean cosine of a query with its k nearest candidates, r(y) that
            of a candidate with its k nearest documents of the query language. r(x) is the same for
            all candidates of a query and 2 is a scale: cos(x, y) - r(y) / 2 gives the same order.
        unit: the norm that the rows must have, None for any.
        beside: another measure; models that name it can be compared by this one too.
    """

    name: str
    kernel: str = "product"
    correction: str = ""
    unit: str | None = None
    beside: str | None = None

    @property
    def corrects_hubs(self) -> bool:
        """Whether neighbours of the query language are used."""
        return bool(self.correction)

    def fits(self, names: Collection[str]) -> bool:
        """Whether it can compare rows that the named measures can compare."""
        return self.name in names or self.beside in names

    def score(self, order: np.ndarray, nearest: np.ndarray) -> np.ndarray:
        """Compute the score from the ordering values (n,) and r(x) (n,)."""
        return 2 * order - nearest if self.correction == "csls" else order

    def tie(self, queries: Rows, candidates: Rows) -> float:
        """The difference below which numbers are ties, as float32 cannot tell them apart.

        Raises:
            UserError: the numbers would be too large for float32.
        """
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
        Measure("csls", correction="csls", unit="l2"),
        Measure("inverted_softmax", correction="inverted_softmax", unit="l2", beside="cosine"),
        Measure("globally_corrected", correction="globally_corrected", unit="l2", beside="cosine"),
        Measure("dot"),
        Measure("l1", kernel="l1", unit="l1"),
        Measure("jensen_shannon", kernel="jensen_shannon", unit="l1", beside="l1"),
    )
}


def measure(name: str) -> Measure:
    """Return a measure by its name.

    Raises:
        UserError: the name is unknown.
    """
    if name not in MEASURES:
        raise UserError(f"{name!r} is not a measure; there are {', '.join(MEASURES)}")
    return MEASURES[name]
