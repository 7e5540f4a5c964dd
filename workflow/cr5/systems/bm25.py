"""BM25 on words that languages share (Robertson and Zaragoza 2009); nothing is translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field, NonNegativeFloat

from cr5.base.parts import Some, System

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scipy import sparse

    from cr5.fitting.contract import Fit, TrainingSet

    Tables = Mapping[str, Mapping[str, sparse.csr_matrix]]


class Bm25(System):
    """BM25 on words that languages share (Robertson and Zaragoza 2009); nothing is translated.

    In one language this is the usual search; across languages, lexical overlap with BM25's weights,
    and `bm25_translated` translates the query. Idf and mean length are those of the training
    documents of the candidates' language, but where a collection is searched (`ad_hoc`) those of
    the collection: of other text they would be those of other words and lengths.
    """

    title = "BM25"
    reference = "Robertson and Zaragoza, 2009"
    cost = (0.5, 0.5)
    without_counts: ClassVar = None  # lengths are numbers of words

    k1: Some[NonNegativeFloat] = (1.2,)
    """How late counts saturate; several are validated."""
    b: Some[Annotated[float, Field(ge=0, le=1)]] = (0.75,)
    """How much of a text's length is evened out; likewise."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Counts."""
        return ("counts",)

    def fit(self, training: TrainingSet) -> Fit:
        """Let each word stand for the same string of the other languages."""
        from cr5.fitting.best import best
        from cr5.systems.projections.strings import all_strings

        strings = all_strings(training)
        shared = {x: strings.selection(x) for x in training.languages}
        tables = {x: {y: (shared[x] @ shared[y].T).tocsr() for y in shared} for x in shared}
        return best(training, self.fits(training, tables))

    def fits(self, training: TrainingSet, tables: Tables) -> Iterator[Fit]:
        """Make a model for each k1 and b.

        Args:
            training: its words and counts.
            tables: by language of queries and of candidates, words x words; of one language to
                itself the identity.
        """
        from cr5.fitting.contract import Fit
        from cr5.models.bm25_tables import Bm25Tables, statistics

        of = {x: statistics(rows) for x, rows in training.counts.items()}
        weights, lengths = ({x: each[i] for x, each in of.items()} for i in range(2))
        tables = {
            x: {y: table.tocsr().astype(np.float32) for y, table in row.items()}
            for x, row in tables.items()
        }
        for k1 in self.k1:
            for b in self.b:
                model = Bm25Tables(training.words, tables, weights, lengths=lengths, k1=k1, b=b)
                yield Fit(model, {"lengths": lengths}, {"k1": k1, "b": b})
