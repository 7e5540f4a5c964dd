"""The best columns of each row of similarities in blocks, and their mean."""

from collections.abc import Callable

import numpy as np

from cr5.base.rows import Rows
from cr5.search import similarity
from cr5.search.similarity import Blocks, over_blocks


class Nearest:
    """The k best columns of each row, best first, from blocks of columns added one by one.

    Attributes:
        scores: rows x k, descending; -inf until k columns were added.
        columns: rows x k, their numbers; in ties the column added first.
    """

    def __init__(self, rows: int, k: int):
        self.scores = np.full((rows, k), -np.inf, np.float32)
        self.columns = np.zeros((rows, k), np.int64)

    def add(self, block: np.ndarray, first: int) -> None:
        """Add a block of columns, numbered from `first`, which exceeds all earlier numbers."""
        k = self.scores.shape[1]
        enters = block > self.scores[:, -1:]
        found = np.flatnonzero(enters)
        if len(found) > 2 * self.scores.size and k < block.shape[1]:  # sorting everything is slow
            enters &= block >= np.partition(block, -k, axis=1)[:, [-k]]
            found = np.flatnonzero(enters)
        if len(found):
            rows, columns = np.divmod(found, block.shape[1])
            self._merge(rows, columns + first, block[rows, columns])

    def _merge(self, rows: np.ndarray, columns: np.ndarray, scores: np.ndarray) -> None:
        k = self.scores.shape[1]
        changed, rows = np.unique(rows, return_inverse=True)
        rows = np.concatenate([np.repeat(np.arange(len(changed)), k), rows])
        columns = np.concatenate([self.columns[changed].ravel(), columns])
        scores = np.concatenate([self.scores[changed].ravel(), scores])
        # Stable: in ties old columns precede new ones, and new ones stay in order.
        order = np.lexsort((-scores, rows))
        firsts = np.searchsorted(rows[order], np.arange(len(changed)))
        kept = order[firsts[:, None] + np.arange(k)]
        self.columns[changed], self.scores[changed] = columns[kept], scores[kept]


def penalised(scores: np.ndarray, penalty: np.ndarray, first: int, room: np.ndarray) -> np.ndarray:
    """The block itself if there is no penalty, else the difference, in `room`."""
    if not len(penalty):
        return scores
    n, m = scores.shape
    return np.subtract(scores, penalty[first : first + m], out=room[:n, :m])


def of_nearest(
    queries: Rows,
    keys: Rows,
    k: int,
    take: Callable[[Nearest], np.ndarray],
    penalty: np.ndarray | None = None,
    threads: int = 1,
) -> np.ndarray:
    """Apply `take` to the k nearest keys of each query; memory never holds all scores.

    Args:
        queries: n x d, float32.
        keys: m x d, float32; all m of them if m < k.
        k: how many.
        take: maps the nearest keys of a block of queries to an array with a row per query.
        penalty: (m,) subtracted from the scores of each key; None for nothing.
        threads: blocks processed at the same time.

    Returns:
        The arrays of all blocks, stacked vertically.
    """
    k = min(k, keys.shape[0])

    def use(start: int, blocks: Blocks) -> np.ndarray:
        nearest = Nearest(min(similarity.ROWS, queries.shape[0] - start), k)
        for first, scores in blocks:
            if penalty is not None:
                scores -= penalty[first : first + scores.shape[1]]
            nearest.add(scores, first)
        return take(nearest)

    found = over_blocks(queries, keys, use, threads)
    return np.concatenate(found) if found else take(Nearest(0, k))


def mean_top_k(queries: Rows, keys: Rows, k: int, threads: int = 1) -> np.ndarray:
    """Mean cosine of each query with its k nearest keys: r(x) of CSLS (Conneau et al. 2018).

    Args:
        queries: n x d, unit rows, float32.
        keys: m x d, unit rows, float32; all m of them if m < k.
        k: size of the neighbourhood.
        threads: blocks processed at the same time.

    Returns:
        (n,) float32.
    """

    def mean(nearest: Nearest) -> np.ndarray:
        return nearest.scores.mean(axis=1, dtype=np.float64).astype(np.float32)

    return of_nearest(queries, keys, k, mean, threads=threads)
