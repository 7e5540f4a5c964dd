"""Ranks of the answers among the candidates, by each measure.

The rank of an answer is one more than the number of candidates before it: non-answers whose score
is not lower, including ties within `measures.TIE`; and answers of the same query with a higher
score, or an equal one and a lower grade, or the same grade and a lower number. Ties thus count
against the query, and no two of its answers share a rank. A row of zeros, a text without known
words, cannot be compared: if the query or the answer is one, the answer ranks after all
non-answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import Rows, check_norm
from cr5.search import word_matches
from cr5.search.measures import AmongQueries, Answers, Measure, Space
from cr5.search.nearest import Nearest
from cr5.search.options import NEAREST, SEARCH, SearchOptions
from cr5.search.similarity import pairwise, sweep
from cr5.search.word_matches import Gain, with_gain

LEAST = np.finfo(np.float32).min
FEW = 8  # answers of a query; where there are more, they are compared with sorted scores


@dataclass(frozen=True)
class Ranking:
    """Results of one measure for the queries of one search."""

    measure: str
    answers: Answers
    rank: np.ndarray  # (a,) from 1
    score: np.ndarray  # (a,) float32
    nearest: np.ndarray  # queries x `NEAREST`, or all candidates: their numbers, best first
    nearest_scores: np.ndarray
    # query, candidate, rank and score of the `run_depth` best of each query, the answers at their
    # ranks and non-answers between them; None if none were asked for
    run: tuple[np.ndarray, ...] | None = None


@dataclass(frozen=True)
class Found:
    """Results of one search by one measure, by the names of texts: what ranks are written from."""

    query: str  # language, like `target`
    target: str
    similarity: str
    answers: pd.DataFrame  # query, candidate (ids), grade, rank, score
    # query, n_relevant, n_candidates, depth (Int64, missing if unbounded), nearest (ids), scores
    queries: pd.DataFrame
    run: pd.DataFrame | None = None  # query, candidate, rank, score of the best candidates


def rankings(
    queries: Rows,
    candidates: Rows,
    relevance: sparse.csr_matrix,
    measures: Sequence[Measure],
    neighbours: Rows,
    how: SearchOptions = SEARCH,
    threads: int = 1,
    gain: Gain | None = None,
) -> list[Ranking]:
    """Rank the answers of each query among all candidates; threads do not affect the result.

    Rows are n x r, m x r and neighbours of the query language x r, float32, of the norm that the
    measures require; relevance is n x m, the grade of each answer, above zero. `gain` is what a
    second stage adds to the scores of the first `word_matches.DEPTH` candidates. UserError: a row
    is not finite, or of another norm.
    """
    _check(queries, candidates, neighbours, measures)
    space = Space(queries, candidates, neighbours, Answers.of(relevance), how, threads)
    most = int(np.bincount(space.answers.query).max(initial=0))  # which may stand behind the run
    k = max(NEAREST, how.run_depth and how.run_depth + most, word_matches.DEPTH if gain else 0)
    found = {}
    for kernel in dict.fromkeys(measure.kernel for measure in measures):
        alike = [measure for measure in measures if measure.kernel == kernel]
        ranked = _of_kernel(space, kernel, alike, min(k, candidates.shape[0]))
        for measure, ranking in zip(alike, ranked, strict=True):
            if gain:
                ranking = _reranked(ranking, gain, measure, space)
            found[measure.name] = replace(
                ranking,
                nearest=ranking.nearest[:, :NEAREST],
                nearest_scores=ranking.nearest_scores[:, :NEAREST],
                run=_run(ranking, how.run_depth) if how.run_depth else None,
            )
    return [found[m.name] for m in measures]


def _check(queries: Rows, candidates: Rows, neighbours: Rows, measures: Sequence[Measure]) -> None:
    """Refuse bad rows: comparisons with nan are false, so nan would rank every answer first."""
    rows = {"queries": queries, "candidates": candidates}
    if neighbours is not queries and any(measure.corrects_hubs for measure in measures):
        rows["neighbours"] = neighbours
    for norm in sorted({measure.unit or "none" for measure in measures}):
        for whose, each in rows.items():
            check_norm(each, norm, whose)


class _Order:
    """What one measure sees of all queries: how many are before each answer, which are nearest."""

    def __init__(
        self,
        measure: Measure,
        space: Space,
        own: np.ndarray,  # the kernel of the answers, float64
        plain: Nearest,  # by the kernel itself
        k: int,
    ) -> None:
        self.measure, self.values, self.nearest = measure, own, plain
        self.correction = measure.correction and measure.correction(space)
        if self.correction:
            self.values = self.correction.of(own, space.answers.candidate)
            self.nearest = Nearest(space.queries.shape[0], k)
        self.order = np.where(space.known, self.values, -np.inf)
        # candidates that reach it are not worse than the answer
        least = (self.order - measure.tie(space.queries, space.candidates)).astype(np.float32)
        self.least = np.maximum(least, LEAST)
        self.before = np.zeros(len(own), np.int64)

    def ranking(self, answers: Answers, r: np.ndarray, k: int) -> Ranking:
        """The result; r is r(x) of CSLS, (n,)."""
        scores = self.measure.score(self.values, r[answers.query])
        nearest = self.measure.score(self.nearest.scores[:, :k], r[:, None])
        return Ranking(
            self.measure.name,
            answers,
            1 + self.before + answers.better(self.order),
            scores.astype(np.float32),
            self.nearest.columns[:, :k],
            nearest.astype(np.float32),
        )


def _of_kernel(space: Space, kernel: str, measures: Sequence[Measure], k: int) -> list[Ranking]:
    """Rank by measures of one kernel, of which each similarity is computed once; k are nearest."""
    answers, of_csls = space.answers, space.how.csls_neighbours
    n, m = space.queries.shape[0], space.candidates.shape[0]
    plain = Nearest(n, min(max(k, of_csls), m))
    with threadpool_limits(1):
        own = pairwise(space.queries, answers.query, space.candidates, answers.candidate, kernel)
        orders = [_Order(measure, space, own, plain, k) for measure in measures]

    def see(rows: slice, first: int, scores: np.ndarray) -> None:
        stop = first + scores.shape[1]
        mine = slice(*np.searchsorted(answers.query, (rows.start, rows.stop)))
        row, column = answers.query[mine] - rows.start, answers.candidate[mine]
        here = (column >= first) & (column < stop)
        places = row[here], column[here] - first
        plain.see(rows, first, scores)
        for each in orders:
            left = scores
            if each.correction:
                left = each.correction.of(scores, slice(first, stop))
                each.nearest.see(rows, first, left)
            kept, left[places] = left[places], -np.inf
            each.before[mine] += _not_worse(left, row, each.least[mine])
            left[places] = kept

    among = [each.correction for each in orders if isinstance(each.correction, AmongQueries)]
    whole = among[0].see if among else None
    sweep(space.queries, space.candidates, see, kernel, space.threads, whole)
    r = plain.scores[:, :of_csls].mean(axis=1, dtype=np.float64)
    return [each.ranking(answers, r, k) for each in orders]


def _not_worse(scores: np.ndarray, query: np.ndarray, least: np.ndarray) -> np.ndarray:
    """How many scores of its query, n x m, reach the number of each answer, (a,)."""
    if len(query) <= FEW * len(scores):
        one_each = np.array_equal(query, np.arange(len(scores)))
        rows = scores if one_each else scores[query]
        return (rows >= least[:, None]).sum(axis=1, dtype=np.uint32)
    found, ordered = np.zeros(len(query), np.int64), np.sort(scores, axis=1)
    for each in np.unique(query):
        mine = query == each
        found[mine] = scores.shape[1] - np.searchsorted(ordered[each], least[mine])
    return found


def _answers_in(columns: np.ndarray, answers: Answers) -> np.ndarray:
    """The number of the answer that each candidate of queries, n x k, is; -1 for none."""
    m = 1 + max(columns.max(initial=0), answers.candidate.max(initial=0))
    keys = np.append(answers.query * m + answers.candidate, np.iinfo(np.int64).max)
    wanted = np.arange(len(columns))[:, None] * m + columns
    place = np.searchsorted(keys, wanted)
    return np.where(keys[place] == wanted, place, -1)


def _reranked(first: Ranking, gain: Gain, measure: Measure, space: Space) -> Ranking:
    """Reorder the first candidates of each query; the ranks and scores of others stay."""
    depth = word_matches.DEPTH
    columns, scores = first.nearest[:, :depth], first.nearest_scores[:, :depth].copy()
    mine = _answers_in(columns, first.answers)
    is_answer = np.append(first.rank, depth + 1)[mine] <= depth
    mine = mine[is_answer]
    scores[is_answer] = first.score[mine]
    scores = with_gain(scores, columns, gain, measure)
    own, by = np.where(space.known[mine], scores[is_answer], -np.inf), scores.copy()
    by[is_answer] = own
    tie = measure.score(measure.tie(space.queries, space.candidates), 0)
    least = np.maximum(own - tie, np.finfo(np.float64).min)
    answers, others = first.answers.select(mine), np.where(is_answer, -np.inf, scores)
    rank, score = first.rank.copy(), first.score.copy()
    rank[mine] = 1 + _not_worse(others, answers.query, least) + answers.better(own)
    score[mine] = scores[is_answer]
    order = np.lexsort((columns, -by), axis=1)
    nearest, nearest_scores = first.nearest.copy(), first.nearest_scores.copy()
    nearest[:, :depth] = np.take_along_axis(columns, order, 1)
    nearest_scores[:, :depth] = np.take_along_axis(scores, order, 1)
    return replace(first, rank=rank, score=score, nearest=nearest, nearest_scores=nearest_scores)


def _run(ranking: Ranking, k: int) -> tuple[np.ndarray, ...]:
    """The k best candidates of each query."""
    columns, scores = ranking.nearest, ranking.nearest_scores.copy()
    mine = _answers_in(columns, ranking.answers)
    is_answer, mine = mine >= 0, mine[mine >= 0]
    taken, near = np.zeros(columns.shape, bool), ranking.rank <= columns.shape[1]
    taken[ranking.answers.query[near], ranking.rank[near] - 1] = True
    rank = np.empty_like(columns)
    others = np.argsort(is_answer, axis=1, kind="stable")  # before the answers
    np.put_along_axis(rank, others, 1 + np.argsort(taken, axis=1, kind="stable"), axis=1)
    rank[is_answer], scores[is_answer] = ranking.rank[mine], ranking.score[mine]
    order = np.argsort(rank, axis=1, kind="stable")
    query, place = np.nonzero(np.take_along_axis(rank, order, 1) <= k)
    entry = query, order[query, place]
    return query, columns[entry], rank[entry], scores[entry]
