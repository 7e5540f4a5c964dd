"""Two collections of texts aligned one to one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from cr5.retrieval.base_embedder import CSLS
from cr5.retrieval.index import Index
from cr5.retrieval.scoring import full_name

if TYPE_CHECKING:
    from cr5.retrieval.embedder import Embedder


class Pair(NamedTuple):
    """Two texts that belong together, by their numbers in the two collections, from 0."""

    first: int
    second: int
    score: float


@dataclass(frozen=True)
class Collection:
    """Texts of one language."""

    texts: Sequence[str]
    language: str


def aligned(
    model: "Embedder",
    queries: Collection,
    candidates: Collection,
    k: int,
    measure: str | None = None,
    threads: int | None = None,
    show_progress_bar: bool = False,
) -> list[Pair]:
    """Align two collections of texts one to one; see `Embedder.align`."""
    if not (len(queries.texts) and len(candidates.texts)):
        return []
    index = Index(model)
    query_language = model.known_language(queries.language)
    target_language = model.known_language(candidates.language)
    # The first collection is there for `csls`, unless it is in the language of the second.
    for texts, language in ((candidates.texts, target_language), (queries.texts, query_language)):
        if language in index.sizes:
            continue
        numbers = range(len(texts))
        unknown = index.add(numbers, texts, language, show_progress_bar=show_progress_bar)
        if len(unknown) == len(texts):
            return []
    if measure is None:
        measure = measure_of_pairs(model)
    hits_of_queries = index.search(
        queries.texts,
        query_language,
        k,
        measure,
        target_language,
        threads=threads,
        show_progress_bar=show_progress_bar,
    )
    first = []
    second = []
    scores = []
    for number, hits in enumerate(hits_of_queries):
        first += [number] * len(hits)
        second += [int(hit.id) for hit in hits]
        scores += [hit.score for hit in hits]
    if not scores:
        return []
    return one_to_one(np.array(first), np.array(second), np.array(scores))


def measure_of_pairs(model: "Embedder") -> str:
    """Return the measure by which pairs are chosen unless another is named."""
    if CSLS in model.measures:
        return full_name(model.model, CSLS)
    return model.measure


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
    return [Pair(query, candidate, score) for query, candidate, score in chosen]
