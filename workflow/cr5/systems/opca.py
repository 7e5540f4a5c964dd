"""Oriented PCA on documents (Platt, Toutanova, Yih 2010, section 2.2; Eq. 7, 9-11).

The directions in which documents vary most, relative to how far those of a concept are apart.
Of two or more languages; a document that a concept lacks is left out of its mean.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections import linear, pencils
from cr5.systems.projections.documents import of_documents

NEEDS = ("counts",)
WITHOUT_COUNTS = {"weights": "given"}

DEFAULTS = {
    "dimensions": [50, 100, 200, 500, 1000, 2000],  # validation chooses; the paper's grid unknown
    "gammas": [0.1],  # tuned by the authors on both corpora, used in all tests
    "merged": True,  # one column for a string of all languages
    "skip_words": 50,
    "max_words": 20000,
    "weights": "paper",  # or "given": documents as they are, such as rows of a matrix
    "unit_rows": False,  # whether rows have length one before they are fitted
    "relative_gamma": False,  # whether gamma is in units of the mean squared length of a row
    "centre_noise": False,  # whether the difference of the languages' means is no noise
    "solver": "auto",
    "tolerance": 1e-3,  # of the iterative solver, on residuals relative to each eigenvalue
    "max_restarts": 30,
}
ALLOWED = {
    "dimensions": {"ge": 1},
    "gammas": {"gt": 0},
    "skip_words": {"ge": 0},
    "max_words": {"ge": 1},
    "weights": ("paper", "given"),
    "solver": ("auto", "rows", "columns", "iterative"),
    "tolerance": {"gt": 0, "lt": 1},
    "max_restarts": {"ge": 1},
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Solve once for each gamma; keep the gamma and the dimensions that validate best.

    Raises:
        UserError: no word is left, gamma is too small, or it takes more memory than there is.
    """
    settings = DEFAULTS | options
    columns = linear.columns_of(training, settings, settings["merged"])
    documents = of_documents(training, columns, settings["unit_rows"])
    pencil = pencils.opca(documents, centre_noise=settings["centre_noise"])
    return linear.fit_pencil(training, settings, columns, pencil)
