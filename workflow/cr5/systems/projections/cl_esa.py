"""CL-ESA: documents described by their similarity to the training documents of each concept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import PositiveInt

from cr5.base.errors import LeftOutError
from cr5.contracts.keys import Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    from scipy import sparse

    from cr5.contracts.training import Fit, TrainingSet


class ClEsa(System):
    """Cross-lingual explicit semantic analysis (Potthast et al. 2008; Sorg and Cimiano 2008, 2012).

    A document is described by how similar it is to the training document of each concept in its own
    language: z = x D' for the documents D of that language, rows of unit length, one for each
    concept. The concepts are the same in all languages, so z needs no translation. As published, a
    concept that lacks a document in any of the languages is no dimension.

    The papers keep the strongest 10,000 dimensions of a document. What a word adds is cut here
    instead, as in the index of Gabrilovich and Markovitch (2007), so that a document is the sum of
    its words.
    """

    title = "CL-ESA"
    reference = "Potthast, Stein and Anderka, ECIR 2008; Sorg and Cimiano, CLEF 2008"
    cost = (0.5, 0.5)

    keep: Some[PositiveInt | None] = (None, 1000, 100, 30, 10, 3)
    """Concepts kept for each word, those where it weighs most; null: all; validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Index the training documents by word, and validate how many concepts are kept."""
        from cr5.contracts.training import Fit
        from cr5.fitting.choose import best
        from cr5.models.word_tables import WordTables

        index = index_of(training)
        n_concepts = next(iter(index.values())).shape[1]

        def fit_of(keep: int | None) -> Fit:
            tables = {language: strongest(table, keep) for language, table in index.items()}
            return Fit(WordTables.of(training, tables), {"concepts": n_concepts}, {"keep": keep})

        return best(training, map(fit_of, self.keep))


def index_of(training: TrainingSet) -> dict[str, sparse.csr_matrix]:
    """Return, by language, words x concepts of all languages: transposed unit rows of documents.

    LeftOutError: no concept has a document in every language.
    """
    from cr5.base.rows import unit_rows
    from cr5.systems.algebra.columns import members

    rows = {}  # of each language, concepts x words
    for language in training.languages:
        sums = members(training, language) @ training.features[language]
        rows[language] = unit_rows(sums.tocsr())
    has_document = [np.diff(concepts.indptr) > 0 for concepts in rows.values()]
    in_all = np.logical_and.reduce(has_document)
    if not in_all.any():
        raise LeftOutError(
            f"no concept has a training document in each of {', '.join(training.languages)}: "
            "fit it in a setting of kind pairwise"
        )
    return {language: concepts[in_all].T.tocsr() for language, concepts in rows.items()}


def strongest(table: sparse.csr_matrix, keep: int | None) -> sparse.csr_matrix:
    """Return the `keep` largest entries of each row; of equal ones the first."""
    from scipy import sparse

    if keep is None:
        return table
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    order = np.lexsort((table.indices, -table.data, rows))
    rank = np.arange(table.nnz) - table.indptr[rows]  # within the row, from the largest
    strong = order[rank < keep]
    places = (rows[strong], table.indices[strong])
    return sparse.csr_matrix((table.data[strong], places), table.shape)
