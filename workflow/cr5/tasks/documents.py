"""Documents: given a document in one language, find the one on the same concept in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import PositiveInt

from cr5.contracts.task import Task

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
        from cr5.tasks.base import same_ids, searches_of  # plans need no pandas

        directions = data.directions(languages)
        spaces = {}
        for language in languages:
            targets = data.targets(language, languages)
            if targets:
                concepts = data.drawn.search_space(language, targets, role)
                spaces[language] = self._space(data, language, concepts)
        answers = {pair: same_ids(data.drawn.queries_of(pair, role)) for pair in directions}
        yield from searches_of(spaces, answers)

    def _space(self, data: Data, language: str, concepts: pd.Index) -> Texts:
        """Return the documents that are searched, among them the queries."""
        from cr5.tasks.base import Texts

        bags = data.bags[language]
        space = Texts.of_bags(bags, concepts)
        if self.min_words > 1:
            is_long = space.about["n_tokens"] >= self.min_words
            space = Texts.of_bags(bags, space.ids[is_long])
        if self.idf == "corpus":
            return space
        all_concepts = bags.documents["concept"]
        queries = data.drawn.kept_from_training()
        searched = space.ids.union(queries)
        is_reference = ~all_concepts.isin(searched).to_numpy()
        if is_reference.sum() < len(space.ids):  # too few; all with `candidates_reading: code`
            is_reference = ~all_concepts.isin(queries).to_numpy()
        return space.weighed(bags.counts[is_reference], self.idf)
