"""Why two texts are near: their similarity as a sum over words, and which words match."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import strings
from cr5.search.measures import measure
from cr5.search.similarity import unpadded
from cr5.search.word_matches import best_matches

OFFSET = ""  # stands for parts that come from no word


@dataclass(frozen=True)
class Why:
    """A similarity and its summands.

    Lists are in order, largest first. An empty word stands for what a model adds to every text.

    Attributes:
        score: the similarity, for most models the cosine.
        query: (word of the query, its part of the score); parts add up to the score.
        text: likewise for the other text.
        pairs: (word of the query, word of the text, their part).
        matches: of a model with a second stage, (word of the query, word of the text, what their
            match adds to the score): the best match of each word (`cr5.search.word_matches`).
    """

    score: float
    query: list[tuple[str, float]]
    text: list[tuple[str, float]]
    pairs: list[tuple[str, str, float]]
    matches: list[tuple[str, str, float]] = field(default_factory=list)


def why(
    embedder: Embedder, query: str, query_language: str, text: str, language: str, n: int = 10
) -> Why:
    """Say which words make two texts near.

    A text is a weighted sum of its words' vectors, so the product of two texts is a sum over pairs
    of words, one from each text, of which n are returned, and n matches.

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
    return Why(
        float(table.sum()),
        _ordered(words, table.sum(axis=1)),
        _ordered(others, table.sum(axis=0)),
        _pairs(words, others, table, n),
        _matches(embedder, [(query, query_language), (text, language)])[:n],
    )


def _matches(embedder: Embedder, texts: Sequence[tuple[str, str]]) -> list[tuple[str, str, float]]:
    """What the second stage adds to a score, match by match; nothing without one."""
    model = embedder.model
    if not model.rerank:
        return []
    counted = [(embedder.count([text], x), x) for text, x in texts]
    query, other = (model.matched(counts, x) for counts, x in counted)
    added: dict[tuple[int, int], float] = {}
    for *words, part in best_matches(query, 0, other, 0):  # two words may be best for each other
        added[*words] = added.get((*words,), 0.0) + model.rerank * part
    first, second = (model.words[x] for _, x in texts)
    found = [(first[i], second[j], part) for (i, j), part in added.items()]
    return sorted(found, key=lambda match: -match[-1])


def _parts(
    embedder: Embedder, text: str, language: str, target_language: str
) -> tuple[list[str], Rows]:
    """Words of a text and their rows."""
    counts = embedder.count_known(strings(text), language, target_language)
    columns, rows = embedder.model.parts(counts, language, target_language)
    words = embedder.model.words[language]
    return [words[column] if column >= 0 else OFFSET for column in columns], rows


def _ordered(words: list[str], parts: np.ndarray) -> list[tuple[str, float]]:
    order = np.argsort(-parts, kind="stable")
    return [(words[i], float(parts[i])) for i in order]


def _pairs(
    first: list[str], second: list[str], table: np.ndarray, n: int
) -> list[tuple[str, str, float]]:
    order = np.argsort(-table, axis=None, kind="stable")[:n]
    places = zip(*np.unravel_index(order, table.shape), strict=True)
    return [(first[i], second[j], float(table[i, j])) for i, j in places]
