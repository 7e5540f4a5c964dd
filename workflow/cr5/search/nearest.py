"""The nearest keys of each query, the mean of their similarities, and their exact scores."""

from collections.abc import Sequence

import numpy as np

from cr5.base.rows import Rows
from cr5.search.kernels import Shape, fastest_shape, fixed_shape, pairwise, sweep

CHUNK = 32  # columns of which the largest is looked at first
SPARE = 20  # least number of keys beyond k whose order float64 may change
MORE = 8  # times as many where these are too near to each other for float32
ROUNDING = 2e-6  # at least what sums of float32 are off by


class Nearest:
    """The k best keys of each query, best first, of those seen so far; in ties those seen first.

    Attributes:
        scores: queries x k, float32; -inf where fewer were seen.
        columns: queries x k, the numbers of the keys.
    """

    def __init__(self, n_queries: int, k: int, penalty: np.ndarray | None = None) -> None:
        """Take what is subtracted from the scores of each key, (m,); inf excludes it."""
        self.scores = np.full((n_queries, k), -np.inf, np.float32)
        self.columns = np.zeros((n_queries, k), np.int64)
        self._penalty = penalty

    def see(self, first: int, scores: np.ndarray) -> None:
        """See keys numbered from `first`, after all those of lower numbers."""
        width = scores.shape[1]
        if self._penalty is not None:
            scores -= self._penalty[first : first + width]
        k = self.scores.shape[1]
        enters = scores > self.scores[:, -1:]
        if k < width and np.count_nonzero(enters) > 2 * self.scores.size:
            enters &= _may_be_best(scores, k)  # sorting everything is slow
        query, column = _entries(enters)
        if len(query):
            self._take(query, column + first, scores[query, column])

    def _take(self, query: np.ndarray, columns: np.ndarray, scores: np.ndarray) -> None:
        """Merge entries, by query and then by column, with those of before."""
        k = self.scores.shape[1]
        changed, group = np.unique(query, return_inverse=True)
        groups = np.concatenate([np.repeat(np.arange(len(changed)), k), group])
        groups = groups.astype(np.min_scalar_type(len(changed)))  # short integers sort faster
        all_scores = np.concatenate([self.scores[changed].ravel(), scores])
        all_columns = np.concatenate([self.columns[changed].ravel(), columns])
        # The sort is stable: in ties old columns precede new ones, and these stay in order.
        order = np.lexsort((-all_scores, groups))
        best_of_group = firsts_of_groups(order, groups, k)
        self.scores[changed] = all_scores[best_of_group]
        self.columns[changed] = all_columns[best_of_group]


def merged(groups: Sequence[Sequence[Nearest]]) -> Nearest:
    """Return the k best of all keys, of which each of a group has seen others, in their order.

    The groups are of other queries, in their order.
    """
    scores = []
    columns = []
    for parts in groups:
        k = parts[0].scores.shape[1]
        part_scores = np.hstack([part.scores for part in parts])
        part_columns = np.hstack([part.columns for part in parts])
        order = np.argsort(-part_scores, axis=1, kind="stable")[:, :k]
        scores.append(np.take_along_axis(part_scores, order, 1))
        columns.append(np.take_along_axis(part_columns, order, 1))
    best_of_all = Nearest(0, 0)
    best_of_all.scores = np.concatenate(scores)
    best_of_all.columns = np.concatenate(columns)
    return best_of_all


def _entries(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As np.nonzero, which takes many times as long where few are true."""
    return np.divmod(np.flatnonzero(mask), mask.shape[1])


def firsts_of_groups(order: np.ndarray, group: np.ndarray, k: int) -> np.ndarray:
    """Return the first k entries of each group, which all have as many; the order is by group."""
    starts = np.flatnonzero(np.diff(group[order].astype(np.int64), prepend=-1))
    return order[starts[:, None] + np.arange(k)]


def _may_be_best(scores: np.ndarray, k: int) -> np.ndarray:
    """Return which columns may be among the k <= m best of their rows, n x m; few more."""
    n, m = scores.shape
    size = min(CHUNK, m // k)
    n_in_groups = m // size * size
    largest = scores[:, :n_in_groups].reshape(n, size, -1).max(axis=1)
    least = np.partition(largest, -k, axis=1)[:, -k, None]  # which k columns reach
    may_be = scores >= least
    if np.count_nonzero(may_be) > 8 * n * k:  # ties, such as of texts with nothing in common
        is_tie = scores == least
        may_be &= ~is_tie | (np.cumsum(is_tie, axis=1, dtype=np.int32) <= k)
    return may_be


def nearest(
    queries: Rows, keys: Rows, k: int, penalty: np.ndarray | None = None, threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Find the k nearest keys of each query, or all if there are fewer: scores and their numbers.

    A penalty, (m,) float32, is subtracted from the similarities of each key.
    """
    best_of_all = _nearest(queries, keys, k, penalty, "product", threads, fixed_shape())
    return best_of_all.scores, best_of_all.columns


def _nearest(
    queries: Rows,
    keys: Rows,
    k: int,
    penalty: np.ndarray | None,
    kernel: str,
    threads: int,
    shape: Shape,
) -> Nearest:
    k = min(k, keys.shape[0])

    def viewer(rows: slice) -> Nearest:
        return Nearest(rows.stop - rows.start, k, penalty)

    return merged(sweep(queries, keys, viewer, kernel, threads, shape))


def mean_top_k(queries: Rows, keys: Rows, k: int, threads: int = 1) -> np.ndarray:
    """Mean cosine of each query with its k nearest keys, r(x) of CSLS, (n,) float32."""
    scores, _ = nearest(queries, keys, k, threads=threads)
    return scores.mean(axis=1, dtype=np.float64).astype(np.float32)


def mean_top_k_of_columns(scores: np.ndarray, k: int) -> np.ndarray:
    """Mean of the k largest numbers of each column, or of all of it, (m,) float32."""
    n, m = scores.shape
    k = min(k, n)
    size = max(n // (3 * k), 1)  # of groups of rows of which the largest is looked at first
    n_groups = n // size
    largest = scores[: n_groups * size].reshape(n_groups, size, m).max(axis=1)
    least = np.partition(largest, -k, axis=0)[-k]  # which k rows reach
    row, column = _entries(scores >= least)
    values = scores[row, column]
    order = np.lexsort((-values, column.astype(np.min_scalar_type(m))))
    largest = values[firsts_of_groups(order, column, k)]
    return largest.mean(axis=1, dtype=np.float64).astype(np.float32)


def best(
    queries: Rows,
    keys: Rows,
    k: int,
    penalty: np.ndarray | None = None,
    kernel: str = "product",
    threads: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Find the k nearest keys of each query, or all, by float32, and compare these in float64.

    So a score depends on two rows alone, neither on other queries nor on other keys. Which keys
    are found does so unless float32 cannot tell more than `MORE` times as many from the k-th. A
    penalty, (m,), is subtracted from the kernel; inf excludes a key. Returns queries x k: scores,
    descending, -inf for a key that is excluded; and key numbers, in ties the lower one first.
    """
    k = min(k, keys.shape[0])
    n_kept = k + SPARE
    shape = fastest_shape(queries)
    rough = _nearest(queries, keys, n_kept, penalty, kernel, threads, shape)
    scores, columns = _exact(queries, keys, k, penalty, kernel, rough)
    if n_kept >= keys.shape[0] or not k:
        return scores, columns
    close = np.flatnonzero(_cannot_tell(rough.scores[:, k - 1], rough.scores[:, -1]))
    if len(close):
        again = queries[close]
        rough = _nearest(again, keys, MORE * n_kept, penalty, kernel, threads, shape)
        scores[close], columns[close] = _exact(again, keys, k, penalty, kernel, rough)
    return scores, columns


def _cannot_tell(scores: np.ndarray, lower_scores: np.ndarray) -> np.ndarray:
    """Return which scores may be as large as lower ones, which are -inf where there are none."""
    is_there = np.isfinite(lower_scores)
    differences = np.full(len(scores), np.inf)
    np.subtract(scores, lower_scores, where=is_there, out=differences)
    return differences <= ROUNDING * np.maximum(np.abs(scores), 1)


def _exact(
    queries: Rows, keys: Rows, k: int, penalty: np.ndarray | None, kernel: str, rough: Nearest
) -> tuple[np.ndarray, np.ndarray]:
    """Return the k best of the keys found, by their scores in float64."""
    scores = np.full(rough.scores.shape, -np.inf)
    query, place = np.nonzero(np.isfinite(rough.scores))
    column = rough.columns[query, place]
    exact = pairwise(queries, query, keys, column, kernel)
    if penalty is not None:
        exact -= penalty[column]
    scores[query, place] = exact
    order = np.lexsort((rough.columns, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, 1), np.take_along_axis(rough.columns, order, 1)
