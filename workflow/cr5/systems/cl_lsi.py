"""CL-LSI (Dumais et al. 1997), as in Platt, Toutanova, Yih 2010 (Eq. 1-5).

The documents of a concept are counted as one, in any number of languages. The leading right
singular vectors of these rows, which are not centred, are the projection; y = V'x, not divided by
singular values.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections import linear, pencils
from cr5.systems.projections.documents import of_concepts

NEEDS = ("counts",)
WITHOUT_COUNTS = {"weights": "given"}

DEFAULTS = {
    "dimensions": [50, 100, 200, 500, 1000, 2000],  # validation chooses; the paper's grid unknown
    "merged": True,  # one column for a string of all languages
    "skip_words": 50,
    "max_words": 20000,
    "weights": "paper",  # or "given": documents as they are, such as rows of a matrix
    "unit_rows": False,  # whether rows have length one before they are decomposed
    "solver": "auto",
    "tolerance": 1e-3,  # of the iterative solver, on residuals relative to each eigenvalue
    "max_restarts": 30,
}
ALLOWED = {
    "dimensions": {"ge": 1},
    "skip_words": {"ge": 0},
    "max_words": {"ge": 1},
    "weights": ("paper", "given"),
    "solver": ("auto", "rows", "columns", "iterative"),
    "tolerance": {"gt": 0, "lt": 1},
    "max_restarts": {"ge": 1},
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Decompose once, and keep as many dimensions as validate best.

    Raises:
        UserError: no word is left, or it takes more memory than there is.
    """
    settings = DEFAULTS | options
    columns = linear.columns_of(training, settings, settings["merged"])
    pencil = pencils.lsi(of_concepts(training, columns, settings["unit_rows"]))
    return linear.fit_pencil(training, settings, columns, pencil)
