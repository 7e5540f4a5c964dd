"""The best keys for queries, among keys stored in pieces, such as the chunks of an index.

A score depends on the two rows alone, not on the batch, pieces, blocks or threads: it is computed
in float64, pair by pair. As that is slow, all keys are first compared in float32, in blocks of the
fastest shape. These numbers are off by at most `_margin`, so only keys within that distance of the
k-th best need an exact comparison. If more than `SPARE` of them are that close, such as copies of
one text, there is a second pass over the keys.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from threading import Lock

import numpy as np
from scipy import sparse
from threadpoolctl import ThreadpoolController

from cr5.base.rows import Rows, norms, parts_of
from cr5.search import similarity
from cr5.search.nearest import Nearest
from cr5.search.similarity import Blocks, minus_distance, pairwise, with_all

STRIP = 1 << 16  # keys processed by one thread at a time
SPARE = 32
BLOCK = 1 << 19  # numbers: two megabytes fit in cache
PAIRS = 1 << 14  # compared in float64 at a time
NONE = -1  # placeholder for a column if there are fewer than k
NOTHING = np.zeros(0, np.float32)


@dataclass(frozen=True)
class Best:
    """The best keys of each query.

    Attributes:
        scores: queries x k, float64, kernel minus penalty, descending; -inf if there are fewer.
        columns: queries x k, key numbers across all pieces; in ties the lower number comes first;
            `NONE` if there are fewer.
    """

    scores: np.ndarray
    columns: np.ndarray


def best(
    queries: Rows,
    pieces: Sequence[Rows],
    k: int,
    penalties: Sequence[np.ndarray] | None = None,
    kernel: str = "product",
    largest: float = 1.0,
    threads: int = 1,
) -> Best:
    """Find the best keys of each query.

    Args:
        queries: n x d, float32; dense, sparse or both, like the keys.
        pieces: m x d each, float32: the keys, in order.
        k: how many keys to find for each query.
        penalties: per piece, subtracted from the kernel, (m,) float32 or (0,) for none; inf
            excludes a key.
        kernel: of `similarity.over_blocks`.
        largest: upper bound of the keys' l2 norms.
        threads: strips of keys processed at the same time; does not affect the result.

    Returns:
        The best keys. Additional memory is a few blocks per thread.
    """
    penalties = [NOTHING] * len(pieces) if penalties is None else penalties
    with ONE_THREAD, ThreadPoolExecutor(threads) as pool:
        strips = list(_strips(pieces, penalties, threads))
        keys = _Keys(pieces, penalties, k, kernel, largest, strips, pool)
        starts = range(0, max(queries.shape[0], 1), similarity.ROWS)
        found = [keys.best(queries[x : x + similarity.ROWS]) for x in starts]
    return Best(np.vstack([x.scores for x in found]), np.vstack([x.columns for x in found]))


class _OneThread:
    """BLAS with one thread while any search runs; searches may overlap, in threads of a server.

    Each would otherwise restore what it found, which is the limit of another.
    """

    def __init__(self) -> None:
        self._lock, self._n, self._limit = Lock(), 0, None

    def __enter__(self) -> None:
        with self._lock:
            self._n += 1
            if self._n == 1:
                self._limit = _blas().limit(limits=1)

    def __exit__(self, *_) -> None:
        with self._lock:
            self._n -= 1
            if self._n == 0:
                self._limit.restore_original_limits()


ONE_THREAD = _OneThread()


@cache
def _blas() -> ThreadpoolController:
    """Cached: finding the libraries takes longer than searching a small index."""
    return ThreadpoolController()


@dataclass(frozen=True)
class _Strip:
    """Keys `start` to `stop` of a piece; `first` is the number of the first one."""

    piece: Rows
    penalties: np.ndarray
    start: int
    stop: int
    first: int

    def blocks(self, queries: Rows, kernel: str) -> Blocks:
        """Kernel minus penalty, block by block."""
        penalty = self.penalties[self.start : self.stop]
        for first, scores in _blocks(queries, self.piece[self.start : self.stop], kernel):
            if len(penalty):
                scores -= penalty[first : first + scores.shape[1]]
            yield self.first + first, scores


def _strips(
    pieces: Sequence[Rows], penalties: Sequence[np.ndarray], threads: int
) -> Iterator[_Strip]:
    """Long strips, as each starts its search from nothing; but enough for every thread."""
    n = sum(piece.shape[0] for piece in pieces)
    step = min(max(n // (4 * threads), similarity.COLUMNS), STRIP)
    first = 0
    for piece, penalty in zip(pieces, penalties, strict=True):
        m = piece.shape[0]
        for start in range(0, m, step):
            yield _Strip(piece, penalty, start, min(start + step, m), first + start)
        first += m


@dataclass(frozen=True)
class _Keys:
    """Everything shared by all batches of queries."""

    pieces: Sequence[Rows]
    penalties: Sequence[np.ndarray]
    k: int
    kernel: str
    largest: float
    strips: Sequence[_Strip]
    pool: Executor

    def best(self, queries: Rows) -> Best:
        """Find the best keys of at most `similarity.ROWS` queries."""
        rough = self._merged(partial(self._roughly, queries), self.k + SPARE)
        found = self._exactly(queries, rough.columns)
        least = rough.scores[:, self.k - 1] - self._margin(queries)
        # whether a key that was left out, at best equal to the last one, can be among the best
        last = rough.scores[:, -1]
        for row in np.flatnonzero(np.isfinite(last) & (last >= least)):
            work = partial(self._within, queries[row : row + 1], least[row])
            once_more = self._merged(work, self.k)
            found.scores[row], found.columns[row] = once_more.scores[0], once_more.columns[0]
        return found

    def _merged(self, work, k: int) -> Best:
        """Merge the results of the work on each strip into the k best."""
        found = list(self.pool.map(work, self.strips))
        scores = np.hstack([part.scores for part in found])
        return _sorted(scores, np.hstack([part.columns for part in found]), k)

    def _roughly(self, queries: Rows, strip: _Strip) -> Best:
        nearest = Nearest(queries.shape[0], min(self.k + SPARE, strip.stop - strip.start))
        for first, scores in strip.blocks(queries, self.kernel):
            nearest.add(scores, first)
        return Best(nearest.scores, nearest.columns)

    def _within(self, query: Rows, least: float, strip: _Strip) -> Best:
        """Compare exactly all keys that approximately reach a score."""
        found = (
            np.flatnonzero(scores[0] >= least) + first
            for first, scores in strip.blocks(query, self.kernel)
        )
        return self._exactly(query, np.concatenate(list(found))[None])

    def _exactly(self, queries: Rows, columns: np.ndarray) -> Best:
        """Compare each query with the keys in its row of `columns`, in float64."""
        scores = np.full(columns.shape, -np.inf)
        row, place = np.nonzero(columns != NONE)
        wanted, first = columns[row, place], 0
        for piece, penalty in zip(self.pieces, self.penalties, strict=True):
            last = first + piece.shape[0]
            mine = np.flatnonzero((wanted >= first) & (wanted < last))
            for start in range(0, len(mine), PAIRS):
                part = mine[start : start + PAIRS]
                at = wanted[part] - first
                score = pairwise(queries[row[part]], piece[at], self.kernel)
                scores[row[part], place[part]] = score - penalty[at] if len(penalty) else score
            first = last
        return _sorted(scores, columns, self.k)

    def _margin(self, queries: Rows) -> float:
        """Bound how much the order of summation can change a difference of scores.

        A sum is off by less than d eps / 2 times the product of the norms (Higham 2002, Eq. 3.5),
        and a distance, at most 2 between rows of norm one, by its rounding.
        """
        length = float(norms(queries, "l2").max(initial=0)) * self.largest
        scale = length if self.kernel == "product" else max(length, 2.0)
        return 2 * (_most_terms(queries) + 8) * float(np.finfo(np.float32).eps) * scale


def _sorted(scores: np.ndarray, columns: np.ndarray, k: int) -> Best:
    order = np.lexsort((columns, -scores), axis=1)[:, :k]
    short = ((0, 0), (0, k - order.shape[1]))
    scores = np.pad(np.take_along_axis(scores, order, 1), short, constant_values=-np.inf)
    columns = np.pad(np.take_along_axis(columns, order, 1), short, constant_values=NONE)
    return Best(scores, np.where(np.isneginf(scores), NONE, columns))


def _width(n: int) -> int:
    return max(similarity.COLUMNS, BLOCK // max(n, 1))


def _blocks(queries: Rows, keys: Rows, kernel: str) -> Blocks:
    """As `similarity.blocks`, but in the fastest shape."""
    step = _width(queries.shape[0])
    for first in range(0, keys.shape[0], step):
        parts = zip(parts_of(queries), parts_of(keys[first : first + step]), strict=True)
        yield first, sum(_block(*part, kernel) for part in parts)


def _block(queries: Rows, keys: Rows, kernel: str) -> np.ndarray:
    if sparse.issparse(queries):
        return with_all(queries, keys, kernel)
    return queries @ keys.T if kernel == "product" else minus_distance(queries, keys.T, kernel)


def _most_terms(queries: Rows) -> int:
    parts = parts_of(queries)
    return sum(
        int(np.diff(x.indptr).max(initial=0)) if sparse.issparse(x) else x.shape[1] for x in parts
    )
