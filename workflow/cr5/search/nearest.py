"""The nearest keys of each query, the mean of their similarities, and their exact scores."""

import numpy as np

from cr5.base.rows import Rows
from cr5.search.kernels import HELD, by_rows, pairwise, slices, unpadded

CHUNK = 32  # columns
ALONE = 128  # most queries of `best` that are compared at a time
SPARE = 20  # least number of keys beyond k whose order float64 may change


def top(scores: np.ndarray, k: int) -> np.ndarray:
    """Columns of the k largest of each row, or of all; of equal ones the first comes first."""
    k = min(k, scores.shape[1])
    row, column = _entries(_may_be_best(scores, k))
    return column[_firsts(np.lexsort((-scores[row, column], row)), row, k)]


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
    largest = scores[:, : m // size * size].reshape(n, size, -1).max(axis=1)
    least = np.partition(largest, -k, axis=1)[:, -k, None]  # which k columns reach
    found = scores >= least
    if np.count_nonzero(found) > 8 * n * k:  # ties, such as of texts with nothing in common
        ties = scores == least
        found &= ~ties | (np.cumsum(ties, axis=1, dtype=np.int32) <= k)
    return found


def nearest(
    queries: Rows, keys: Rows, k: int, penalty: np.ndarray | None = None, threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Find the k nearest keys of each query, or all if there are fewer: scores and their numbers.

    A penalty, (m,) float32, is subtracted from the similarities of each key.
    """

    def see(_: slice, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if penalty is not None:
            scores -= penalty
        columns = top(scores, k)
        return np.take_along_axis(scores, columns, 1), columns

    scores, columns = zip(*by_rows(queries, keys, see, threads=threads), strict=True)
    return np.concatenate(scores), np.concatenate(columns)


def mean_top_k(queries: Rows, keys: Rows, k: int, threads: int = 1) -> np.ndarray:
    """Mean cosine of each query with its k nearest keys, r(x) of CSLS, (n,) float32."""
    scores, _ = nearest(queries, keys, k, threads=threads)
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
