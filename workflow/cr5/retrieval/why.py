"""Why two texts are near: their similarity as a sum over words, and which words match."""

from typing import NamedTuple

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import strings
from cr5.search.measures import measure
from cr5.search.similarity import unpadded
from cr5.search.word_matches import best_matches

Pairs = list[tuple[str, str, float]]
"""Word of the query, word of the text, and their part of the score, largest first."""


class Why(NamedTuple):
    """A similarity and its summands."""

    score: float  # the similarity, for most models the cosine
    pairs: Pairs  # which add up to it; an empty word is what a model adds to every text
    matches: Pairs  # what a second stage adds: the best match of each word in the other text


def why(
    embedder: Embedder, query: str, query_language: str, text: str, language: str, n: int = 10
) -> Why:
    """Say which words make two texts near: the first n pairs and matches.

    A text is a weighted sum of its words' vectors, so the product of two texts is a sum over pairs
    of words, one from each text.

    Raises:
        UserError: as of `Embedder.embed`; or the model's similarity is not a sum over words.
    """
    if measure(embedder.measures[0]).kernel != "product":
        raise UserError(
            f"{embedder.place}: texts are compared by {embedder.measures[0]}, which is not a sum "
            "over words"
        )
    words, rows = _parts(embedder, query, query_language, language)
    others, other_rows = _parts(embedder, text, language, language)
    table = unpadded(rows, other_rows)
    order = np.argsort(-table, axis=None, kind="stable")[:n]
    places = zip(*np.unravel_index(order, table.shape), strict=True)
    pairs = [(words[i], others[j], float(table[i, j])) for i, j in places]
    matches = _matches(embedder, query, query_language, text, language)
    return Why(float(table.sum()), pairs, matches[:n])


def _parts(
    embedder: Embedder, text: str, language: str, target_language: str
) -> tuple[list[str], Rows]:
    """Words of a text and their rows."""
    counts = embedder.count_known(strings(text), language, target_language)
    columns, rows = embedder.model.parts(counts, language, target_language)
    words = embedder.model.words[language]
    return [words[column] if column >= 0 else "" for column in columns], rows


def _matches(
    embedder: Embedder, query: str, query_language: str, text: str, language: str
) -> Pairs:
    model = embedder.model
    if not model.rerank:
        return []
    asked = model.matched(embedder.count([query], query_language), query_language)
    other = model.matched(embedder.count([text], language), language)
    added: dict[tuple[int, int], float] = {}
    for *words, part in best_matches(asked, 0, other, 0):  # two words may be best for each other
        added[*words] = added.get((*words,), 0.0) + model.rerank * part
    first, second = model.words[query_language], model.words[language]
    found = [(first[i], second[j], part) for (i, j), part in added.items()]
    return sorted(found, key=lambda match: -match[-1])
