"""The best keys of a few queries, of keys that lie in pieces, such as the segments of an index.

Every number that is given comes from a block of `similarity`'s fixed shape: it is that of the
evaluation, whatever the batch, the pieces and the threads. To fill such a block with one query
would cost as much as 512, so few queries are first compared roughly, in blocks of any shape. What
is among the best can then be off by no more than `_margin`; all keys within it are compared again.
Where more keys than `SPARE` are that close, such as copies of one text, blocks of the fixed shape
have to do everything.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import Rows, norms, parts_of, stacked
from cr5.search import similarity
from cr5.search.nearest import Nearest, penalised
from cr5.search.similarity import Blocks, blocks, minus_l1

STRIP = 1 << 16  # keys that one thread goes through at a time
SPARE = 32
ROUGH_NUMBERS = 1 << 19  # of a rough block: two megabytes stay in cache
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
        scores: queries x k, float32, kernel minus penalty, descending; -inf where there is none.
        columns: queries x k, numbers of the keys over all pieces; of equal scores the lower one
            comes first; `NONE` where there is none.
    """

    scores: np.ndarray
    columns: np.ndarray


@dataclass(frozen=True)
class _Strip:
    """A part of a piece: of its keys those from `start` to `stop`; `first` is the first's number."""

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

    @property
    def n(self) -> int:
        return sum(piece.rows.shape[0] for piece in self.pieces)


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
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        keys = _Keys(pieces, wanted, kernel, list(_strips(pieces, threads)), pool)
        starts = range(0, queries.shape[0], similarity.ROWS)
        batches = [_of_batch(queries[x : x + similarity.ROWS], keys) for x in starts]
    return [_stack(found) for found in zip(*batches, strict=True)] if batches else [
        Best(np.zeros((0, w.k), np.float32), np.zeros((0, w.k), np.int64)) for w in wanted
    ]


def _stack(found: Sequence[Best]) -> Best:
    return Best(np.vstack([x.scores for x in found]), np.vstack([x.columns for x in found]))


def _strips(pieces: Sequence[Piece], threads: int) -> Iterator[_Strip]:
    """Long ones, as each has to find its best from nothing; but some for every thread."""
    n = sum(piece.rows.shape[0] for piece in pieces)
    blocks_each = -(-n // (4 * threads * similarity.COLUMNS))
    step = min(max(blocks_each, 1) * similarity.COLUMNS, STRIP)
    first = 0
    for number, piece in enumerate(pieces):
        m = piece.rows.shape[0]
        for start in range(0, m, step):
            yield _Strip(number, start, min(start + step, m), first + start)
        first += m


def _of_batch(queries: Rows, keys: _Keys) -> list[Best]:
    """Of at most `similarity.ROWS` queries."""
    few = 2 * queries.shape[0] <= similarity.ROWS
    much = 4 * max(_rough_k(wanted) for wanted in keys.wanted) < keys.n
    if few and much and not sparse.issparse(queries):
        return _quickly(queries, keys)
    return _merged(queries, keys, blocks)


def _merged(queries: Rows, keys: _Keys, compute: Callable[..., Blocks]) -> list[Best]:
    parts = list(keys.pool.map(partial(_of_strip, queries, keys, compute), keys.strips))
    return [_merge(found, w.k) for found, w in zip(zip(*parts, strict=True), keys.wanted, strict=True)]


def _of_strip(queries: Rows, keys: _Keys, compute, strip: _Strip) -> list[Best]:
    n, m = queries.shape[0], strip.stop - strip.start
    found = [Nearest(n, min(w.k, m)) for w in keys.wanted]
    penalties = [w.penalties[strip.piece][strip.start : strip.stop] for w in keys.wanted]
    rows = keys.pieces[strip.piece].rows[strip.start : strip.stop]
    room = np.empty((n, 0), np.float32)
    for first, scores in compute(queries, rows, keys.kernel):
        if room.shape[1] < scores.shape[1]:
            room = np.empty(scores.shape, np.float32)
        for nearest, penalty in zip(found, penalties, strict=True):
            nearest.add(penalised(scores, penalty, first, room), first)
    return [Best(x.scores, x.columns + strip.first) for x in found]


def _merge(parts: Sequence[Best], k: int) -> Best:
    """Strips come in the order of their keys: a stable sort leaves equals in it."""
    scores = np.hstack([part.scores for part in parts])
    columns = np.hstack([part.columns for part in parts])
    return _sorted(scores, columns, k)


def _sorted(scores: np.ndarray, columns: np.ndarray, k: int) -> Best:
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    short = ((0, 0), (0, k - order.shape[1]))
    scores = np.pad(np.take_along_axis(scores, order, 1), short, constant_values=-np.inf)
    columns = np.pad(np.take_along_axis(columns, order, 1), short, constant_values=NONE)
    return Best(scores, np.where(np.isneginf(scores), NONE, columns))


def _rough_k(wanted: Wanted) -> int:
    return 2 * wanted.k + SPARE


def _quickly(queries: Rows, keys: _Keys) -> list[Best]:
    rough = replace(keys, wanted=[replace(w, k=_rough_k(w)) for w in keys.wanted])
    roughly = _merged(queries, rough, _rough_blocks)
    found = _again(queries, keys, roughly)
    margin = _margin(queries, keys)
    sure = [_is_sure(x.scores, w.k, margin) for x, w in zip(roughly, keys.wanted, strict=True)]
    doubtful = np.flatnonzero(~np.logical_and.reduce(sure))
    if len(doubtful):
        for each, better in zip(found, _merged(queries[doubtful], keys, blocks), strict=True):
            each.scores[doubtful], each.columns[doubtful] = better.scores, better.columns
    return found


def _rough_blocks(queries: Rows, keys: Rows, kernel: str) -> Blocks:
    step = max(similarity.COLUMNS, ROUGH_NUMBERS // max(queries.shape[0], 1))
    for first in range(0, keys.shape[0], step):
        parts = zip(parts_of(queries), parts_of(keys[first : first + step]), strict=True)
        yield first, sum(_rough(*part, kernel) for part in parts)


def _rough(queries: Rows, keys: Rows, kernel: str) -> np.ndarray:
    if sparse.issparse(queries):
        return np.hstack([block for _, block in blocks(queries, keys, kernel)])
    return queries @ keys.T if kernel == "product" else minus_l1(queries, keys.T)


def _margin(queries: Rows, keys: _Keys) -> float:
    """How far two ways to add up d products may lead two scores apart (Higham 2002, Eq. 3.5)."""
    length = norms(queries, "l2").max(initial=0) * max(x.largest for x in keys.pieces)
    return 2 * (parts_of(queries)[0].shape[1] + 8) * np.finfo(np.float32).eps * float(length)


def _is_sure(scores: np.ndarray, k: int, margin: float) -> np.ndarray:
    """Whether no key that was left out can be among the k best."""
    last = scores[:, -1]
    with np.errstate(invalid="ignore"):  # inf - inf, of no key at all
        return np.isneginf(last) | (last < scores[:, k - 1] - margin)


def _again(queries: Rows, keys: _Keys, roughly: Sequence[Best]) -> list[Best]:
    """Of the keys that were found roughly, the best by numbers from blocks of the fixed shape."""
    union = np.unique(np.concatenate([x.columns.ravel() for x in roughly]))
    union = union[union != NONE]
    if not len(union):
        return [_sorted(x.scores, x.columns, w.k) for x, w in zip(roughly, keys.wanted, strict=True)]
    places, rows = _rows_at(keys.pieces, union)
    scores = np.hstack([block.copy() for _, block in blocks(queries, rows, keys.kernel)])
    return [
        _best_of(scores, union, _at(wanted.penalties, places), found.columns, wanted.k)
        for wanted, found in zip(keys.wanted, roughly, strict=True)
    ]


def _best_of(scores, union, penalty, columns, k: int) -> Best:
    columns = np.sort(columns, axis=1)  # NONE comes first
    here = np.searchsorted(union, columns).clip(max=len(union) - 1)
    mine = np.take_along_axis(scores - penalty, here, axis=1)
    return _sorted(np.where(columns == NONE, -np.inf, mine).astype(np.float32), columns, k)


def _rows_at(pieces: Sequence[Piece], numbers: np.ndarray) -> tuple[list[np.ndarray], Rows]:
    """Where the keys of these numbers, ascending, are in each piece; and their rows."""
    ends = np.cumsum([piece.rows.shape[0] for piece in pieces])
    cuts = np.searchsorted(numbers, ends)
    firsts = ends - [piece.rows.shape[0] for piece in pieces]
    places = [part - first for part, first in zip(np.split(numbers, cuts[:-1]), firsts, strict=True)]
    found = [x.rows[at] for x, at in zip(pieces, places, strict=True) if len(at)]
    return places, stacked(found)


def _at(penalties: Sequence[np.ndarray], places: Sequence[np.ndarray]) -> np.ndarray:
    pairs = zip(penalties, places, strict=True)
    return np.concatenate([x[at] if len(x) else np.zeros(len(at), np.float32) for x, at in pairs])
