"""Cosine similarities in blocks of fixed shape, and what is computed from them.

A block always has `ROWS` x `COLUMNS` entries (the last ones are padded with zeros), so that a
number never depends on how the work was cut: not on the number of queries, and not on threads.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

Rows = np.ndarray | sparse.csr_matrix
Result = TypeVar("Result")

ROWS, COLUMNS = 128, 4096


def unit_rows(rows: Rows) -> Rows:
    """Scale each row to length one; rows of zeros stay zero. Keeps dtype and sparsity."""
    if sparse.issparse(rows):
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), np.float64).ravel())
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return (sparse.diags(scale) @ rows).astype(rows.dtype).tocsr()
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return (rows * scale[:, None]).astype(rows.dtype)


def cosine_rows(queries: Rows, keys: Rows, start: int) -> np.ndarray:
    """Cosines of up to `ROWS` queries from row `start` on with all keys.

    Args:
        queries: n x d, unit rows, float32; dense or sparse as `keys`.
        keys: m x d, unit rows, float32.
        start: a multiple of `ROWS`.

    Returns:
        (at most `ROWS`) x m, float32.
    """
    part = queries[start : start + ROWS]
    if sparse.issparse(queries):
        return np.asarray((part @ keys.T).toarray(), np.float32)
    rows, m = len(part), len(keys)
    part = _padded(part, ROWS)
    out = np.empty((rows, m), np.float32)
    for first in range(0, m, COLUMNS):
        block = part @ _padded(keys[first : first + COLUMNS], COLUMNS).T
        out[:, first : first + COLUMNS] = block[:rows, : m - first]
    return out


def _padded(rows: np.ndarray, n: int) -> np.ndarray:
    rows = np.ascontiguousarray(rows, np.float32)
    return rows if len(rows) == n else np.pad(rows, ((0, n - len(rows)), (0, 0)))


def over_blocks(
    queries: Rows, keys: Rows, use: Callable[[int, np.ndarray], Result], threads: int = 1
) -> Iterator[Result]:
    """Yield `use(start, cosines)` for each block of `ROWS` queries, in order.

    Memory is `threads` x `ROWS` x m float32, whatever the number of queries.
    """

    def work(start: int) -> Result:
        return use(start, cosine_rows(queries, keys, start))

    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, range(0, queries.shape[0], ROWS))


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
    k = min(k, keys.shape[0])

    def use(start: int, cosines: np.ndarray) -> np.ndarray:
        top = np.partition(cosines, cosines.shape[1] - k, axis=1)[:, -k:]
        # Sorted and in float64: the sum must not depend on the order partition leaves.
        return np.sort(top, axis=1).astype(np.float64).mean(axis=1).astype(np.float32)

    parts = list(over_blocks(queries, keys, use, threads))
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)
