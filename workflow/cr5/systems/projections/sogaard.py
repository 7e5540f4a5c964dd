"""Inverted indexing: words described by the concepts in whose documents they occur."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.projections.family import Projected

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.projections.pencils import Pencil


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
    power = 0.5  # the eigenvalues of D'D are those of S, squared

    def pencil(self, training: TrainingSet, columns: Columns) -> Pencil:
        """Return the pencil of the rows of concepts, whose columns have length one."""
        from cr5.base.rows import unit_rows
        from cr5.systems.algebra.columns import of_concepts
        from cr5.systems.projections.pencils import lsi

        concepts = of_concepts(training, columns, self.unit_rows)
        descriptions = unit_rows(concepts.T.tocsr())  # words x concepts
        return lsi(descriptions.T.tocsr())
