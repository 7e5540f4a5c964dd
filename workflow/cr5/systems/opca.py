"""Oriented PCA on documents (Platt, Toutanova, Yih 2010, section 2.2; Eq. 7, 9-11).

The directions in which documents vary most, relative to the differences within a concept. For two
or more languages; a concept's missing documents are left out of its mean.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections import linear, pencils
from cr5.systems.projections.documents import of_documents
from cr5.systems.projections.linear import OPTIONS as PROJECTION

TITLE = "OPCA"
REFERENCE = "Platt, Toutanova and Yih, EMNLP 2010"
COST = (1, 8)  # a fit for each number of dimensions
COLOUR = "#8C510A"
NEEDS = ("counts",)
WITHOUT_COUNTS = {"weights": "given"}

OPTIONS = {
    **PROJECTION,
    "merged": (True, "whether a string of all languages is one column"),
    # tuned by the authors on both corpora, used in all tests
    "gammas": ([0.1], {"gt": 0}, "regularisation; several are validated"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Solve once for each gamma; keep the gamma and the dimensions that validate best.

    Raises:
        UserError: no word is left, gamma is too small, or there is not enough memory.
    """
    columns = linear.columns_of(training, options, options["merged"])
    documents = of_documents(training, columns, options["unit_rows"])
    return linear.fit_pencil(training, options, columns, pencils.opca(documents))
