"""The best keys of some queries, of keys that lie in pieces, such as the segments of an index.

What is found rests on the two rows alone, not on the batch, the pieces, the blocks or the threads:
a score is computed in float64, pair by pair. As that is slow, all keys are first compared in
blocks of whatever shape is fastest; such numbers are off by `_margin` at most, so that only the
keys within it of the k-th best have to be compared again. Where more than `SPARE` of them are
that close, such as copies of one text, the keys are gone through once more.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy import sparse
from threadpoolctl import ThreadpoolController

from cr5.base.rows import Rows, norms, parts_of
from cr5.search import similarity
from cr5.search.nearest import Nearest, penalised
from cr5.search.similarity import Blocks, blocks, minus_l1, pairwise

STRIP = 1 << 16  # keys that one thread goes through at a time
SPARE = 32
BLOCK = 1 << 19  # numbers: two megabytes stay in cache
PAIRS = 1 << 14  # compared in float64 at a time
NONE = -1  # in the place of a column where there are too few


@dataclass(frozen=True)
class Piece:
    """Some of the keys.

    Attributes:
        rows: m x d, float32.
        largest: no row's l2 norm is larger.
    """

    rows: Rows
    largest: float = 1.0


@dataclass(frozen=True)
class Wanted:
    """What is asked for.

    Attributes:
        k: how many keys for each query.
        penalties: per piece what is taken off the kernel, (m,) float32 or (0,) for nothing; inf
            for a key that must not be found.
    """

    k: int
    penalties: Sequence[np.ndarray]


@dataclass(frozen=True)
class Best:
    """What was found.

    Attributes:
        scores: queries x k, float64, kernel minus penalty, descending; -inf where there is none.
        columns: queries x k, numbers of the keys over all pieces; of equal scores the lower one
            comes first; `NONE` where there is none.
    """

    scores: np.ndarray
    columns: np.ndarray


@dataclass(frozen=True)
class _Strip:
    """Keys of a piece from `start` to `stop`; `first` is the number of the first one."""

    piece: int
    start: int
    stop: int
    first: int


@dataclass(frozen=True)
class _Keys:
    """All that stays the same from one batch of queries to the next."""

    pieces: Sequence[Piece]
    wanted: Sequence[Wanted]
    kernel: str
    strips: Sequence[_Strip]
    pool: Executor

    def over(self, work: Callable[[_Strip], Any]) -> list[Any]:
        return list(self.pool.map(work, self.strips))

    def blocks(self, queries: Rows, strip: _Strip) -> Blocks:
        rows = self.pieces[strip.piece].rows[strip.start : strip.stop]
        return _blocks(queries, rows, self.kernel)


def best(
    queries: Rows,
    pieces: Sequence[Piece],
    wanted: Sequence[Wanted],
    kernel: str = "product",
    threads: int = 1,
) -> list[Best]:
    """Find the best keys of each query.

    Args:
        queries: n x d, float32; dense, sparse or both as the keys.
        pieces: of the keys, in order.
        wanted: several orders of the same keys cost one pass.
        kernel: of `similarity.over_blocks`.
        threads: strips of keys worked on at the same time; changes no result.

    Returns:
        One for each of `wanted`. Memory on top of that is a few blocks per thread.
    """
    with _blas().limit(limits=1), ThreadPoolExecutor(threads) as pool:
        keys = _Keys(pieces, wanted, kernel, list(_strips(pieces, threads)), pool)
        starts = range(0, max(queries.shape[0], 1), similarity.ROWS)
        batches = [_of_batch(queries[x : x + similarity.ROWS], keys) for x in starts]
    return [
        Best(np.vstack([x.scores for x in found]), np.vstack([x.columns for x in found]))
        for found in zip(*batches, strict=True)
    ]


def best_of(queries: Rows, pieces: Sequence[Piece], columns: np.ndarray, k: int) -> Best:
    """Find the k best of some keys: of those in each query's row of `columns`, n x c."""
    nothing = [np.zeros(0, np.float32)] * len(pieces)
    scores = _pairs(queries, pieces, nothing, columns, "product")
    return _sorted(scores, columns, k)


@cache
def _blas() -> ThreadpoolController:
    """To look for the libraries takes longer than to search a small index."""
    return ThreadpoolController()


def _strips(pieces: Sequence[Piece], threads: int) -> Iterator[_Strip]:
    """Long ones, as each has to find its best from nothing; but some for every thread."""
    n = sum(piece.rows.shape[0] for piece in pieces)
    step = min(max(n // (4 * threads), similarity.COLUMNS), STRIP)
    first = 0
    for number, piece in enumerate(pieces):
        m = piece.rows.shape[0]
        for start in range(0, m, step):
            yield _Strip(number, start, min(start + step, m), first + start)
        first += m


def _of_batch(queries: Rows, keys: _Keys) -> list[Best]:
    """Of at most `similarity.ROWS` queries."""
    parts = keys.over(lambda strip: _roughly(queries, keys, strip))
    margin = _margin(queries, keys)
    found = []
    for number, (w, strips) in enumerate(zip(keys.wanted, zip(*parts, strict=True), strict=True)):
        rough = _merged(strips, w.k + SPARE)
        exact = _sorted(_scores(queries, keys, number, rough.columns), rough.columns, w.k)
        least = rough.scores[:, w.k - 1] - margin
        for row in np.flatnonzero(_may_lack(rough.scores[:, -1], least)):
            once_more = _within(queries[row : row + 1], keys, number, least[row])
            exact.scores[row], exact.columns[row] = once_more.scores[0], once_more.columns[0]
        found.append(exact)
    return found


def _roughly(queries: Rows, keys: _Keys, strip: _Strip) -> list[Best]:
    n, m = queries.shape[0], strip.stop - strip.start
    found = [Nearest(n, min(w.k + SPARE, m)) for w in keys.wanted]
    penalties = [w.penalties[strip.piece][strip.start : strip.stop] for w in keys.wanted]
    room = np.empty((n, min(_width(n), m)), np.float32)
    for first, scores in keys.blocks(queries, strip):
        for nearest, penalty in zip(found, penalties, strict=True):
            nearest.add(penalised(scores, penalty, first, room), first)
    return [Best(x.scores, x.columns + strip.first) for x in found]


def _may_lack(last: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Whether a key that was left out, no better than the last one, can be among the best."""
    return np.isfinite(last) & (last >= least)


def _within(query: Rows, keys: _Keys, number: int, least: float) -> Best:
    """Compare exactly all keys that roughly reach a score; memory holds a strip's at most."""
    k = keys.wanted[number].k
    penalties = keys.wanted[number].penalties

    def work(strip: _Strip) -> Best:
        penalty = penalties[strip.piece][strip.start : strip.stop]
        room = np.empty((1, _width(1)), np.float32)
        columns = [
            np.flatnonzero(penalised(scores, penalty, first, room)[0] >= least) + first
            for first, scores in keys.blocks(query, strip)
        ]
        columns = (np.concatenate(columns) + strip.first)[None]
        return _sorted(_scores(query, keys, number, columns), columns, k)

    return _merged(keys.over(work), k)


def _merged(parts: Sequence[Best], k: int) -> Best:
    scores = np.hstack([part.scores for part in parts])
    return _sorted(scores, np.hstack([part.columns for part in parts]), k)


def _sorted(scores: np.ndarray, columns: np.ndarray, k: int) -> Best:
    order = np.lexsort((columns, -scores), axis=1)[:, :k]
    short = ((0, 0), (0, k - order.shape[1]))
    scores = np.pad(np.take_along_axis(scores, order, 1), short, constant_values=-np.inf)
    columns = np.pad(np.take_along_axis(columns, order, 1), short, constant_values=NONE)
    return Best(scores, np.where(np.isneginf(scores), NONE, columns))


def _scores(queries: Rows, keys: _Keys, number: int, columns: np.ndarray) -> np.ndarray:
    return _pairs(queries, keys.pieces, keys.wanted[number].penalties, columns, keys.kernel)


def _pairs(queries, pieces, penalties, columns: np.ndarray, kernel: str) -> np.ndarray:
    """Kernel minus penalty of each query with the keys in its row of `columns`, float64."""
    scores = np.full(columns.shape, -np.inf)
    row, place = np.nonzero(columns != NONE)
    wanted, first = columns[row, place], 0
    for piece, penalty in zip(pieces, penalties, strict=True):
        last = first + piece.rows.shape[0]
        mine = np.flatnonzero((wanted >= first) & (wanted < last))
        for start in range(0, len(mine), PAIRS):
            part = mine[start : start + PAIRS]
            at = wanted[part] - first
            score = pairwise(queries[row[part]], piece.rows[at], kernel)
            scores[row[part], place[part]] = score - penalty[at] if len(penalty) else score
        first = last
    return scores


def _width(n: int) -> int:
    return max(similarity.COLUMNS, BLOCK // max(n, 1))


def _blocks(queries: Rows, keys: Rows, kernel: str) -> Blocks:
    """As `similarity.blocks`, but of the shape that is fastest."""
    step = _width(queries.shape[0])
    for first in range(0, keys.shape[0], step):
        parts = zip(parts_of(queries), parts_of(keys[first : first + step]), strict=True)
        yield first, sum(_block(*part, kernel) for part in parts)


def _block(queries: Rows, keys: Rows, kernel: str) -> np.ndarray:
    if sparse.issparse(queries):
        return np.hstack([block for _, block in blocks(queries, keys, kernel)])
    return queries @ keys.T if kernel == "product" else minus_l1(queries, keys.T)


def _margin(queries: Rows, keys: _Keys) -> float:
    """By how much two ways to add up products may change a difference of scores.

    Each is off by less than d eps / 2 times the product of the lengths (Higham 2002, Eq. 3.5),
    and a score of l1, at most 2 between rows of norm one, by its rounding.
    """
    length = norms(queries, "l2").max(initial=0) * max((x.largest for x in keys.pieces), default=0)
    scale = max(float(length), 2.0) if keys.kernel == "l1" else float(length)
    return 2 * (_most_terms(queries) + 8) * float(np.finfo(np.float32).eps) * scale


def _most_terms(queries: Rows) -> int:
    parts = parts_of(queries)
    return sum(
        int(np.diff(x.indptr).max(initial=0)) if sparse.issparse(x) else x.shape[1] for x in parts
    )
