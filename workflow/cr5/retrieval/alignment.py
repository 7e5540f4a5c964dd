"""Two collections aligned one to one: which text of one belongs to which of the other.

Each text of the first collection is searched among the second; of the pairs found, those are kept
that have the largest sum of scores while no text is in two (Jonker and Volgenant 1987, on a sparse
graph). So a pair depends on all other texts: a reading of both collections together
(transductive), which a search of one query cannot have.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from cr5.retrieval.embedder import Embedder
from cr5.retrieval.index import Index

CANDIDATES = 20


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
    for each, of in ((others, other_language), (texts, language)):  # the latter for `csls`
        if of not in index.sizes and len(index.add(range(len(each)), each, of)) == len(each):
            return []
    if measure is None and "csls" in model.measures:
        measure = "csls"
    hits = index.search(texts, language, k, measure, other_language)
    found = [(row, int(hit.id), hit.score) for row, each in enumerate(hits) for hit in each]
    return one_to_one(*map(np.array, zip(*found, strict=True))) if found else []


def one_to_one(first: np.ndarray, second: np.ndarray, scores: np.ndarray) -> list[Pair]:
    """Choose among scored pairs, sorted and each once, those of the largest sum, no number in two.

    A number stays without partner where that makes the sum larger, counted as the lowest score.
    """
    found, row = np.unique(first, return_inverse=True)
    costs = scores.max() - scores + 1  # entries of zero would be no entries
    # a column for each row, in case that it stays alone
    alone = sparse.identity(len(found)) * costs.max()
    graph = sparse.hstack([sparse.csr_matrix((costs, (row, second))), alone]).tocsr()
    kept = min_weight_full_bipartite_matching(graph)[1][row] == second
    return list(map(Pair, first[kept].tolist(), second[kept].tolist(), scores[kept].tolist()))
