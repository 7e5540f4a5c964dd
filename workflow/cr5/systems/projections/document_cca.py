"""CCA of documents: where the documents of a concept vary together most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveFloat

from cr5.contracts.keys import Some
from cr5.systems.projections.family import Projected

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.projections.pencils import Pencil


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

    def pencil(self, training: TrainingSet, columns: Columns) -> Pencil:
        """Return the pencil of the documents, whose columns start anew with each language."""
        from cr5.systems.algebra.columns import of_documents
        from cr5.systems.projections.pencils import cca

        return cca(of_documents(training, columns, self.unit_rows), columns.starts)
