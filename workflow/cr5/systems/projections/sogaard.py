"""Inverted indexing (Søgaard, Agić, Martínez Alonso, Plank, Bohnet and Johannsen, ACL 2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cr5.systems.projections.family import Projected

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Sogaard(Projected):
    """Inverted indexing (Søgaard, Agić, Martínez Alonso, Plank, Bohnet and Johannsen, ACL 2015).

    A word is described by the concepts in whose documents it occurs, which are the same for the
    words of all languages, and these descriptions are reduced by a singular value decomposition.
    With D the documents of each concept (concepts x words), a column for each word and language,
    scaled to length one: D = U S V', and the vectors of words are the rows of V S.

    `cl_lsi` decomposes the same documents, but its columns keep their lengths, so that it is about
    frequent words, and it takes V without S.
    """

    title = "Inverted indexing"
    reference = "Søgaard et al., ACL 2015"

    def fit(self, training: TrainingSet) -> Fit:
        """Decompose once, and keep the number of dimensions that validates best.

        Raises:
            UserError: no word is left, or there is not enough memory.
        """
        from scipy import sparse

        from cr5.base.rows import norms
        from cr5.systems.projections import linear, pencils
        from cr5.systems.projections.documents import alone, of_concepts

        columns = linear.columns_of(training, self, merged=False)
        Z = of_concepts(training, columns, self.unit_rows).Z
        lengths = norms(Z.T.tocsr(), "l2")
        scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        words = (Z @ sparse.diags(scale)).tocsr()
        # the eigenvalues of D'D are those of S, squared
        return linear.fit_pencil(training, self, columns, pencils.lsi(alone(words)), power=0.5)
