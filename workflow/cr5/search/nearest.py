"""The nearest keys of each query, the mean of their similarities, and their exact scores."""

from collections.abc import Sequence

import numpy as np

from cr5.base.rows import Rows
from cr5.search.similarity import pairwise, slices, sweep, unpadded

CHUNK = 64  # columns
ALONE = 128  # most queries of `best` that are compared at a time
HELD = 1 << 24  # scores that it holds: 64 MB
SPARE = 20  # least number of keys beyond k whose order float64 may change


class Nearest:
    """The k best columns of each row, best first, from blocks of columns seen one by one."""

    def __init__(self, rows: int, k: int) -> None:
        self.scores = np.full((rows, k), -np.inf, np.float32)  # until k columns were seen
        self.columns = np.zeros((rows, k), np.int64)  # in ties the column seen first

    def see(self, rows: slice, first: int, block: np.ndarray) -> None:
        """See columns of some rows, numbered from `first`, which exceeds all earlier numbers."""
        scores, columns = self.scores[rows], self.columns[rows]
        k = scores.shape[1]
        enters = block > scores[:, -1:]
        if np.count_nonzero(enters) > 2 * scores.size and k < block.shape[1]:
            enters &= _may_be_best(block, k)  # sorting everything is slow
        row, column = _entries(enters)
        if not len(row):
            return
        changed, place = np.unique(row, return_inverse=True)
        place = np.concatenate([np.repeat(np.arange(len(changed)), k), place])
        place = place.astype(np.min_scalar_type(len(changed)))  # short integers sort faster
        every = np.concatenate([scores[changed].ravel(), block[row, column]])
        numbers = np.concatenate([columns[changed].ravel(), column + first])
        # stable: in ties old columns precede new ones, and new ones stay in order
        kept = _firsts(np.lexsort((-every, place)), place, k)
        scores[changed], columns[changed] = every[kept], numbers[kept]


def _entries(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As np.nonzero, which takes many times as long where few are true."""
    return np.divmod(np.flatnonzero(mask), mask.shape[1])


def _firsts(order: np.ndarray, row: np.ndarray, k: int) -> np.ndarray:
    """The first k entries of each row, which all have as many, in an order that is by row."""
    starts = np.flatnonzero(np.diff(row[order], prepend=-1))
    return order[starts[:, None] + np.arange(k)]


def _may_be_best(scores: np.ndarray, k: int) -> np.ndarray:
    """Which columns may be among the k <= m best of their rows, n x m; few more than these."""
    n, m = scores.shape
    size = min(CHUNK, m // k)
    largest = scores[:, : m // size * size].reshape(n, -1, size).max(axis=2)
    least = np.partition(largest, -k, axis=1)[:, -k, None]  # which k columns reach
    found = scores >= least
    if np.count_nonzero(found) > 8 * n * k:  # ties, such as of texts with nothing in common
        ties = scores == least
        found &= ~ties | (np.cumsum(ties, axis=1, dtype=np.int32) <= k)
    return found


def nearest(
    queries: Rows, keys: Rows, k: int, penalty: np.ndarray | None = None, threads: int = 1
) -> Nearest:
    """Find the k nearest keys of each query, or all if there are fewer.

    A penalty, (m,) float32, is subtracted from the similarities of each key.
    """
    found = Nearest(queries.shape[0], min(k, keys.shape[0]))

    def see(rows: slice, first: int, block: np.ndarray) -> None:
        if penalty is not None:
            block -= penalty[first : first + block.shape[1]]
        found.see(rows, first, block)

    sweep(queries, keys, see, threads=threads)
    return found


def mean_top_k(queries: Rows, keys: Rows, k: int, threads: int = 1) -> np.ndarray:
    """Mean cosine of each query with its k nearest keys, r(x) of CSLS, (n,) float32."""
    return _means(nearest(queries, keys, k, threads=threads).scores)


def mean_top_k_of_columns(blocks: Sequence[np.ndarray], k: int) -> np.ndarray:
    """Mean of the k largest numbers of each column, (m,) float32; blocks have rows, n x m each."""
    n, parts = sum(len(block) for block in blocks), []
    for few in slices(0, blocks[0].shape[1], 64):  # columns, which fit in cache
        rows = np.concatenate([block[:, few] for block in blocks]).T.copy()
        rows.partition(max(n - k, 0), axis=1)
        parts.append(np.sort(rows[:, -k:]))
    return _means(np.concatenate(parts))


def _means(scores: np.ndarray) -> np.ndarray:
    return scores.mean(axis=1, dtype=np.float64).astype(np.float32)


def best(
    queries: Rows, keys: Rows, k: int, penalty: np.ndarray, kernel: str = "product"
) -> tuple[np.ndarray, np.ndarray]:
    """Find the k nearest keys of each query, or all, by float32, and compare these in float64.

    So a score depends on two rows alone, neither on other queries nor on other keys. Which keys
    are found does so unless float32 cannot tell more than `SPARE` others from the k-th. A penalty,
    (m,), is subtracted from the kernel; inf excludes a key. Returns queries x k: scores,
    descending, -inf for a key that is excluded; and key numbers, in ties the lower one first.
    """
    n, m = queries.shape[0], keys.shape[0]
    k, step = min(k, m), min(max(HELD // max(m, 1), 1), ALONE)
    scores, columns = np.empty((n, k)), np.empty((n, k), np.int64)
    for rows in slices(0, n, step):
        rough = unpadded(queries[rows], keys, kernel)
        rough -= penalty
        row, column = _entries(_may_be_best(rough, min(k + SPARE, m)))
        exact = pairwise(queries[rows], row, keys, column, kernel) - penalty[column]
        kept = _firsts(np.lexsort((column, -exact, row)), row, k)
        scores[rows], columns[rows] = exact[kept], column[kept]
    return scores, columns
