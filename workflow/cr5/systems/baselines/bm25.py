"""BM25 on words in common."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, NonNegativeFloat

from cr5.contracts.keys import Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cr5.contracts.training import Fit, TrainingSet
    from cr5.systems.baselines.strings import Tables


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
    without_counts = None  # lengths are numbers of words
    needs = ("counts",)

    k1: Some[NonNegativeFloat] = (1.2,)
    """How late counts saturate; several are validated."""
    b: Some[Annotated[float, Field(ge=0, le=1)]] = (0.75,)
    """How much of a text's length is evened out; likewise."""

    def fit(self, training: TrainingSet) -> Fit:
        """Let each word stand for the same string of the other languages."""
        from cr5.systems.baselines.strings import same_strings

        return self.with_tables(training, same_strings(training))

    def with_tables(self, training: TrainingSet, tables: Tables) -> Fit:
        """Validate k1 and b, with tables of what words of queries count for those of candidates."""
        from cr5.fitting.choose import best

        return best(training, self._fits(training, tables))

    def _fits(self, training: TrainingSet, tables: Tables) -> Iterator[Fit]:
        from cr5.contracts.training import Fit
        from cr5.models.word_tables import Bm25Tables, statistics

        weights = {}
        lengths = {}
        for language, counts in training.counts.items():
            weights[language], lengths[language] = statistics(counts)
        for k1, b in product(self.k1, self.b):
            model = Bm25Tables(training.words, tables, weights, lengths=lengths, k1=k1, b=b)
            yield Fit(model, {"lengths": lengths}, {"k1": k1, "b": b})
