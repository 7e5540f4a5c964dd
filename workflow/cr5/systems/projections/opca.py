"""Oriented PCA on documents (Platt, Toutanova, Yih 2010, section 2.2; Eq. 7, 9-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveFloat

from cr5.base.parts import Some
from cr5.systems.projections.family import Merged

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Opca(Merged):
    """Oriented PCA on documents (Platt, Toutanova, Yih 2010, section 2.2; Eq. 7, 9-11).

    The directions in which documents vary most, relative to the differences within a concept. For
    two or more languages; a concept's missing documents are left out of its mean.
    """

    title = "OPCA"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (1, 8)  # a fit for each number of dimensions
    colour = "#8C510A"

    # tuned by the authors on both corpora, used in all tests
    gammas: Some[PositiveFloat] = (0.1,)
    """Regularisation; several are validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Solve once for each gamma; keep the gamma and the dimensions that validate best.

        Raises:
            UserError: no word is left, gamma is too small, or there is not enough memory.
        """
        from cr5.systems.projections import linear, pencils
        from cr5.systems.projections.documents import of_documents

        columns = linear.columns_of(training, self, self.merged)
        documents = of_documents(training, columns, self.unit_rows)
        return linear.fit_pencil(
            training, self, columns, pencils.opca(documents), gammas=self.gammas
        )
