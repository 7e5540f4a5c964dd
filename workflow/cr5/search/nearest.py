"""The nearest keys of each query, and the mean of their similarities."""

from collections.abc import Callable, Sequence

import numpy as np

from cr5.base.rows import Rows
from cr5.search.similarity import block_sizes, groups, strips, workers

CHUNK = 64  # columns


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
            enters &= block >= bound(block, k)[:, None]
            found = np.flatnonzero(enters)
        if len(found):
            rows, columns = np.divmod(found, block.shape[1])
            self._merge(rows, columns + first, block[rows, columns])

    def _merge(self, rows: np.ndarray, columns: np.ndarray, scores: np.ndarray) -> None:
        k = self.scores.shape[1]
        changed, rows = np.unique(rows, return_inverse=True)
        rows = np.concatenate([np.repeat(np.arange(len(changed)), k), rows])
        rows = rows.astype(np.min_scalar_type(len(changed)))  # short integers sort faster
        columns = np.concatenate([self.columns[changed].ravel(), columns])
        scores = np.concatenate([self.scores[changed].ravel(), scores])
        # Stable: in ties old columns precede new ones, and new ones stay in order.
        order = np.lexsort((-scores, rows))
        firsts = np.searchsorted(rows[order], np.arange(len(changed)))
        kept = order[firsts[:, None] + np.arange(k)]
        self.columns[changed], self.scores[changed] = columns[kept], scores[kept]


def bound(scores: np.ndarray, k: int) -> np.ndarray:
    """A number of each row that at least k of its columns reach, and few more.

    Args:
        scores: n x m.
        k: at most m.

    Returns:
        (n,): of the maxima of chunks of columns the k-th largest.
    """
    n, m = scores.shape
    size = min(CHUNK, m // k)
    largest = scores[:, : m // size * size].reshape(n, -1, size).max(axis=2)
    return np.partition(largest, -k, axis=1)[:, -k]


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
    taken = [take(Nearest(0, k))]

    def add(nearest: Nearest, scores: np.ndarray, first: int) -> None:
        if penalty is not None:
            scores -= penalty[first : first + scores.shape[1]]
        nearest.add(scores, first)

    with workers(threads) as pool:
        for part in groups(queries.shape[0], threads):
            found = [Nearest(n, k) for n in block_sizes(part.stop - part.start)]
            for first, blocks in strips(pool, queries[part], keys):
                list(pool.map(add, found, blocks, [first] * len(blocks)))
            taken += map(take, found)
    return np.concatenate(taken)


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
    return of_nearest(queries, keys, k, lambda found: _means(found.scores), threads=threads)


def mean_top_k_of_columns(blocks: Sequence[np.ndarray], k: int) -> np.ndarray:
    """Mean of the k largest numbers of each column, (m,) float32, as of `mean_top_k`.

    Args:
        blocks: n x m each, float32: rows that belong together, in any order.
        k: of all rows, if there are fewer.
    """
    n, parts = sum(len(block) for block in blocks), []
    for start in range(0, blocks[0].shape[1], 64):  # a few columns, which fit in cache
        rows = np.concatenate([block[:, start : start + 64] for block in blocks]).T.copy()
        rows.partition(max(n - k, 0), axis=1)
        parts.append(np.sort(rows[:, -k:]))
    return _means(np.concatenate(parts))


def _means(scores: np.ndarray) -> np.ndarray:
    return scores.mean(axis=1, dtype=np.float64).astype(np.float32)
