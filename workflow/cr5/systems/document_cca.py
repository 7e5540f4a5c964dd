"""Regularised CCA on documents (Platt, Toutanova, Yih 2010, section 2.3; Eq. 12, 13).

The directions of each language along which the documents of a concept vary together most, relative
to how much they vary. Columns are separate, even for strings that languages share. For more than
two languages the covariances of all pairs are added up (over the concepts that both have), which
the paper does not specify. The system `word_cca` is unrelated: it maps word vectors.
"""

from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections import linear, pencils
from cr5.systems.projections.documents import of_documents
from cr5.systems.projections.linear import OPTIONS as PROJECTION

TITLE = "CCA (documents)"
REFERENCE = "Platt, Toutanova and Yih, EMNLP 2010"
NEEDS = ("counts",)
WITHOUT_COUNTS = {"weights": "given"}

OPTIONS = {
    **PROJECTION,
    # the authors' for Europarl; for Wikipedia 3
    "gammas": ([10.0], {"gt": 0}, "regularisation; several are validated"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Solve once for each gamma; keep the gamma and the dimensions that validate best.

    Raises:
        UserError: no word is left, gamma is too small, or there is not enough memory.
    """
    columns = linear.columns_of(training, options, merged=False)
    widths = [int((columns.numbers[x] >= 0).sum()) for x in training.languages]
    blocks = tuple(np.cumsum([0, *widths[:-1]]).tolist())
    documents = of_documents(training, columns, options["unit_rows"])
    return linear.fit_pencil(training, options, columns, pencils.cca(documents, blocks))
