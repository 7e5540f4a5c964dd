"""CL-LSI: latent semantic analysis of the joined documents of a concept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.projections.family import Projected

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.projections.pencils import Pencil


class ClLsi(Projected):
    """CL-LSI (Dumais et al. 1997), as in Platt, Toutanova, Yih 2010 (Eq. 1-5).

    The documents of a concept are counted as one, in any number of languages. The leading right
    singular vectors of these rows, which are not centred, are the projection; y = V'x, not divided
    by singular values.
    """

    title = "CL-LSI"
    reference = "Dumais, Letsche, Littman and Landauer, 1997; Platt et al., EMNLP 2010"

    merged: bool = True
    """Whether a string of all languages is one column."""

    def pencil(self, training: TrainingSet, columns: Columns) -> Pencil:
        """Return the pencil of the rows of concepts."""
        from cr5.systems.algebra.columns import of_concepts
        from cr5.systems.projections.pencils import lsi

        return lsi(of_concepts(training, columns, self.unit_rows))
