"""Documents: given a document in one language, find the one on the same concept in another.

The task of the Cr5 paper (Sec. 4.2): the queries of a language pair search the candidates of the
other language; the only answer is the document of the same concept.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from cr5.tasks.base import Data, Search, Texts, one_answer_each

OPTIONS: dict[str, Any] = {
    "idf": (
        "corpus",
        ("corpus", "own"),
        "the model's own; or of documents that are no candidates, as MUSE weighs words",
    ),
    "min_words": (1, {"ge": 1}, "of a query or candidate, however often a word occurs"),
}
ROLES = ("test", "validation")
METRICS = ("Success@1", "Success@5", "Success@10", "RR")


def searches(
    data: Data, languages: Sequence[str], options: Mapping[str, Any], role: str = "test"
) -> Iterator[Search]:
    """Yield both directions of every pair for which queries were drawn.

    Args:
        data: bags, and what was drawn.
        languages: of the setting.
        options: `idf`, `min_words`.
        role: `test` or `validation`.
    """
    directions = data.directions(languages)
    spaces = {
        x: _space(data, x, data.drawn.search_space(x, others, role), options)
        for x in languages
        if (others := [target for query, target in directions if query == x])
    }
    for query, target in directions:
        concepts = data.drawn.queries_of((query, target), role)
        concepts = concepts.intersection(spaces[query].ids).intersection(spaces[target].ids)
        if len(concepts):  # else the pair shares too little, which the draw reported
            queries = spaces[query].select(concepts)
            relevance = one_answer_each(concepts, spaces[target].ids)
            yield Search(query, target, queries, spaces[target], relevance, spaces[query])


def _space(data: Data, language: str, concepts: pd.Index, options: Mapping[str, Any]) -> Texts:
    """The documents searched in a language."""
    bags = data.bags[language]
    if (least := options.get("min_words", 1)) > 1:
        lengths = bags.documents["n_tokens"].to_numpy()[bags.rows(concepts)]
        concepts = concepts[lengths >= least]
    space = Texts.of_bags(bags, concepts)
    if options.get("idf", "corpus") == "corpus":
        return space
    every, queries = bags.documents["concept"], data.drawn.held_out()
    others = ~every.isin(concepts.union(queries)).to_numpy()
    if others.sum() < len(concepts):  # too few to count in; all with `candidates_reading: code`
        others = ~every.isin(queries).to_numpy()
    return space.weighed(bags.counts[others], options["idf"])
