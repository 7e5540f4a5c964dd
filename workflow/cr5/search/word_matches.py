"""The second stage of a search: the best candidates in a new order, by how well words match.

The first `DEPTH` candidates of a query get the score s'(x, y) = s(x, y) + w m(x, y) (in CSLS, where
the cosine counts twice, 2 w m), with a weight w that validation chooses. As m is at least 0, they
stay before all others. m is late interaction over word vectors,

    m(x, y) = 1/2 (sum over words i of x: a_i max over j of cos(u_i, v_j)+
                 + sum over words j of y: b_j max over i of cos(u_i, v_j)+)

with the vectors u and v, and the weights a and b of the words, such as tf-idf, which sum to one in
each text. The sum of one side is MaxSim of ColBERT (Khattab and Zaharia 2020, Eq. 3), there of
contextual vectors without weights.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy import sparse

from cr5.contracts.model import Words
from cr5.search.kernels import one_blas_thread

DEPTH = 30
WORDS = 256  # of a query, compared at a time: bounds memory where texts are long

Gain = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From the row numbers of queries, ascending, and of candidates to w m of each pair."""


def weighted(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    """Scale non-negative rows to a sum of one; sorted by column."""
    sums = np.asarray(rows.sum(axis=1)).ravel()
    scale = np.divide(1, sums, out=np.zeros(len(sums)), where=sums > 0)
    return (sparse.diags(scale) @ rows).tocsr().sorted_indices().astype(np.float32)


def matches(
    queries: Words, candidates: Words, query: np.ndarray, candidate: np.ndarray, threads: int = 1
) -> np.ndarray:
    """Compute m of pairs of a query, ascending, and a candidate, by numbers, (pairs,) float64."""
    texts, starts = np.unique(query, return_index=True)
    with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
        found = pool.map(
            lambda text, some: _of_query(queries, text, candidates, some),
            texts.tolist(),
            np.split(candidate, starts[1:]),
        )
        return np.concatenate([np.zeros(0), *found])


def best_matches(
    queries: Words, query: int, candidates: Words, candidate: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The words of two texts, and what each pair adds to m: nothing but for the best matches."""
    (own, a), (others, b) = queries.of(query), candidates.of(candidate)
    added = np.zeros((len(own), len(others)))
    if added.size:
        S = _cosines(candidates.vectors[others], _unit(queries.vectors[own])).T
        added[np.arange(len(own)), S.argmax(axis=1)] += a * S.max(axis=1) / 2
        added[S.argmax(axis=0), np.arange(len(others))] += b * S.max(axis=0) / 2
    return own, others, added


def _of_query(queries: Words, query: int, candidates: Words, columns: np.ndarray) -> np.ndarray:
    """Compute m of a query with some candidates; each word of these is compared once."""
    own, a = queries.of(query)
    texts = [candidates.of(column) for column in columns]
    there, place = np.unique(np.concatenate([words for words, _ in texts]), return_inverse=True)
    places = np.split(place, np.cumsum([len(words) for words, _ in texts])[:-1])
    found, best = np.zeros(len(columns)), np.zeros(len(there), np.float32)
    U, V = _unit(queries.vectors[own]), candidates.vectors[there]
    for start in range(0, len(own), WORDS if len(there) else 1):
        part = slice(start, start + WORDS)
        S = _cosines(V, U[part])
        np.maximum(best, S.max(axis=1, initial=0), out=best)
        for i, rows in enumerate(places):
            found[i] += a[part] @ S[rows].max(axis=0, initial=0)
    back = [b @ best[rows] for (_, b), rows in zip(texts, places, strict=True)]
    return (found + back) / 2


def _cosines(V: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Cosines of the rows of V with unit rows U, at least 0."""
    lengths = np.sqrt(np.einsum("ij,ij->i", V, V))
    S = V @ U.T
    S /= np.where(lengths > 0, lengths, 1)[:, None]
    return np.maximum(S, 0, out=S)


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return vectors / np.where(lengths > 0, lengths, 1)[:, None]
