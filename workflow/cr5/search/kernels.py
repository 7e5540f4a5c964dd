"""Similarities of queries with keys, block by block.

Ranks are made of blocks of one shape: `ROWS` queries and `COLUMNS` keys, the last ones padded with
zeros. So results depend neither on threads nor on how many queries follow. A block is summed over
`SLICE` dimensions at a time: adding up 300 numbers one by one in float32 would be off by up to
8e-7, this is off by less than 2e-7. A block of another shape, or another position in the block, as
for rows of a selection, may change a cosine by as much.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Protocol, TypeVar

import numpy as np
from scipy import sparse
from threadpoolctl import ThreadpoolController

from cr5.base.rows import Rows, parts_of

# A block of two megabytes fits in cache, and is as fast as any larger product.
ROWS = 512
COLUMNS = 1024
SLICE = 64
TOGETHER = 8192  # most queries that are compared with the same keys at a time
BLOCK = 1 << 19  # similarities of a block of any shape: two megabytes
HELD = 1 << 24  # similarities of whole rows, of which a thread holds a few: 64 MB each
FEWEST = 32  # queries of a block of whole rows: products of fewer are slow
PAIRS = 1 << 14  # compared in float64 at a time

Part = np.ndarray | sparse.csr_matrix
Seen = TypeVar("Seen")


class Viewer(Protocol):
    """What looks at the similarities of some queries with keys, some keys after the other."""

    def see(self, first: int, scores: np.ndarray) -> None:
        """See queries x some keys, float32, numbered from `first`; it may change the scores."""


SomeViewer = TypeVar("SomeViewer", bound=Viewer)


@dataclass(frozen=True)
class Shape:
    """In which blocks similarities are computed."""

    queries: int  # most that are seen at a time
    rows: int  # queries of a block
    columns: int  # keys of a block
    terms: int  # summed before they are added to those before
    is_padded: bool  # whether a smaller block is filled up with zeros


def fixed_shape() -> Shape:
    """Return the shape whose results depend on nothing else."""
    return Shape(TOGETHER, ROWS, COLUMNS, SLICE, is_padded=True)


def fastest_shape(queries: Rows) -> Shape:
    """Return a shape for few queries, where rounding may depend on the others."""
    n_queries, n_dimensions = queries.shape
    rows = min(max(n_queries, 1), ROWS)
    columns = max(COLUMNS, BLOCK // rows)
    return Shape(rows, rows, columns, n_dimensions, is_padded=False)


def sweep(
    queries: Rows,
    keys: Rows,
    new_viewer: Callable[[slice], SomeViewer],
    kernel: str = "product",
    threads: int = 1,
    shape: Shape | None = None,
) -> list[list[SomeViewer]]:
    """Show the similarities of all queries with all keys; memory never holds all of them.

    `new_viewer` makes a viewer of the queries of a slice, which sees them with a part of the keys,
    in the order of the keys; other viewers see others at the same time. Kernels are `product`, the
    cosine of unit rows; `l1`, minus the sum of absolute differences; and `jensen_shannon`, minus
    that divergence, in nats, of rows as shares, in one part.

    Returns for each slice of queries the viewers, in the order of their keys; of no queries there
    is one slice.
    """
    shape = shape or fixed_shape()
    query_slices = _at_least_one(slices(0, queries.shape[0], shape.queries))
    # Where there are many slices of queries, each takes one thread.
    n_parts = threads if len(query_slices) < 4 * threads else 1
    parts_of_keys = _parts(keys.shape[0], n_parts, shape.columns)

    def show(rows: slice, columns: slice) -> SomeViewer:
        viewer = new_viewer(rows)
        _show(viewer, queries[rows], keys, columns, kernel, shape)
        return viewer

    shown = list(product(query_slices, parts_of_keys))
    viewers = in_threads(show, shown, threads)
    n_parts = max(len(parts_of_keys), 1)
    return [viewers[group] for group in slices(0, len(viewers), n_parts)]


def _parts(n_keys: int, n_parts: int, columns: int) -> list[slice]:
    """Cut keys into at most so many parts, at the borders of blocks."""
    n_blocks = math.ceil(n_keys / columns)
    blocks_of_part = max(math.ceil(n_blocks / n_parts), 1)
    return list(slices(0, n_keys, blocks_of_part * columns))


def _show(
    viewer: Viewer, queries: Rows, keys: Rows, columns: slice, kernel: str, shape: Shape
) -> None:
    """Show the similarities of queries with the keys between two numbers, some keys at a time."""
    n_queries = queries.shape[0]
    parts = slices(0, n_queries, shape.rows)
    blocks_of_queries = [_prepared(queries[rows], kernel, shape) for rows in parts]
    width = min(shape.columns, columns.stop - columns.start)
    if shape.is_padded:
        width = shape.columns
    n_rows = len(blocks_of_queries) * shape.rows
    scores = np.empty((n_rows, width), np.float32)
    for shown in slices(columns.start, columns.stop, shape.columns):
        shown_keys = keys[shown]
        for number, block_queries in enumerate(blocks_of_queries):
            first_row = number * shape.rows
            block = scores[first_row : first_row + shape.rows]
            _fill(block, block_queries, shown_keys, kernel, shape)
        n_shown = shown.stop - shown.start
        viewer.see(shown.start, scores[:n_queries, :n_shown])


def by_rows(
    queries: Rows,
    keys: Rows,
    see: Callable[[slice, np.ndarray], Seen],
    kernel: str = "product",
    threads: int = 1,
) -> list[Seen]:
    """Return, in order, what `see` makes of the similarities of some queries with all keys.

    It gets which queries, and queries x keys, float32, which it may change; some queries at the
    same time as others. Of no queries there is one result, too. Kernels are those of `sweep`.
    """
    n_keys = max(keys.shape[0], 1)
    n_queries = min(ROWS, max(HELD // n_keys, FEWEST))
    shape = Shape(n_queries, n_queries, COLUMNS, SLICE, is_padded=True)

    def see_some(rows: slice) -> Seen:
        return see(rows, _with_all(queries[rows], keys, kernel, shape))

    query_slices = _at_least_one(slices(0, queries.shape[0], n_queries))
    return in_threads(see_some, [(rows,) for rows in query_slices], threads)


def _with_all(queries: Rows, keys: Rows, kernel: str, shape: Shape) -> np.ndarray:
    """Return the similarities of the queries of one block with all keys."""
    n_queries = queries.shape[0]
    n_keys = keys.shape[0]
    prepared = _prepared(queries, kernel, shape)
    n_blocks = math.ceil(n_keys / shape.columns)
    n_columns = n_blocks * shape.columns
    scores = np.empty((shape.rows, n_columns), np.float32)
    for columns in slices(0, n_columns, shape.columns):
        _fill(scores[:, columns], prepared, keys[columns], kernel, shape)
    return scores[:n_queries, :n_keys]


def similarities(queries: Rows, keys: Rows, kernel: str = "product") -> np.ndarray:
    """Return the similarities of all queries with all keys, float32, in blocks of the one shape."""
    parts = by_rows(queries, keys, _as_they_are, kernel)
    return np.vstack(parts)


def _as_they_are(_: slice, scores: np.ndarray) -> np.ndarray:
    return scores


def in_threads(
    function: Callable[..., Seen], arguments: Sequence[tuple[Any, ...]], threads: int
) -> list[Seen]:
    """Return, in order, what several calls of a function return, whose arguments are given.

    numpy's products run on one thread meanwhile. A single call, or a single thread, needs no
    other: to start one takes longer than a small search.
    """
    with one_blas_thread():
        if threads == 1 or len(arguments) == 1:
            return [function(*of_call) for of_call in arguments]
        with ThreadPoolExecutor(threads) as pool:
            results = [pool.submit(function, *of_call) for of_call in arguments]
        return [result.result() for result in results]


def one_blas_thread() -> AbstractContextManager:
    """Let numpy's products, of which searches are made, run on one thread."""
    return _libraries().limit(limits=1)


@cache  # looking through all libraries of a process takes longer than a small search
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def slices(start: int, stop: int, step: int) -> Iterator[slice]:
    """Cut a range into parts of a size, of which the last may be smaller."""
    return (slice(first, min(first + step, stop)) for first in range(start, stop, step))


def _at_least_one(parts: Iterator[slice]) -> list[slice]:
    """Return the parts of a range; of an empty one a slice that is empty, too."""
    return list(parts) or [slice(0, 0)]


def products(rows: Rows, others: Rows) -> np.ndarray:
    """Return the products of all rows with all others, which may change each other by rounding."""
    products_of_parts = []
    for part, other_part in zip(parts_of(rows), parts_of(others), strict=True):
        if sparse.issparse(part):
            product = _sparse_product(part.T.tocsr(), other_part)
        else:
            product = part @ other_part.T
        products_of_parts.append(product)
    return sum(products_of_parts)


def pairwise(
    queries: Rows, query: np.ndarray, keys: Rows, key: np.ndarray, kernel: str
) -> np.ndarray:
    """Compare queries and keys in pairs, by their numbers, (n,) float64.

    Each similarity depends on these two rows only.
    """
    n_pairs = len(query)
    similarity = np.zeros(n_pairs)
    for pairs in slices(0, n_pairs, PAIRS):
        queries_of_pairs = queries[query[pairs]]
        keys_of_pairs = keys[key[pairs]]
        parts = zip(parts_of(queries_of_pairs), parts_of(keys_of_pairs), strict=True)
        for query_part, key_part in parts:
            similarity[pairs] += _in_pairs(query_part, key_part, kernel)
    return similarity


def _in_pairs(queries: Part, keys: Part, kernel: str) -> np.ndarray:
    """Compare each query with the key beside it, (n,) float64."""
    if kernel == "l1":
        differences = abs(queries.astype(np.float64) - keys)
        return -_sums_of_rows(differences)
    if kernel == "jensen_shannon":
        return -_divergences_in_pairs(dense(queries), dense(keys))
    if sparse.issparse(queries):
        products_of_pairs = queries.astype(np.float64).multiply(keys)
        return _sums_of_rows(products_of_pairs)
    return np.einsum("ij,ij->i", queries, keys, dtype=np.float64)


def _sums_of_rows(rows: Part) -> np.ndarray:
    sums = rows.sum(axis=1)  # of sparse rows a matrix of one column
    return np.asarray(sums).ravel()


def _divergences_in_pairs(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    divergences = np.zeros(len(queries))
    for row in range(len(queries)):
        this_row = slice(row, row + 1)
        shares = queries[this_row].astype(np.float64)
        other_shares = keys[this_row].astype(np.float64)
        divergences[row] = _distances(shares, other_shares, "jensen_shannon").item()
    return divergences


def _prepared(queries: Rows, kernel: str, shape: Shape) -> list[Part]:
    """Return the parts of the queries of a block as `_fill` takes them, for any keys."""
    if kernel != "product":
        return [dense(part) for part in parts_of(queries)]
    prepared = []
    for part in parts_of(queries):
        if sparse.issparse(part):
            prepared.append(part.T.tocsr())
        else:
            prepared.append(_padded(part, shape.rows, shape))
    return prepared


def _fill(
    block: np.ndarray, queries: Sequence[Part], keys: Rows, kernel: str, shape: Shape
) -> None:
    """Write the similarities of queries and keys into a block, of which they may be a part."""
    is_filled = False
    for query_part, key_part in zip(queries, parts_of(keys), strict=True):
        if kernel == "product" and not sparse.issparse(key_part):
            # The dense part comes first, and takes the place of what was there.
            padded_keys = _padded(key_part, shape.columns, shape)
            filled = block[: len(query_part), : len(padded_keys)]
            _multiply(query_part, padded_keys, shape.terms, out=filled)
        else:
            values = _similarities_of_parts(query_part, key_part, kernel)
            n_queries, n_keys = values.shape
            filled = block[:n_queries, :n_keys]
            if is_filled:
                filled += values
            else:
                filled[:] = values
        is_filled = True


def _similarities_of_parts(queries: Part, keys: Part, kernel: str) -> np.ndarray:
    """Return what a part adds to similarities that need no padding, float32."""
    if kernel == "product":
        return _sparse_product(queries, keys)
    # Each entry is a separate sum, so it cannot depend on the block.
    distances = _distances(queries, dense(keys), kernel)
    return -distances.astype(np.float32)


def _multiply(X: np.ndarray, Y: np.ndarray, terms: int, out: np.ndarray) -> None:
    """Write the product X Y', summed over some terms at a time."""
    n_dimensions = X.shape[1]
    np.matmul(X[:, :terms], Y[:, :terms].T, out=out)
    if n_dimensions <= terms:
        return
    product = np.empty_like(out)
    for summed in slices(terms, n_dimensions, terms):
        np.matmul(X[:, summed], Y[:, summed].T, out=product)
        out += product


def _padded(rows: np.ndarray, size: int, shape: Shape) -> np.ndarray:
    rows = np.ascontiguousarray(rows, np.float32)
    if not shape.is_padded or len(rows) == size:
        return rows
    return np.pad(rows, [(0, size - len(rows)), (0, 0)])


def _sparse_product(queries: sparse.csr_matrix, keys: sparse.csr_matrix) -> np.ndarray:
    """Multiply with transposed queries, key by key: it needs no pointer per column."""
    products_of_keys = keys @ queries
    return np.ascontiguousarray(products_of_keys.toarray().T)


def dense(rows: Part) -> np.ndarray:
    """Return rows as an array, which may be one already."""
    if sparse.issparse(rows):
        return rows.toarray()
    return rows


def _distances(X: np.ndarray, Y: np.ndarray, kernel: str) -> np.ndarray:
    """Return distances of all rows from all others; the largest of zeros, which are no shares."""
    from scipy.spatial.distance import cdist  # slow to import, and few measures need it

    if kernel == "l1":
        return cdist(X, Y, "cityblock")
    with np.errstate(invalid="ignore"):
        roots = cdist(X, Y, "jensenshannon")
    # Of equal rows rounding may leave less than zero, which has no square root.
    are_shares = X.any(axis=1)
    other_are_shares = Y.any(axis=1)
    both_are_shares = np.logical_and.outer(are_shares, other_are_shares)
    nearest_or_farthest = np.where(both_are_shares, 0, np.log(2))
    return np.where(np.isfinite(roots), roots**2, nearest_or_farthest)
