"""The best keys of queries, exactly: found by float32, then compared in float64.

All keys are compared in float32, whose numbers are off by at most `_margin`. Those within that
distance of the k-th best are compared again, pair by pair, so a score depends on two rows alone,
and neither on other queries or keys nor on threads.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.rows import Rows, norms, parts_of
from cr5.search.nearest import bound
from cr5.search.similarity import COLUMNS, full, minus_distance, pairwise

NUMBERS = 1 << 24  # scores held at a time: 64 MB
ROWS = 512  # most queries of them
PAIRS = 1 << 14  # compared in float64 at a time
SPARE = 1000  # keys too close for float32, beyond k, that are compared; of more, the first
LEAST = np.finfo(np.float32).min
NONE = -1  # placeholder for a column if there are fewer than k


@dataclass(frozen=True)
class Best:
    """The best keys of each query.

    Attributes:
        scores: queries x k, float64, kernel minus penalty, descending; -inf if there are fewer.
        columns: queries x k, key numbers; in ties the lower number comes first; `NONE` if there
            are fewer.
    """

    scores: np.ndarray
    columns: np.ndarray


def best(
    queries: Rows,
    keys: Rows,
    k: int,
    penalty: np.ndarray | None = None,
    kernel: str = "product",
    largest: float = 1.0,
) -> Best:
    """Find the best keys of each query.

    Args:
        queries: n x d, float32; dense, sparse or both, like the keys.
        keys: m x d, float32.
        k: how many keys to find for each query.
        penalty: (m,) float32, subtracted from the kernel; inf excludes a key.
        kernel: of `similarity.strips`.
        largest: upper bound of the keys' l2 norms.
    """
    n, m = queries.shape[0], keys.shape[0]
    found = Best(np.full((n, k), -np.inf), np.full((n, k), NONE))
    step = min(max(NUMBERS // max(m, 1), 1), ROWS)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        scores = _rough(queries[rows], keys, kernel)
        if penalty is not None:
            scores -= penalty
        near = _near(scores, k, _margin(queries[rows], kernel, largest))
        row = np.repeat(np.arange(start, start + len(near)), [len(each) for each in near])
        column = np.concatenate(near)
        exact = _pairs(queries, keys, row, column, kernel)
        if penalty is not None:
            exact -= penalty[column]
        order = np.lexsort((column, -exact, row))
        row, column, exact = row[order], column[order], exact[order]
        place = np.arange(len(row)) - np.searchsorted(row, row)
        kept = place < k
        found.scores[row[kept], place[kept]] = exact[kept]
        found.columns[row[kept], place[kept]] = column[kept]
    return found


def _rough(queries: Rows, keys: Rows, kernel: str) -> np.ndarray:
    parts = zip(parts_of(queries), parts_of(keys), strict=True)
    return sum(_part(*part, kernel) for part in parts)


def _part(queries: Rows, keys: Rows, kernel: str) -> np.ndarray:
    if kernel == "product" and sparse.issparse(queries):
        return np.ascontiguousarray((keys @ queries.T.tocsr()).toarray().T)
    if kernel == "product":
        return queries @ keys.T
    parts = (keys[start : start + COLUMNS] for start in range(0, keys.shape[0], COLUMNS))
    return np.hstack([minus_distance(full(queries), full(part), kernel) for part in parts])


def _near(scores: np.ndarray, k: int, margin: float) -> list[np.ndarray]:
    """Columns of each row that may be among its k best, ascending."""
    least = np.full(len(scores), LEAST)
    if scores.shape[1] > k:
        least = np.maximum(bound(scores, k) - margin, LEAST)
    return [_of_row(row, k, margin, each) for row, each in zip(scores, least, strict=True)]


def _of_row(scores: np.ndarray, k: int, margin: float, least: float) -> np.ndarray:
    near = np.flatnonzero(scores >= least)
    if len(near) <= k:
        return near
    last = np.partition(scores[near], -k)[-k]
    near = near[scores[near] >= last - margin]
    if len(near) <= k + SPARE:
        return near
    better = scores[near] > last + margin  # fewer than k; the others are ties, such as of copies
    return np.sort(np.concatenate([near[better], near[~better][: k + SPARE]]))


def _pairs(
    queries: Rows, keys: Rows, row: np.ndarray, column: np.ndarray, kernel: str
) -> np.ndarray:
    parts = (slice(start, start + PAIRS) for start in range(0, len(row), PAIRS))
    found = [pairwise(queries[row[part]], keys[column[part]], kernel) for part in parts]
    return np.concatenate([np.zeros(0), *found])


def _margin(queries: Rows, kernel: str, largest: float) -> float:
    """Bound how much the order of summation can change a difference of scores.

    A sum is off by less than d eps / 2 times the product of the norms (Higham 2002, Eq. 3.5),
    and a distance, at most 2 between rows of norm one, by its rounding.
    """
    length = float(norms(queries, "l2").max(initial=0)) * largest
    scale = length if kernel == "product" else max(length, 2.0)
    return 2 * (_most_terms(queries) + 8) * float(np.finfo(np.float32).eps) * scale


def _most_terms(queries: Rows) -> int:
    parts = parts_of(queries)
    return sum(
        int(np.diff(x.indptr).max(initial=0)) if sparse.issparse(x) else x.shape[1] for x in parts
    )
