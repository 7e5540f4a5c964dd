"""Translation of words by CSLS, and what tells without a dictionary whether it is good.

CSLS(x, y) = 2 cos(x, y) - r_T(x) - r_S(y) (Conneau et al. 2018, eq. 3): r_S(y) is the mean
cosine of a target word with its k nearest source words, which penalises hubs. r_T(x) is the same
for all translations of x and so never changes which one is the best. Rows are float32, of unit
length, most frequent word first; those of the source are mapped already. Light, as plans read what
imports it.
"""

from __future__ import annotations

import numpy as np

NEIGHBOURS = 10  # k of CSLS


def translate(
    source: np.ndarray,
    target: np.ndarray,
    *,
    neighbours: int = NEIGHBOURS,
    rows: np.ndarray | None = None,
) -> np.ndarray:
    """Return the target word with the highest CSLS for each source word, the first of equal ones.

    Without neighbours, the highest cosine. Only `rows` are translated, but neighbours are among
    all.
    """
    from cr5.search.nearest import mean_top_k, nearest

    penalty = None
    if neighbours:
        penalty = mean_top_k(target, source, neighbours) / 2
    queries = source if rows is None else source[rows]
    _, columns = nearest(queries, target, 1, penalty)
    return columns[:, 0]


def precision(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, *, neighbours: int = NEIGHBOURS
) -> float:
    """Return the share of source words with a correct translation (P@1).

    Correct is what a dictionary of p > 0 pairs, p x 2, lists.
    """
    query_rows, query_of_pair = np.unique(pairs[:, 0], return_inverse=True)
    translations = translate(source, target, neighbours=neighbours, rows=query_rows)
    is_hit = translations[query_of_pair] == pairs[:, 1]
    return len(np.unique(query_of_pair[is_hit])) / len(query_rows)


def unsupervised_criterion(
    source: np.ndarray, target: np.ndarray, translations: np.ndarray, n_words: int
) -> float:
    """Return the mean cosine of the most frequent source words with their translations.

    Needs no dictionary, and correlates with translation accuracy (Conneau et al. 2018, section
    2.2), so it chooses the epoch, the start and the round of refinement.
    """
    X = source[:n_words]
    Y = target[translations[:n_words]]
    cosines = np.einsum("ij,ij->i", X, Y, dtype=np.float64)
    return float(cosines.mean())


def both_ways(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    """Pair each source word with its translation, then each target word with its own."""
    forward_pairs = np.column_stack([np.arange(len(forward)), forward])
    backward_pairs = np.column_stack([backward, np.arange(len(backward))])
    return np.vstack([forward_pairs, backward_pairs])
