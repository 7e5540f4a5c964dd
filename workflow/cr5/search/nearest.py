"""The nearest keys of each query, the mean of their similarities, and their exact scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cr5.base.rows import Rows
from cr5.search.kernels import Shape, fastest_shape, fixed_shape, pairwise, sweep

CHUNK = 32  # columns of which the largest is looked at first
MANY_TIES = (
    8  # times as many as are sought are there by ties, such as of texts with nothing in common
)
SPARE_KEYS = 20  # least number of keys beyond k whose order float64 may change
MORE_KEYS = 8  # times as many where these are too near to each other for float32
ROUNDING = 2e-6  # at least what sums of float32 are off by


class Best(NamedTuple):
    """The k best keys of each query, best first: their scores and their numbers, queries x k."""

    scores: np.ndarray  # -inf where there are fewer
    columns: np.ndarray

    def take(self, places: np.ndarray) -> "Best":
        """Return what stands at these places of each row, queries x k."""
        return Best(
            scores=np.take_along_axis(self.scores, places, 1),
            columns=np.take_along_axis(self.columns, places, 1),
        )


class BestSoFar:
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
        n_keys = scores.shape[1]
        k = self.scores.shape[1]
        if self._penalty is not None:
            scores -= self._penalty[first : first + n_keys]
        lowest_of_best = self.scores[:, -1:]
        enters = scores > lowest_of_best
        n_entering = np.count_nonzero(enters)
        if k < n_keys and n_entering > 2 * self.scores.size:
            enters &= _may_be_best(scores, k)  # sorting everything is slow
        query, column = _entries(enters)
        if len(query):
            self._take(query, first + column, scores[query, column])

    def _take(self, query: np.ndarray, columns: np.ndarray, scores: np.ndarray) -> None:
        """Merge entries, by query and then by column, with those of before."""
        k = self.scores.shape[1]
        changed, group = np.unique(query, return_inverse=True)
        n_changed = len(changed)
        old_groups = np.repeat(np.arange(n_changed), k)
        old_scores = self.scores[changed].ravel()
        old_columns = self.columns[changed].ravel()
        all_groups = np.concatenate([old_groups, group])
        all_groups = all_groups.astype(np.min_scalar_type(n_changed))  # short: they sort faster
        all_scores = np.concatenate([old_scores, scores])
        all_columns = np.concatenate([old_columns, columns])
        # The sort is stable: in ties old columns precede new ones, and these stay in order.
        order = np.lexsort((-all_scores, all_groups))
        best_of_groups = firsts_of_groups(order, all_groups, k)
        self.scores[changed] = all_scores[best_of_groups]
        self.columns[changed] = all_columns[best_of_groups]


def merged(groups: Sequence[Sequence[BestSoFar]]) -> Best:
    """Return the k best of all keys, of which each of a group has seen others, in their order.

    The groups are of other queries, in their order.
    """
    best_of_groups = [_best_of_group(parts) for parts in groups]
    return Best(
        scores=np.concatenate([group.scores for group in best_of_groups]),
        columns=np.concatenate([group.columns for group in best_of_groups]),
    )


def _best_of_group(parts: Sequence[BestSoFar]) -> Best:
    k = parts[0].scores.shape[1]
    side_by_side = Best(
        scores=np.hstack([part.scores for part in parts]),
        columns=np.hstack([part.columns for part in parts]),
    )
    order = np.argsort(-side_by_side.scores, axis=1, kind="stable")
    return side_by_side.take(order[:, :k])


def _entries(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find what np.nonzero finds, which takes many times as long where few are true."""
    n_columns = mask.shape[1]
    return np.divmod(np.flatnonzero(mask), n_columns)


def firsts_of_groups(order: np.ndarray, group: np.ndarray, k: int) -> np.ndarray:
    """Return the first k entries of each group, which all have as many; the order is by group."""
    ordered_groups = group[order].astype(np.int64)
    starts = np.flatnonzero(np.diff(ordered_groups, prepend=-1))
    firsts = starts[:, None] + np.arange(k)
    return order[firsts]


def _may_be_best(scores: np.ndarray, k: int) -> np.ndarray:
    """Return which columns may be among the k <= m best of their rows, n x m; few more."""
    n_rows, n_columns = scores.shape
    size = min(CHUNK, n_columns // k)  # of groups of columns, of which the largest is looked at
    n_in_groups = n_columns // size * size
    groups = scores[:, :n_in_groups].reshape(n_rows, size, -1)
    largest_of_groups = groups.max(axis=1)
    bound = np.partition(largest_of_groups, -k, axis=1)[:, -k, None]  # which k columns reach
    may_be = scores >= bound
    if np.count_nonzero(may_be) > MANY_TIES * n_rows * k:
        is_tie = scores == bound
        n_ties = np.cumsum(is_tie, axis=1, dtype=np.int32)
        may_be &= ~is_tie | (n_ties <= k)
    return may_be


def nearest(
    queries: Rows, keys: Rows, k: int, penalty: np.ndarray | None = None, threads: int = 1
) -> Best:
    """Find the k nearest keys of each query, or all if there are fewer.

    A penalty, (m,) float32, is subtracted from the similarities of each key.
    """
    searched = SearchedKeys(keys, penalty, threads=threads)
    return searched.by_float32(queries, k, fixed_shape())


def mean_top_k(queries: Rows, keys: Rows, k: int, threads: int = 1) -> np.ndarray:
    """Compute the mean cosine of each query with its k nearest keys, (n,) float32: r(x) of CSLS."""
    scores, _ = nearest(queries, keys, k, threads=threads)
    return _means(scores)


def mean_top_k_of_columns(scores: np.ndarray, k: int) -> np.ndarray:
    """Compute the mean of the k largest numbers of each column, or of all of it, (m,) float32."""
    n_rows, n_columns = scores.shape
    k = min(k, n_rows)
    size = max(n_rows // (3 * k), 1)  # of groups of rows, of which the largest is looked at first
    n_groups = n_rows // size
    groups = scores[: n_groups * size].reshape(n_groups, size, n_columns)
    largest_of_groups = groups.max(axis=1)
    bound = np.partition(largest_of_groups, -k, axis=0)[-k]  # which k rows reach
    row, column = _entries(scores >= bound)
    values = scores[row, column]
    short_column = column.astype(np.min_scalar_type(n_columns))  # short integers sort faster
    order = np.lexsort((-values, short_column))
    largest = values[firsts_of_groups(order, column, k)]
    return _means(largest)


def _means(rows: np.ndarray) -> np.ndarray:
    return rows.mean(axis=1, dtype=np.float64).astype(np.float32)


def best(
    queries: Rows,
    keys: Rows,
    k: int,
    penalty: np.ndarray | None = None,
    kernel: str = "product",
    threads: int = 1,
) -> Best:
    """Find the k nearest keys of each query, or all, by float32, and compare these in float64.

    So a score depends on two rows alone, neither on other queries nor on other keys. Which keys
    are found does so unless float32 cannot tell more than `MORE_KEYS` times as many from the k-th.
    A penalty, (m,), is subtracted from the kernel; inf excludes a key, whose score is -inf. In ties
    the key of the lower number comes first.
    """
    n_keys = keys.shape[0]
    k = min(k, n_keys)
    n_rough = k + SPARE_KEYS
    searched = SearchedKeys(keys, penalty, kernel, threads)
    shape = fastest_shape(queries)
    rough = searched.by_float32(queries, n_rough, shape)
    exact = searched.by_float64(queries, k, rough)
    if n_rough >= n_keys or k == 0:
        return exact
    close = np.flatnonzero(_cannot_tell(rough.scores[:, k - 1], rough.scores[:, -1]))
    if len(close):
        rough_again = searched.by_float32(queries[close], MORE_KEYS * n_rough, shape)
        exact_again = searched.by_float64(queries[close], k, rough_again)
        exact.scores[close] = exact_again.scores
        exact.columns[close] = exact_again.columns
    return exact


@dataclass(frozen=True)
class SearchedKeys:
    """The keys that are searched, and how queries are compared with them."""

    keys: Rows
    penalty: np.ndarray | None = None  # (m,) subtracted from the scores of each; inf excludes it
    kernel: str = "product"
    threads: int = 1

    def by_float32(self, queries: Rows, k: int, shape: Shape) -> Best:
        """Find the k nearest keys of each query, or all."""
        k = min(k, self.keys.shape[0])

        def viewer(rows: slice) -> BestSoFar:
            n_queries = rows.stop - rows.start
            return BestSoFar(n_queries, k, self.penalty)

        groups = sweep(queries, self.keys, viewer, self.kernel, self.threads, shape)
        return merged(groups)

    def by_float64(self, queries: Rows, k: int, rough: Best) -> Best:
        """Return the k best of the keys that were found, by their scores in float64."""
        query, place = np.nonzero(np.isfinite(rough.scores))
        column = rough.columns[query, place]
        similarity = pairwise(queries, query, self.keys, column, self.kernel)
        if self.penalty is not None:
            similarity -= self.penalty[column]
        scores = np.full(rough.scores.shape, -np.inf)
        scores[query, place] = similarity
        order = np.lexsort((rough.columns, -scores), axis=1)
        return Best(scores, rough.columns).take(order[:, :k])


def _cannot_tell(scores: np.ndarray, lower_scores: np.ndarray) -> np.ndarray:
    """Return which scores may be as large as lower ones, which are -inf where there are none."""
    is_lower_one = np.isfinite(lower_scores)
    differences = np.full(len(scores), np.inf)
    np.subtract(scores, lower_scores, where=is_lower_one, out=differences)
    rounding = ROUNDING * np.maximum(np.abs(scores), 1)
    return differences <= rounding
