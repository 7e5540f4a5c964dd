"""Similarities of some queries with all keys at a time.

A block of dense rows is always computed with as many queries, which only the number of keys says,
and `COLUMNS` keys (the last ones padded with zeros), so results depend neither on threads nor on
how many queries follow. It is summed over `SLICE` dimensions at a time: adding up 300 numbers one
by one in float32 would be off by up to 8e-7, this is off by less than 2e-7. A block of another
shape, or another position in the block, as for rows of a selection, may change a cosine by as much.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from typing import TypeVar

import numpy as np
from scipy import sparse
from threadpoolctl import ThreadpoolController

from cr5.base.rows import Rows, parts_of

# A block of two megabytes fits in cache, and is as fast as any larger product.
ROWS, COLUMNS = 512, 1024
SLICE = 64
HELD = 1 << 24  # similarities of a block, of which a thread holds a few: 64 MB each
FEWEST = 32  # queries of a block: products of fewer are slow
PAIRS = 1 << 14  # compared in float64 at a time

Part = np.ndarray | sparse.csr_matrix
Seen = TypeVar("Seen")


def by_rows(
    queries: Rows,
    keys: Rows,
    see: Callable[[slice, np.ndarray], Seen],
    kernel: str = "product",
    threads: int = 1,
) -> list[Seen]:
    """Return, in order, what `see` makes of the similarities of some queries with all keys.

    It gets which queries, and queries x keys, float32, which it may change; some queries at the
    same time as others. Kernels are `product`, the cosine of unit rows; `l1`, minus the sum of
    absolute differences; and `jensen_shannon`, minus that divergence, in nats, of rows as shares,
    in one part.
    """
    step = min(ROWS, max(HELD // max(keys.shape[0], 1), FEWEST))

    def one(rows: slice) -> Seen:
        return see(rows, _with_all(queries[rows], keys, kernel, step))

    with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, slices(0, queries.shape[0], step)))


def one_blas_thread() -> AbstractContextManager:
    """Let numpy's products, of which searches are made, run on one thread."""
    return _libraries().limit(limits=1)


@cache  # looking through all libraries of a process takes longer than a small search
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def slices(start: int, stop: int, step: int) -> Iterator[slice]:
    """Cut a range into parts of a size, of which the last may be smaller."""
    return (slice(x, min(x + step, stop)) for x in range(start, stop, step))


def _with_all(queries: Rows, keys: Rows, kernel: str, size: int) -> np.ndarray:
    """Similarities of at most `size` queries with all keys; for one BLAS thread."""
    rows = _queries(queries, kernel)
    found = np.empty((queries.shape[0], keys.shape[0]), np.float32)
    for some in slices(0, len(found.T), COLUMNS):
        found[:, some] = _block(rows, keys[some], kernel, size)
    return found


def unpadded(queries: Rows, keys: Rows, kernel: str = "product") -> np.ndarray:
    """Similarities of a few queries with all keys, which others may change by rounding."""
    if kernel != "product":
        return _with_all(queries, keys, kernel, ROWS)
    parts = zip(parts_of(queries), parts_of(keys), strict=True)
    return sum(_sparse_product(x.T.tocsr(), y) if sparse.issparse(x) else x @ y.T for x, y in parts)


def pairwise(X: Rows, x: np.ndarray, Y: Rows, y: np.ndarray, kernel: str) -> np.ndarray:
    """Kernel of the rows x of X with the rows y of Y, (n,) float64; depends on two rows only."""
    found = np.zeros(len(x))
    for some in slices(0, len(x), PAIRS):
        parts = zip(parts_of(X[x[some]]), parts_of(Y[y[some]]), strict=True)
        found[some] = sum(_in_pairs(*part, kernel) for part in parts)
    return found


def _in_pairs(X: Part, Y: Part, kernel: str) -> np.ndarray:
    if kernel == "l1":
        return -np.asarray(abs(X.astype(np.float64) - Y).sum(axis=1)).ravel()
    if kernel == "jensen_shannon":
        pairs = zip(_full(X).astype(np.float64), _full(Y).astype(np.float64), strict=True)
        return np.array([-_distances(x[None], y[None], kernel)[0, 0] for x, y in pairs])
    if sparse.issparse(X):
        return np.asarray(X.astype(np.float64).multiply(Y).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, Y, dtype=np.float64)


def _full(rows: Part) -> np.ndarray:
    return rows.toarray() if sparse.issparse(rows) else rows


def _queries(rows: Rows, kernel: str) -> list[Part]:
    """Their parts; sparse ones change once for all keys."""
    if kernel != "product":
        return [_full(x) for x in parts_of(rows)]
    return [x.T.tocsr() if sparse.issparse(x) else x for x in parts_of(rows)]


def _block(queries: list[Part], keys: Rows, kernel: str, size: int) -> np.ndarray:
    parts = zip(queries, parts_of(keys), strict=True)
    first, *others = (_of_part(*pair, kernel, size) for pair in parts)
    for other in others:
        first += other
    return first


def _of_part(queries: Part, keys: Part, kernel: str, size: int) -> np.ndarray:
    if kernel != "product":  # each entry is a separate sum, so it cannot depend on the block
        return -_distances(queries, _full(keys), kernel).astype(np.float32)
    if sparse.issparse(keys):
        return _sparse_product(queries, keys)
    X, Y = _padded(queries, size), _padded(keys, COLUMNS).T
    block = X[:, :SLICE] @ Y[:SLICE]
    for d in range(SLICE, len(Y), SLICE):
        block += X[:, d : d + SLICE] @ Y[d : d + SLICE]
    return block[: len(queries), : len(keys)]


def _padded(rows: np.ndarray, size: int) -> np.ndarray:
    rows = np.ascontiguousarray(rows, np.float32)
    return rows if len(rows) == size else np.pad(rows, [(0, size - len(rows)), (0, 0)])


def _sparse_product(queries: sparse.csr_matrix, keys: sparse.csr_matrix) -> np.ndarray:
    """Product with transposed queries, key by key: it needs no pointer per column."""
    return np.ascontiguousarray((keys @ queries).toarray().T)


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
