"""Word translation by CSLS, the dictionary it induces and its unsupervised criterion.

CSLS(x, y) = 2 cos(x, y) - r_T(x) - r_S(y) (Conneau et al. 2018, eq. 3): r_S(y) is the mean
cosine of a target word with its k nearest source words, which penalises hubs. r_T(x) is the same
for all translations of x and so never changes which one is the best.
"""

import numpy as np

from cr5.search.nearest import mean_top_k, of_nearest


def translate(
    source: np.ndarray, target: np.ndarray, *, neighbours: int = 10, rows: np.ndarray | None = None
) -> np.ndarray:
    """Find for each source word the target word with the highest CSLS.

    Args:
        source: n x d float32, unit rows, already mapped into the target space.
        target: m x d float32, unit rows.
        neighbours: k of CSLS; 0 for the highest cosine.
        rows: (q,) the source words to translate; None for all. Neighbours are among all of them.

    Returns:
        (q,) row numbers of `target`, the first of equal ones. Memory is bounded by one block.
    """
    penalty = mean_top_k(target, source, neighbours) / 2 if neighbours else None
    queries = source if rows is None else source[rows]
    return of_nearest(queries, target, 1, lambda nearest: nearest.columns[:, 0], penalty)


def precision(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, *, neighbours: int = 10
) -> float:
    """Share of source words whose best translation is in a dictionary (P@1).

    Args:
        source: n x d float32, unit rows, mapped.
        target: m x d float32, unit rows.
        pairs: p x 2 row numbers: source, target; p > 0.
        neighbours: k of CSLS; 0 for the highest cosine.
    """
    rows, word = np.unique(pairs[:, 0], return_inverse=True)
    found = translate(source, target, neighbours=neighbours, rows=rows)
    return len(np.unique(word[found[word] == pairs[:, 1]])) / len(rows)


def dictionary(
    source: np.ndarray, target: np.ndarray, forward: np.ndarray, *, mutual: bool, neighbours: int
) -> np.ndarray:
    """Turn translations into pairs.

    Args:
        source: n x d float32, unit rows, mapped.
        target: m x d float32, unit rows.
        forward: (n,) the result of `translate` for them.
        mutual: keep only pairs in which each word is the other's best translation.
        neighbours: k of CSLS for the reverse direction.

    Returns:
        p x 2 row numbers: source, target.
    """
    rows = np.arange(len(forward))
    if mutual:
        backward = translate(target, source, neighbours=neighbours)
        rows = rows[backward[forward] == rows]
    return np.column_stack([rows, forward[rows]])


def both_ways(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    """Pair each of n source words with its translation, then each of m target words with its own.

    Args:
        forward: (n,) a target word for each source word.
        backward: (m,) a source word for each target word.

    Returns:
        (n + m) x 2 row numbers: source, target.
    """
    there = np.column_stack([np.arange(len(forward)), forward])
    return np.vstack([there, np.column_stack([backward, np.arange(len(backward))])])


def criterion(
    source: np.ndarray, target: np.ndarray, forward: np.ndarray, words: int = 10_000
) -> float:
    """Mean cosine of the most frequent source words with their translations.

    Needs no dictionary, and correlates with translation accuracy (Conneau et al. 2018, section
    2.2), so it chooses the epoch, the start and the round of refinement.

    Args:
        source: n x d float32, unit rows, mapped, most frequent word first.
        target: m x d float32, unit rows.
        forward: (n,) the result of `translate` for them.
        words: number of source words that count.
    """
    X, Y = source[:words], target[forward[:words]]
    return float(np.einsum("ij,ij->i", X, Y, dtype=np.float64).mean())
