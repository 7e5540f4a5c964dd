"""Cosine similarities in blocks of fixed shape, and what is computed from them.

A block of dense rows is always computed with `ROWS` x `COLUMNS` entries (the last ones padded
with zeros), so that a number never depends on how the work was cut: not on the number of queries
or keys, and not on threads. It is summed up over `SLICE` dimensions at a time: adding up 300
numbers one by one in float32 would be off by up to 8e-7, this is by less than 2e-7. Blocks of
another shape may change a cosine by as much.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import Rows

Blocks = Iterator[tuple[int, np.ndarray]]
Result = TypeVar("Result")

# Two megabytes: stays in cache while it is worked on, and is as fast as any larger product.
ROWS, COLUMNS = 512, 1024
SLICE = 64


def over_blocks(
    queries: Rows, keys: Rows, use: Callable[[int, Blocks], Result], threads: int = 1
) -> list[Result]:
    """Cosines of all queries with all keys, `ROWS` queries and `COLUMNS` keys at a time.

    Args:
        queries: n x d, unit rows, float32; dense or sparse as `keys`.
        keys: m x d, unit rows, float32.
        use: called as `use(start, blocks)` for each `ROWS` queries from row `start` on. `blocks`
            gives (number of the first key, queries x keys, float32) over all keys in order; a
            block may be overwritten.
        threads: calls of `use` at the same time.

    Returns:
        What `use` returned, in order. Memory on top of that is a few blocks per thread, whatever
        the number of queries and keys; of sparse keys also a transposed copy.
    """
    columns = [_transposed(keys[first : first + COLUMNS]) for first in _starts(keys, COLUMNS)]

    def work(start: int) -> Result:
        return use(start, _blocks(queries[start : start + ROWS], columns, keys.shape[0]))

    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, _starts(queries, ROWS)))


def _starts(rows: Rows, step: int) -> range:
    return range(0, rows.shape[0], step)


def _transposed(keys: Rows) -> Rows:
    return keys.T.tocsr() if sparse.issparse(keys) else _padded(keys, COLUMNS).T


def _blocks(queries: Rows, columns: list[Rows], m: int) -> Blocks:
    n = queries.shape[0]
    if not sparse.issparse(queries):
        queries = _padded(queries, ROWS)
    for first, part in zip(range(0, m, COLUMNS), columns, strict=True):
        yield first, _product(queries, part)[:n, : m - first]


def _product(queries: Rows, part: Rows) -> np.ndarray:
    if sparse.issparse(queries):
        return (queries @ part).toarray().astype(np.float32, copy=False)
    block = queries[:, :SLICE] @ part[:SLICE]
    for d in range(SLICE, len(part), SLICE):
        block += queries[:, d : d + SLICE] @ part[d : d + SLICE]
    return block


def _padded(rows: np.ndarray, n: int) -> np.ndarray:
    rows = np.ascontiguousarray(rows, np.float32)
    return rows if len(rows) == n else np.pad(rows, ((0, n - len(rows)), (0, 0)))


class Nearest:
    """The k best columns of each row, best first, of blocks of columns that come one by one.

    Attributes:
        scores: rows x k, descending; -inf until there are k columns.
        columns: rows x k, their numbers; of equal scores the column that came first.
    """

    def __init__(self, rows: int, k: int):
        self.scores = np.full((rows, k), -np.inf, np.float32)
        self.columns = np.zeros((rows, k), np.int64)

    def add(self, block: np.ndarray, first: int) -> None:
        """Take in a block of columns, numbered from `first`; above all earlier ones."""
        k = self.scores.shape[1]
        enters = block > self.scores[:, -1:]
        found = np.flatnonzero(enters)
        if len(found) > 2 * self.scores.size and k < block.shape[1]:  # sorting all would be slow
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
        # Stable: old columns precede new ones of the same score, and these are in order.
        order = np.lexsort((-scores, rows))
        firsts = np.searchsorted(rows[order], np.arange(len(changed)))
        kept = order[firsts[:, None] + np.arange(k)]
        self.columns[changed], self.scores[changed] = columns[kept], scores[kept]


def mean_top_k(queries: Rows, keys: Rows, k: int, threads: int = 1) -> np.ndarray:
    """Mean cosine of each query with its k nearest keys: r(x) of CSLS (Conneau et al. 2018).

    Args:
        queries: n x d, unit rows, float32.
        keys: m x d, unit rows, float32; all m of them where m < k.
        k: size of the neighbourhood.
        threads: blocks worked on at the same time.

    Returns:
        (n,) float32.
    """

    def use(start: int, blocks: Blocks) -> np.ndarray:
        nearest = Nearest(min(ROWS, queries.shape[0] - start), min(k, keys.shape[0]))
        for first, cosines in blocks:
            nearest.add(cosines, first)
        return nearest.scores.mean(axis=1, dtype=np.float64).astype(np.float32)

    return np.concatenate([np.zeros(0, np.float32), *over_blocks(queries, keys, use, threads)])
