"""Why two texts are near: their similarity as a sum over words, and which words match."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.models.contract import Model
from cr5.retrieval.embedder import Embedder, strings
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
    of words, one from each text. UserError: as of `Embedder.embed`; or it is not such a sum.
    """
    if measure(embedder.measures[0]).kernel != "product":
        raise UserError(
            f"{embedder.place}: texts are compared by {embedder.measures[0]}, which is not a sum "
            "over words"
        )
    given = (query, query_language), (text, language)
    counted = [(embedder.count_known(strings(x), y, language), y) for x, y in given]
    (words, rows), (others, other_rows) = (_parts(embedder.model, *x, language) for x in counted)
    table = unpadded(rows, other_rows)
    order = np.argsort(-table, axis=None, kind="stable")[:n]
    places = zip(*np.unravel_index(order, table.shape), strict=True)
    pairs = [(words[i], others[j], float(table[i, j])) for i, j in places]
    matches = _matches(embedder.model, *counted) if embedder.model.rerank else []
    return Why(float(table.sum()), pairs, matches[:n])


def _parts(
    model: Model, counts: csr_matrix, language: str, target_language: str
) -> tuple[list[str], Rows]:
    columns, rows = model.parts(counts, language, target_language)
    return [model.words[language][column] if column >= 0 else "" for column in columns], rows


def _matches(model: Model, *counted: tuple[csr_matrix, str]) -> Pairs:
    asked, other = (model.matched(*each) for each in counted)
    first, second = (model.words[language] for _, language in counted)
    added: dict[tuple[str, str], float] = {}
    for i, j, part in best_matches(asked, 0, other, 0):  # two words may be best for each other
        pair = first[i], second[j]
        added[pair] = added.get(pair, 0.0) + model.rerank * part
    return sorted(((*pair, part) for pair, part in added.items()), key=lambda match: -match[-1])
