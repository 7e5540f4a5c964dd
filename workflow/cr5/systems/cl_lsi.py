"""CL-LSI (Dumais et al. 1997), as in Platt, Toutanova, Yih 2010 (Eq. 1-5).

The documents of a concept are counted as one, in any number of languages. The leading right
singular vectors of these rows, which are not centred, are the projection; y = V'x, not divided by
singular values.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections import linear, pencils
from cr5.systems.projections.documents import of_concepts
from cr5.systems.projections.linear import OPTIONS as PROJECTION

TITLE = "CL-LSI"
REFERENCE = "Dumais, Letsche, Littman and Landauer, 1997; Platt et al., EMNLP 2010"
NEEDS = ("counts",)
WITHOUT_COUNTS = {"weights": "given"}

OPTIONS = {
    **PROJECTION,
    "merged": (True, "whether a string of all languages is one column"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Decompose once, and keep the number of dimensions that validates best.

    Raises:
        UserError: no word is left, or there is not enough memory.
    """
    columns = linear.columns_of(training, options, options["merged"])
    documents = of_concepts(training, columns, options["unit_rows"])
    return linear.fit_pencil(training, options, columns, pencils.lsi(documents))
