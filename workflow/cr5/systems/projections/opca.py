"""OPCA: where documents vary most, relative to the differences within a concept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveFloat

from cr5.contracts.keys import Some
from cr5.systems.projections.family import Projected

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.projections.pencils import Pencil


class Opca(Projected):
    """Oriented PCA on documents (Platt, Toutanova, Yih 2010, section 2.2; Eq. 7, 9-11).

    The directions in which documents vary most, relative to the differences within a concept. For
    two or more languages; a concept's missing documents are left out of its mean.
    """

    title = "OPCA"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (1, 8)  # a fit for each number of dimensions
    colour = "#8C510A"

    merged: bool = True
    """Whether a string of all languages is one column."""
    # tuned by the authors on both corpora, used in all tests
    gammas: Some[PositiveFloat] = (0.1,)
    """Regularisation; several are validated."""

    def pencil(self, training: TrainingSet, columns: Columns) -> Pencil:
        """Return the pencil of the documents of all languages."""
        from cr5.systems.algebra.columns import of_documents
        from cr5.systems.projections.pencils import opca

        return opca(of_documents(training, columns, self.unit_rows))
