"""The nearest keys of each query, the mean of their similarities, and their exact scores."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from cr5.base.rows import Rows
from cr5.search.similarity import block_sizes, groups, pairwise, strips, unpadded, workers

CHUNK = 64  # columns
ALONE = 128  # most queries of `best` that are compared at a time
HELD = 1 << 24  # scores that it holds: 64 MB
SPARE = 20  # least number of keys beyond k whose order float64 may change


class Nearest:
    """The k best columns of each row, best first, from blocks of columns added one by one.

    Attributes:
        scores: rows x k, descending; -inf until k columns were added.
        columns: rows x k, their numbers; in ties the column added first.
    """

    def __init__(self, rows: int, k: int, penalty: np.ndarray | None = None):
        """Start without columns; the penalty of each, if given, is subtracted from its scores."""
        self.scores = np.full((rows, k), -np.inf, np.float32)
        self.columns = np.zeros((rows, k), np.int64)
        self._penalty = penalty

    def add(self, block: np.ndarray, first: int) -> None:
        """Add a block of columns, numbered from `first`, which exceeds all earlier numbers."""
        if self._penalty is not None:
            block -= self._penalty[first : first + block.shape[1]]
        k = self.scores.shape[1]
        enters = block > self.scores[:, -1:]
        if np.count_nonzero(enters) > 2 * self.scores.size and k < block.shape[1]:
            enters &= _may_be_best(block, k)  # sorting everything is slow
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


def _may_be_best(scores: np.ndarray, k: int) -> np.ndarray:
    """Which columns may be among the k <= m best of their rows, n x m; few more than these.

    Of the maxima of chunks of columns the k-th largest is a number that k columns reach.
    """
    n, m = scores.shape
    size = min(CHUNK, m // k)
    largest = scores[:, : m // size * size].reshape(n, -1, size).max(axis=2)
    least = np.partition(largest, -k, axis=1)[:, -k, None]
    found = scores >= least
    if np.count_nonzero(found) > 8 * n * k:  # ties, such as of texts with nothing in common
        ties = scores == least
        found &= ~ties | (np.cumsum(ties, axis=1, dtype=np.int32) <= k)
    return found


def swept(queries: Rows, keys: Rows, make: Callable[[int], Any], threads: int = 1) -> Iterator[Any]:
    """Show each block of queries its similarities with all keys; memory never holds all of them.

    Args:
        queries: n x d, float32.
        keys: m x d, float32.
        make: from the number of queries of a block to what sees it by `add`, as `Nearest` does.
        threads: blocks processed at the same time.

    Yields:
        What saw each block, in their order.
    """
    with workers(threads) as pool:
        for part in groups(queries.shape[0], threads):
            found = [make(n) for n in block_sizes(part.stop - part.start)]
            for first, blocks in strips(pool, queries[part], keys):
                list(pool.map(lambda seen, x, n=first: seen.add(x, n), found, blocks))
            yield from found


def of_nearest(
    queries: Rows,
    keys: Rows,
    k: int,
    take: Callable[[Nearest], np.ndarray],
    penalty: np.ndarray | None = None,
    threads: int = 1,
) -> np.ndarray:
    """Apply `take` to the k nearest keys of each query.

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
    found = swept(queries, keys, lambda n: Nearest(n, k, penalty), threads)
    return np.concatenate([take(Nearest(0, k)), *map(take, found)])


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


def best(
    queries: Rows, keys: Rows, k: int, penalty: np.ndarray | None = None, kernel: str = "product"
) -> tuple[np.ndarray, np.ndarray]:
    """Find the k nearest keys of each query, by float32, and compare these in float64.

    So a score depends on two rows alone, neither on other queries nor on other keys. Which keys
    are found does so unless float32 cannot tell more than `SPARE` others from the k-th.

    Args:
        queries: n x d, float32; dense, sparse or both, like the keys.
        keys: m x d, float32; all m of them if m < k.
        k: how many keys to find for each query.
        penalty: (m,) float32, subtracted from the kernel; inf excludes a key.
        kernel: of `similarity.strips`.

    Returns:
        Queries x k: scores, float64, descending, -inf for a key that is excluded; and key numbers,
        in ties the lower one first.
    """
    n, m = queries.shape[0], keys.shape[0]
    k, step = min(k, m), min(max(HELD // max(m, 1), 1), ALONE)
    scores, columns = np.empty((n, k)), np.empty((n, k), np.int64)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        rough = unpadded(queries[rows], keys, kernel)
        if penalty is not None:
            rough -= penalty
        found = np.flatnonzero(_may_be_best(rough, min(k + SPARE, m)))
        row, column = np.divmod(found, m)
        exact = pairwise(queries[rows][row], keys[column], kernel)
        if penalty is not None:
            exact -= penalty[column]
        order = np.lexsort((column, -exact, row))
        firsts = np.searchsorted(row, np.arange(len(rough)))
        kept = order[firsts[:, None] + np.arange(k)]
        scores[rows], columns[rows] = exact[kept], column[kept]
    return scores, columns
