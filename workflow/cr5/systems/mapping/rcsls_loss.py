"""The loss of RCSLS: a convex relaxation of CSLS (Joulin et al. 2018, preprint, Eq. 4).

With fixed neighbours the loss is linear in W, and where they change it is the larger of two linear
functions: so it is convex, and equals the inner product of W and its gradient.
"""

from dataclasses import dataclass

import numpy as np

from cr5.search.nearest import Nearest, of_nearest


@dataclass(frozen=True)
class Lexicon:
    """Pairs of words, and the words among which their neighbours are searched.

    Attributes:
        X: q x d float32, vectors of the different source words, unit rows.
        Y: r x d float32, of the different target words.
        pairs: p x 2, rows of X and of Y.
        source: n x d float32, the candidate neighbours of a target word.
        target: m x d float32, the candidate neighbours of a mapped source word.
        neighbours: k.
        threads: for the search of neighbours; their number changes no byte.
    """

    X: np.ndarray
    Y: np.ndarray
    pairs: np.ndarray
    source: np.ndarray
    target: np.ndarray
    neighbours: int = 10
    threads: int = 1


def lexicon(
    source: np.ndarray,
    target: np.ndarray,
    pairs: np.ndarray,
    *,
    full: bool,
    neighbours: int,
    threads: int = 1,
) -> Lexicon:
    """Take pairs from two vocabularies.

    Args:
        source: n x d float32, unit rows.
        target: m x d float32, unit rows.
        pairs: p x 2 row numbers: source, target.
        full: neighbours among all words (Table 2 of the paper: "Full"), or else among those of
            the pairs ("Seeds").
        neighbours: k.
        threads: for the search of neighbours.
    """
    (words, x), (others, y) = (np.unique(side, return_inverse=True) for side in pairs.T)
    X, Y = source[words], target[others]
    among = (source, target) if full else (X, Y)
    return Lexicon(X, Y, np.column_stack([x, y]), *among, neighbours, threads)


def loss(W: np.ndarray, given: Lexicon) -> tuple[float, np.ndarray]:
    """-1/p [2 sum xWy' - 1/k sum over the neighbours of xW - 1/k sum over those of y].

    Args:
        W: d x d float64.
        given: p pairs.

    Returns:
        The loss, and its gradient, d x d float64: a subgradient if neighbours tie. Scores are
        computed block by block, for vocabularies of any size.
    """
    k, threads = given.neighbours, given.threads
    near_X = neighbourhood(mapped(given.X, W), given.target, given.target, k, threads)
    near_Y = neighbourhood(given.Y, mapped(given.source, W), given.source, k, threads)
    x, y = given.pairs.T
    X, Y = given.X[x].astype(np.float64), given.Y[y].astype(np.float64)
    gradient = (X.T @ (near_X[x] - 2 * Y) + near_Y[y].T @ Y) / len(x)
    return float((W * gradient).sum()), gradient


def mapped(rows: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Rows W, float32, not scaled: the length is part of the loss."""
    return rows @ W.astype(np.float32)


def neighbourhood(
    queries: np.ndarray, keys: np.ndarray, vectors: np.ndarray, k: int, threads: int = 1
) -> np.ndarray:
    """Mean vector of the k nearest keys of each query.

    Args:
        queries: q x d float32.
        keys: m x d float32.
        vectors: m x r float32, one for each key.
        k: number of neighbours; all keys if there are fewer.
        threads: for the search.

    Returns:
        q x r float64.
    """

    def mean(nearest: Nearest) -> np.ndarray:
        return sum(vectors[column].astype(np.float64) for column in nearest.columns.T) / k

    k = min(k, len(keys))
    return of_nearest(queries, keys, k, mean, threads=threads)
