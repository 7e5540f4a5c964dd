"""CL-LSI (Dumais et al. 1997), as in Platt, Toutanova, Yih 2010 (Eq. 1-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.projections.family import Merged

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class ClLsi(Merged):
    """CL-LSI (Dumais et al. 1997), as in Platt, Toutanova, Yih 2010 (Eq. 1-5).

    The documents of a concept are counted as one, in any number of languages. The leading right
    singular vectors of these rows, which are not centred, are the projection; y = V'x, not divided
    by singular values.
    """

    title = "CL-LSI"
    reference = "Dumais, Letsche, Littman and Landauer, 1997; Platt et al., EMNLP 2010"

    def fit(self, training: TrainingSet) -> Fit:
        """Decompose once, and keep the number of dimensions that validates best.

        Raises:
            UserError: no word is left, or there is not enough memory.
        """
        from cr5.systems.projections import linear, pencils
        from cr5.systems.projections.documents import of_concepts

        columns = linear.columns_of(training, self, self.merged)
        documents = of_concepts(training, columns, self.unit_rows)
        return linear.fit_pencil(training, self, columns, pencils.lsi(documents))
