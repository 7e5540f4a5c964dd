"""Two collections of texts aligned one to one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from cr5.retrieval.embedder import Embedder
from cr5.retrieval.index import Index

CANDIDATES = 20  # of a text


class Pair(NamedTuple):
    """Two texts that belong together, by their numbers in the two collections, from 0."""

    first: int
    second: int
    score: float


def align(
    model: Embedder,
    texts: Sequence[str],
    language: str,
    others: Sequence[str],
    other_language: str,
    k: int = CANDIDATES,
    measure: str | None = None,
) -> list[Pair]:
    """Align two collections of texts one to one.

    Each text of the first collection is searched among the second; of the pairs found, those are
    kept that have the largest sum of scores while no text is in two (Jonker and Volgenant 1987, on
    a sparse graph). So a pair depends on all other texts: a reading of both collections together
    (transductive), which a search of one query cannot have.

    Args:
        model: from `cr5.load` or `cr5.fit`.
        texts: the first collection.
        language: of these.
        others: the second collection.
        other_language: of these.
        k: how many texts of the second collection may belong to one of the first.
        measure: one of the model's; defaults to `csls` if the model has it.

    Returns the pairs, in the order of the first collection. A text without a word that the model
    knows has none, nor one whose candidates belong better to others.
    """
    if not (len(texts) and len(others)):
        return []
    index = Index(model)
    query_language = model.known_language(language)
    target_language = model.known_language(other_language)
    # The first collection is there for `csls`, unless it is in the language of the second.
    for collection, code in ((others, target_language), (texts, query_language)):
        if code in index.sizes:
            continue
        unknown = index.add(range(len(collection)), collection, code)
        if len(unknown) == len(collection):
            return []
    if measure is None and "csls" in model.measures:
        measure = "csls"
    hits_of_texts = index.search(texts, query_language, k, measure, target_language)
    first = []
    second = []
    scores = []
    for number, hits in enumerate(hits_of_texts):
        first += [number] * len(hits)
        second += [int(hit.id) for hit in hits]
        scores += [hit.score for hit in hits]
    if not scores:
        return []
    return one_to_one(np.array(first), np.array(second), np.array(scores))


def one_to_one(first: np.ndarray, second: np.ndarray, scores: np.ndarray) -> list[Pair]:
    """Choose among scored pairs, sorted and each once, those of the largest sum, no number in two.

    A number stays without partner where that makes the sum larger, counted as the lowest score.
    """
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # slow to import

    numbers, row = np.unique(first, return_inverse=True)
    costs = scores.max() - scores + 1  # entries of zero would be no entries
    # a column for each row, in case that it stays alone
    alone = sparse.identity(len(numbers)) * costs.max()
    pairs = sparse.csr_matrix((costs, (row, second)))
    graph = sparse.hstack([pairs, alone]).tocsr()
    _, partner = min_weight_full_bipartite_matching(graph)
    is_chosen = partner[row] == second
    chosen = zip(
        first[is_chosen].tolist(),
        second[is_chosen].tolist(),
        scores[is_chosen].tolist(),
        strict=True,
    )
    return [Pair(text, other, score) for text, other, score in chosen]
