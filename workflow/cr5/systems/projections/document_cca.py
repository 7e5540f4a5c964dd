"""Regularised CCA on documents (Platt, Toutanova, Yih 2010, section 2.3; Eq. 12, 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import PositiveFloat

from cr5.base.parts import Some
from cr5.systems.projections.family import Projected

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class DocumentCca(Projected):
    """Regularised CCA on documents (Platt, Toutanova, Yih 2010, section 2.3; Eq. 12, 13).

    The directions of each language along which the documents of a concept vary together most,
    relative to how much they vary. Columns are separate, even for strings that languages share. For
    more than two languages the covariances of all pairs are added up (over the concepts that both
    have), which the paper does not specify. The system `word_cca` is unrelated: it maps word
    vectors.
    """

    title = "CCA (documents)"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"

    # the authors' for Europarl; for Wikipedia 3
    gammas: Some[PositiveFloat] = (10.0,)
    """Regularisation; several are validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Solve once for each gamma; keep the gamma and the dimensions that validate best.

        Raises:
            UserError: no word is left, gamma is too small, or there is not enough memory.
        """
        from cr5.systems.projections import linear, pencils
        from cr5.systems.projections.documents import of_documents

        columns = linear.columns_of(training, self, merged=False)
        widths = [int((columns.numbers[x] >= 0).sum()) for x in training.languages]
        blocks = tuple(np.cumsum([0, *widths[:-1]]).tolist())
        documents = of_documents(training, columns, self.unit_rows)
        pencil = pencils.cca(documents, blocks)
        return linear.fit_pencil(training, self, columns, pencil, gammas=self.gammas)
