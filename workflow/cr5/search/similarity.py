"""Cosine similarities in blocks of fixed shape, and computations on them.

A block of dense rows is always computed with `ROWS` x `COLUMNS` entries (the last ones padded
with zeros), so results depend neither on threads nor on how many queries and keys follow. It is
summed over `SLICE` dimensions at a time: adding up 300 numbers one by one in float32 would be off
by up to 8e-7, this is off by less than 2e-7. A block of another shape, or another position in the
block, as for rows of a selection, may change a cosine by as much.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import HybridRows, Rows, parts_of

Blocks = Iterable[tuple[int, np.ndarray]]
Viewer = TypeVar("Viewer")

# Two megabytes: fits in cache, and is as fast as any larger product.
ROWS, COLUMNS = 512, 1024
SLICE = 64


def over_blocks(
    queries: Rows,
    keys: Rows,
    new: Callable[[int, int], Viewer],
    threads: int = 1,
    kernel: str = "product",
    together: Callable[[list[np.ndarray], int], None] | None = None,
) -> list[Viewer]:
    """Similarities of all queries with all keys, `ROWS` queries and `COLUMNS` keys at a time.

    Args:
        queries: n x d, float32; dense, sparse or both, like `keys`.
        keys: m x d, float32.
        new: `new(start, n)` makes the viewer of the n queries from row `start`, at most `ROWS`. Its
            `add(scores, first)` is called for all keys in order, with queries x keys, float32, and
            the number of the first of these keys.
        threads: viewers at work at the same time.
        kernel: `product`, the cosine for unit rows; `l1`, minus the sum of absolute differences; or
            `jensen_shannon`, minus that divergence, in nats, of rows as shares, in one part.
        together: called likewise with the blocks of all queries, before the viewers are.

    Returns:
        The viewers, in order. Additional memory is a few blocks per thread, regardless of the
        number of queries and keys, or a block per viewer if they are seen `together`; for sparse
        keys also a copy, for sparse queries a number per column and thread.
    """
    columns = [_columns(part) for part in parts_of(keys)]
    parts = [(start, queries[start : start + ROWS]) for start in _starts(queries, ROWS)]
    viewers = [new(start, part.shape[0]) for start, part in parts]
    streams = [_of_columns(part, columns, keys.shape[0], kernel) for _, part in parts]

    def show(viewer: Viewer, seen: Blocks) -> None:
        for first, block in seen:
            viewer.add(block, first)

    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        if together is None:
            list(pool.map(show, viewers, streams))
            return viewers
        for first in _starts(keys, COLUMNS):
            seen = list(pool.map(next, streams))
            together([block for _, block in seen], first)
            list(pool.map(show, viewers, ([each] for each in seen)))
    return viewers


def with_all(queries: Rows, keys: Rows, kernel: str = "product") -> np.ndarray:
    """Similarities of at most `ROWS` queries with all keys; for one BLAS thread."""
    columns = [_columns(part) for part in parts_of(keys)]
    return np.hstack([x for _, x in _of_columns(queries, columns, keys.shape[0], kernel)])


def whole_rows(queries: Rows, keys: Rows, kernel: str = "product") -> Iterator[np.ndarray]:
    """Similarities with all keys, for `ROWS` queries at a time."""
    with threadpool_limits(1):
        for start in _starts(queries, ROWS):
            yield with_all(queries[start : start + ROWS], keys, kernel)


def _of_columns(queries: Rows, columns: list[list[Rows]], m: int, kernel: str) -> Blocks:
    pairs = zip(parts_of(queries), columns, strict=True)
    return _sum([_blocks(*pair, m, kernel) for pair in pairs])


def pairwise(X: Rows, Y: Rows, kernel: str) -> np.ndarray:
    """Kernel of each row of X with the same row of Y, (n,) float64; depends on these rows only."""
    if isinstance(X, HybridRows):
        parts = zip(parts_of(X), parts_of(Y), strict=True)
        return sum(pairwise(*part, kernel) for part in parts)
    if kernel == "l1":
        difference = abs(X.astype(np.float64) - Y)
        return -np.asarray(difference.sum(axis=1)).ravel()
    if kernel == "jensen_shannon":
        X, Y = (x.toarray() if sparse.issparse(x) else x for x in (X, Y))
        pairs = zip(X.astype(np.float64), Y.astype(np.float64), strict=True)
        return np.array([-_distances(x[None], y[None], kernel)[0, 0] for x, y in pairs])
    if sparse.issparse(X):
        return np.asarray(X.astype(np.float64).multiply(Y).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, Y, dtype=np.float64)


def _starts(rows: Rows, step: int) -> range:
    return range(0, rows.shape[0], step)


def _columns(keys: Rows) -> list[Rows]:
    return [_transposed(keys[first : first + COLUMNS]) for first in _starts(keys, COLUMNS)]


def _sum(parts: list[Blocks]) -> Blocks:
    """Sum kernels over the parts that rows are concatenated from."""
    for (first, block), *others in zip(*parts, strict=True):
        for _, other in others:
            block += other
        yield first, block


def _transposed(keys: Rows) -> Rows:
    return keys.T if sparse.issparse(keys) else _padded(keys, COLUMNS).T


def _blocks(queries: Rows, columns: list[Rows], m: int, kernel: str) -> Blocks:
    n = queries.shape[0]
    if not sparse.issparse(queries):
        compute = _product if kernel == "product" else partial(minus_distance, kernel=kernel)
        queries = _padded(queries, ROWS)
    elif kernel == "product":
        compute, queries = _sparse_product, queries.T.tocsr()
    else:
        compute, queries = partial(_sparse_minus_distance, kernel=kernel), queries.toarray()
    for first, part in zip(range(0, m, COLUMNS), columns, strict=True):
        yield first, compute(queries, part)[:n, : m - first]


def _product(queries: np.ndarray, part: np.ndarray) -> np.ndarray:
    block = queries[:, :SLICE] @ part[:SLICE]
    for d in range(SLICE, len(part), SLICE):
        block += queries[:, d : d + SLICE] @ part[d : d + SLICE]
    return block


def _sparse_product(queries: sparse.csr_matrix, part: sparse.csc_matrix) -> np.ndarray:
    """Product with transposed queries, key by key: a block of keys needs no pointer per column.

    Each sum runs over the entries of a key, in order.
    """
    found = (part.T @ queries).toarray()
    block = np.empty(found.shape[::-1], np.float32)
    for key in range(0, len(found), 16):  # one cache line: four times as fast as all keys at once
        block[:, key : key + 16] = found[key : key + 16].T
    return block


def minus_distance(queries: np.ndarray, part: np.ndarray, kernel: str) -> np.ndarray:
    """Minus a distance; each entry is a separate sum, so it cannot depend on the block."""
    return -_distances(queries, part.T, kernel).astype(np.float32)


def _sparse_minus_distance(queries: np.ndarray, part: sparse.csc_matrix, kernel: str) -> np.ndarray:
    return minus_distance(queries, part.toarray(), kernel)


def _distances(X: np.ndarray, Y: np.ndarray, kernel: str) -> np.ndarray:
    """Distances of all rows from all others; of a row of zeros, which is no shares, the largest."""
    from scipy.spatial.distance import cdist  # slow to import, and few measures need it

    if kernel == "l1":
        return cdist(X, Y, "cityblock")
    with np.errstate(invalid="ignore"):
        found = cdist(X, Y, "jensenshannon")
    # Of equal rows rounding may leave less than zero, which has no square root.
    nearest_or_farthest = np.where(np.logical_and.outer(X.any(axis=1), Y.any(axis=1)), 0, np.log(2))
    return np.where(np.isfinite(found), found**2, nearest_or_farthest)


def _padded(rows: np.ndarray, n: int) -> np.ndarray:
    rows = np.ascontiguousarray(rows, np.float32)
    return rows if len(rows) == n else np.pad(rows, ((0, n - len(rows)), (0, 0)))
