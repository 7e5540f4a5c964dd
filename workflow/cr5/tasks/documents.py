"""Documents: given a document in one language, find the one on the same concept in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import PositiveInt

from cr5.base.parts import Task

if TYPE_CHECKING:
    import pandas as pd

    from cr5.tasks.base import Data, Search, Texts


class Documents(Task):
    """Documents: given a document in one language, find the one on the same concept in another.

    The task of the Cr5 paper (Sec. 4.2): the queries of a language pair search the candidates of
    the other language; the only answer is the document of the same concept.
    """

    roles = ("test", "validation")

    idf: Literal["corpus", "own"] = "corpus"
    """The model's own; or of documents that are no candidates, as MUSE weighs words."""
    min_words: PositiveInt = 1
    """Of a query or candidate, however often a word occurs."""

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield both directions of every pair for which queries were drawn."""
        from cr5.tasks.base import searches_of

        directions = data.directions(languages)
        spaces = {
            x: self._space(data, x, data.drawn.search_space(x, others, role))
            for x in languages
            if (others := [target for query, target in directions if query == x])
        }
        asked = {pair: data.drawn.queries_of(pair, role) for pair in directions}
        yield from searches_of(spaces, {pair: (x, x) for pair, x in asked.items()})

    def _space(self, data: Data, language: str, concepts: pd.Index) -> Texts:
        from cr5.tasks.base import Texts

        bags = data.bags[language]
        space = Texts.of_bags(bags, concepts)
        if self.min_words > 1:
            space = Texts.of_bags(bags, space.ids[space.about["n_tokens"] >= self.min_words])
        if self.idf == "corpus":
            return space
        every, queries = bags.documents["concept"], data.drawn.kept_from_training()
        others = ~every.isin(space.ids.union(queries)).to_numpy()
        if others.sum() < len(space.ids):  # too few; all with `candidates_reading: code`
            others = ~every.isin(queries).to_numpy()
        return space.weighed(bags.counts[others], self.idf)
