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

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.contracts.model import Words
from cr5.search.kernels import in_threads

DEPTH = 30
WORDS = 256  # of a query, compared at a time: bounds memory where texts are long

Gain = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From the row numbers of queries, ascending, and of candidates to w m of each pair."""


def weighted(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    """Scale non-negative rows to a sum of one; sorted by column."""
    sums = np.asarray(rows.sum(axis=1)).ravel()
    scale = np.zeros(len(sums))
    np.divide(1, sums, out=scale, where=sums > 0)
    scaled_rows = (sparse.diags(scale) @ rows).tocsr()
    return scaled_rows.sorted_indices().astype(np.float32)


def matches(
    queries: Words, candidates: Words, query: np.ndarray, candidate: np.ndarray, threads: int = 1
) -> np.ndarray:
    """Compute m of pairs of a query, ascending, and a candidate, by numbers, (pairs,) float64."""
    different_queries, starts = np.unique(query, return_index=True)
    candidates_of_queries = np.split(candidate, starts[1:])

    def of_query(number: int, candidate_numbers: np.ndarray) -> np.ndarray:
        return _of_query(queries, number, candidates, candidate_numbers)

    calls = list(zip(different_queries.tolist(), candidates_of_queries, strict=False))
    results = in_threads(of_query, calls, threads)
    return np.concatenate([np.zeros(0), *results])


def best_matches(
    queries: Words, query: int, candidates: Words, candidate: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Match the words of two texts.

    Returns the numbers of the words of each, (i,) and (j,), and what each pair adds to m, i x j:
    nothing but for the best matches.
    """
    words, a = queries.of_text(query)
    other_words, b = candidates.of_text(candidate)
    n_words = len(words)
    n_other_words = len(other_words)
    added = np.zeros((n_words, n_other_words))
    if added.size:
        # S_ij = cos(u_i, v_j)+
        U = _unit(queries.vectors[words])
        S = _cosines(candidates.vectors[other_words], U).T
        best_of_words = S.argmax(axis=1)
        best_of_other_words = S.argmax(axis=0)
        # a_i max over j of S_ij, and b_j max over i of S_ij
        added[np.arange(n_words), best_of_words] += a * S.max(axis=1) / 2
        added[best_of_other_words, np.arange(n_other_words)] += b * S.max(axis=0) / 2
    return words, other_words, added


@dataclass(frozen=True)
class SomeTexts:
    """Some texts, whose different words stand together, so that each is compared once."""

    words: np.ndarray  # (p,) the numbers of all their words, ascending
    places: Sequence[np.ndarray]  # of each text: where its words are among `words`
    weights: Sequence[np.ndarray]  # of each text: b of its words

    @classmethod
    def of(cls, texts: Words, numbers: np.ndarray) -> "SomeTexts":
        """Take texts by their numbers; at least one."""
        words_of_texts = []
        weights = []
        for number in numbers:
            words, b = texts.of_text(number)
            words_of_texts.append(words)
            weights.append(b)
        words, place = np.unique(np.concatenate(words_of_texts), return_inverse=True)
        ends = np.cumsum([len(words_of_text) for words_of_text in words_of_texts])
        return cls(words, np.split(place, ends[:-1]), weights)


def _of_query(
    queries: Words, query: int, candidates: Words, candidate_numbers: np.ndarray
) -> np.ndarray:
    """Compute m of a query with some candidates."""
    query_words, a = queries.of_text(query)
    texts = SomeTexts.of(candidates, candidate_numbers)
    n_texts = len(texts.places)
    U = _unit(queries.vectors[query_words])
    V = candidates.vectors[texts.words]
    forth = np.zeros(n_texts)  # sum over i of a_i max over j of S_ij
    best_of_word = np.zeros(len(V), np.float32)  # max over i of S_ij
    for start in range(0, len(U), WORDS):
        part = slice(start, start + WORDS)
        S = _cosines(V, U[part])
        np.maximum(best_of_word, S.max(axis=1, initial=0), out=best_of_word)
        for number, places in enumerate(texts.places):
            best_of_query_word = S[places].max(axis=0, initial=0)
            forth[number] += a[part] @ best_of_query_word
    back = np.zeros(n_texts)  # sum over j of b_j max over i of S_ij
    for number, places in enumerate(texts.places):
        b = texts.weights[number]
        back[number] = b @ best_of_word[places]
    return (forth + back) / 2


def _cosines(V: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Return the cosines of the rows of V with unit rows U, at least 0."""
    S = V @ U.T
    S /= _lengths(V)[:, None]
    return np.maximum(S, 0, out=S)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / _lengths(vectors)[:, None]


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the length of each vector; 1 for one of zeros."""
    squares = np.einsum("ij,ij->i", vectors, vectors)
    lengths = np.sqrt(squares)
    return np.where(lengths > 0, lengths, 1)
