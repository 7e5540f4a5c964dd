"""Ranks of the answers among the candidates, by each measure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import Rows, check_norm, norms
from cr5.search import similarity, word_matches
from cr5.search.corrections import CORRECTIONS, Penalty, Space
from cr5.search.measures import Measure
from cr5.search.nearest import Nearest
from cr5.search.options import NEAREST, SEARCH, SearchOptions
from cr5.search.similarity import TOGETHER, block_sizes, strips, workers
from cr5.search.word_matches import Gain, with_gain

PAIRS = 1 << 14  # compared in float64 at a time
LEAST = np.finfo(np.float32).min
FEW = 8  # answers of a query; those of more are compared with sorted scores


@dataclass(frozen=True)
class Answers:
    """Relevant candidates, query by query.

    Attributes:
        query, candidate: (a,) row numbers; sorted by query, then by candidate.
        grade: (a,) float64, above zero.
    """

    query: np.ndarray
    candidate: np.ndarray
    grade: np.ndarray

    @classmethod
    def of(cls, relevance: sparse.csr_matrix) -> "Answers":
        """All entries of queries x candidates."""
        relevance = relevance.tocsr().sorted_indices()
        query = np.repeat(np.arange(relevance.shape[0]), np.diff(relevance.indptr))
        return cls(query, relevance.indices.astype(np.int64), relevance.data.astype(np.float64))

    def select(self, which: np.ndarray | slice) -> "Answers":
        """Select answers by a mask, or a slice."""
        return Answers(self.query[which], self.candidate[which], self.grade[which])

    def better(self, order: np.ndarray) -> np.ndarray:
        """How many answers of the same query rank before each, (a,).

        Args:
            order: (a,) higher is better; in ties the lower grade comes first.
        """
        places = np.lexsort((self.grade, -order, self.query))
        firsts = np.searchsorted(self.query, self.query)  # first answer of the same query
        before = np.empty(len(places), np.int64)
        before[places] = np.arange(len(places)) - firsts[places]
        return before


class Best(NamedTuple):
    """The best candidates of each query, in the order that the ranks say.

    The answers are where their ranks say, the best non-answers between them.

    Attributes:
        query, candidate: row numbers; sorted by query and rank.
        rank: from 1.
        score: float32.
    """

    query: np.ndarray
    candidate: np.ndarray
    rank: np.ndarray
    score: np.ndarray


@dataclass(frozen=True)
class Ranking:
    """Results of one measure for the queries of one search.

    Attributes:
        measure: its name.
        answers: query, candidate (row numbers) and grade of each answer.
        rank: (answers,) 1 is best.
        score: (answers,) float32.
        nearest: queries x `NEAREST`, numbers of the best candidates, best first; fewer columns if
            there are fewer candidates.
        nearest_scores: likewise, float32.
        run: the `run_depth` best candidates of each query; None if none were asked for.
    """

    measure: str
    answers: Answers
    rank: np.ndarray
    score: np.ndarray
    nearest: np.ndarray
    nearest_scores: np.ndarray
    run: Best | None = None


@dataclass(frozen=True)
class Found:
    """Results of one search by one measure, by the names of texts: what ranks are written from.

    Attributes:
        query, target: languages.
        similarity: the measure's name.
        answers: query, candidate (ids), grade, rank, score; a row per answer found, in the order of
            the queries.
        queries: query, n_relevant, n_candidates, depth (Int64, missing if unbounded), nearest (ids,
            best first) and their scores; a row per query.
        run: query, candidate, rank, score of the best candidates; None if none were asked for.
    """

    query: str
    target: str
    similarity: str
    answers: pd.DataFrame
    queries: pd.DataFrame
    run: pd.DataFrame | None = None

    def summary(self) -> str:
        """Summarise the result in a few words, for a log."""
        hits = self.answers.loc[self.answers["rank"] == 1, "query"].nunique()
        share = hits / len(self.queries)
        return f"{self.query}-{self.target} {self.similarity}: Success@1 {share:.3f}"


def rankings(
    queries: Rows,
    candidates: Rows,
    relevance: sparse.csr_matrix,
    measures: Sequence[Measure],
    neighbours: Rows,
    how: SearchOptions = SEARCH,
    depth: int | None = None,
    threads: int = 1,
    gain: Gain | None = None,
) -> list[Ranking]:
    """Rank the answers of each query among all candidates.

    The rank of an answer is one more than the number of candidates before it: non-answers whose
    score is not lower, including ties within `measures.TIE`; and answers of the same query with a
    higher score, or an equal one and a lower grade, or the same grade and a lower number. Ties
    thus count against the query, and no two of its answers share a rank. A row of zeros, a text
    without known words, cannot be compared: if the query or the answer is one, the answer ranks
    after all non-answers.

    Args:
        queries: n x r, float32, of the norm that the measures require.
        candidates: m x r, likewise.
        relevance: n x m; the grade of each answer, above zero.
        measures: to rank by.
        neighbours: rows of the query language, for hubness.
        how: k of CSLS, beta of the inverted softmax, and how many candidates of each query
            `Ranking.run` has.
        depth: if given, answers beyond that rank count as not found, and runs end there.
        threads: blocks processed at the same time; does not affect the result.
        gain: what a second stage adds to the scores of the first `word_matches.DEPTH` candidates.

    Returns:
        One ranking per measure, in their order.

    Raises:
        UserError: a row is not finite, or not of the norm that a measure requires.
    """
    _check(queries, candidates, neighbours, measures)
    space = Space(queries, candidates, neighbours, how, threads)
    answers = Answers.of(relevance)
    known = (norms(queries, "l2") > 0)[answers.query]
    known &= (norms(candidates, "l2") > 0)[answers.candidate]
    run_depth = min(how.run_depth, depth or how.run_depth)
    most = int(np.diff(relevance.tocsr().indptr).max(initial=0))  # which may stand behind the run
    k = max(NEAREST, run_depth and run_depth + most, word_matches.DEPTH if gain else 0)
    found = {}
    for kernel, group in groupby(sorted(measures, key=lambda m: m.kernel), lambda m: m.kernel):
        alike = list(group)
        ranked = _of_kernel(space, answers, known, kernel, alike, min(k, candidates.shape[0]))
        for measure, ranking in zip(alike, ranked, strict=True):
            if gain:
                tie = measure.tie(queries, candidates)
                ranking = _reranked(ranking, gain, measure, tie, known)
            found[measure.name] = _cut(ranking, run_depth, depth)
    return [found[m.name] for m in measures]


def _check(queries: Rows, candidates: Rows, neighbours: Rows, measures: Sequence[Measure]) -> None:
    """Refuse bad rows: comparisons with nan are false, so nan would rank every answer first."""
    rows = {"queries": queries, "candidates": candidates}
    if neighbours is not queries and any(measure.corrects_hubs for measure in measures):
        rows["neighbours"] = neighbours
    for norm in sorted({measure.unit or "none" for measure in measures}):
        for whose, each in rows.items():
            check_norm(each, norm, whose)


def _cut(ranking: Ranking, run_depth: int, depth: int | None) -> Ranking:
    """Keep what is asked for."""
    kept = slice(None) if depth is None else ranking.rank <= depth
    return Ranking(
        ranking.measure,
        ranking.answers.select(kept),
        ranking.rank[kept],
        ranking.score[kept],
        ranking.nearest[:, :NEAREST],
        ranking.nearest_scores[:, :NEAREST],
        _best(ranking, run_depth) if run_depth else None,
    )


def _answers_in(columns: np.ndarray, answers: Answers) -> np.ndarray:
    """The number of the answer that a candidate of a query is, of queries x k; -1 if it is none."""
    m = 1 + max(columns.max(initial=0), answers.candidate.max(initial=0))
    keys = answers.query * m + answers.candidate
    wanted = np.arange(len(columns))[:, None] * m + columns
    return np.where(np.isin(wanted, keys), np.searchsorted(keys, wanted), -1)


def _best(ranking: Ranking, k: int) -> Best:
    """The k best candidates of each query."""
    columns, scores = ranking.nearest, ranking.nearest_scores.copy()
    number = _answers_in(columns, ranking.answers)
    is_answer, mine = number >= 0, ranking.rank <= columns.shape[1]
    taken = np.zeros(columns.shape, bool)
    taken[ranking.answers.query[mine], ranking.rank[mine] - 1] = True
    rank = np.empty_like(columns)
    others = np.argsort(is_answer, axis=1, kind="stable")  # before the answers
    np.put_along_axis(rank, others, 1 + np.argsort(taken, axis=1, kind="stable"), axis=1)
    rank[is_answer] = ranking.rank[number[is_answer]]
    scores[is_answer] = ranking.score[number[is_answer]]
    order = np.argsort(rank, axis=1, kind="stable")
    query, place = np.nonzero(np.take_along_axis(rank, order, 1) <= k)
    entry = query, order[query, place]
    return Best(query, columns[entry], rank[entry], scores[entry])


@dataclass(frozen=True)
class _Of:
    """What one measure sees of all queries.

    Attributes:
        values: (a,) float64, by which answers are ordered.
        order: the same, -inf for rows of zeros.
        least: (a,) float32; candidates that reach it are not worse than the answer.
        before: (a,) how many non-answers were seen that are not worse.
        nearest: the best candidates of each block of queries.
    """

    measure: Measure
    correction: Penalty | None
    values: np.ndarray
    order: np.ndarray
    least: np.ndarray
    before: np.ndarray
    nearest: list[Nearest]


def _of_kernel(
    space: Space,
    answers: Answers,
    known: np.ndarray,  # whether neither the query nor the answer is all zeros
    kernel: str,
    measures: Sequence[Measure],
    k: int,
) -> list[Ranking]:
    """Rank by measures of one kernel, of which each similarity is computed once; k are nearest."""
    n, m = space.queries.shape[0], space.candidates.shape[0]
    sizes, own = block_sizes(n), _own(space, answers, kernel)
    starts = np.cumsum([0, *sizes])
    # by the kernel itself: r(x) of CSLS, and the nearest without a correction
    of_csls = space.how.csls_neighbours
    plain = [Nearest(size, min(max(k, of_csls), m)) for size in sizes]
    searches = []
    for measure in measures:
        correction, values = CORRECTIONS[measure.correction](space), own
        if correction:
            with threadpool_limits(1):
                values = correction.of_pairs(own, answers.candidate)
        order = np.where(known, values, -np.inf)
        least = (order - measure.tie(space.queries, space.candidates)).astype(np.float32)
        nearest = [Nearest(size, k) for size in sizes] if correction else plain
        before = np.zeros(len(own), np.int64)
        parts = values, order, np.maximum(least, LEAST), before, nearest
        searches.append(_Of(measure, correction, *parts))

    def see(block: int, scores: np.ndarray, first: int) -> None:
        mine = slice(*np.searchsorted(answers.query, starts[block : block + 2]))
        row, column = answers.query[mine] - starts[block], answers.candidate[mine] - first
        here = (column >= 0) & (column < scores.shape[1])
        places = row[here], column[here]
        plain[block].add(scores, first)
        for each in searches:
            left = each.correction.of_block(scores, first) if each.correction else scores
            if each.correction:
                each.nearest[block].add(left, first)
            kept, left[places] = left[places], -np.inf
            each.before[mine] += _not_worse(left, row, each.least[mine])
            left[places] = kept

    with workers(space.threads) as pool:
        for start in range(0, n, TOGETHER):
            rows = space.queries[start : start + TOGETHER]
            for first, blocks in strips(pool, rows, space.candidates, kernel):
                for each in searches:
                    if each.correction:
                        each.correction.see(blocks, first)
                numbers = range(int(np.searchsorted(starts, start)), len(sizes))
                list(pool.map(see, numbers, blocks, [first] * len(blocks)))
    near = np.vstack([x.scores[:, :of_csls] for x in plain])
    r = near.mean(axis=1, dtype=np.float64)
    return [_ranking(each, answers, r, k) for each in searches]


def _not_worse(scores: np.ndarray, query: np.ndarray, least: np.ndarray) -> np.ndarray:
    """How many scores of its query, n x m, reach the number of each answer, (a,)."""
    found = np.zeros(len(query), np.int64)
    number = np.bincount(query, minlength=len(scores))
    place = np.arange(len(query)) - np.searchsorted(query, query)
    for k in range(min(number.max(initial=0), FEW)):  # first answers, second answers, ...
        layer = np.flatnonzero((place == k) & (number[query] <= FEW))
        rows = scores if len(layer) == len(scores) else scores[query[layer]]
        found[layer] = (rows >= least[layer, None]).sum(axis=1, dtype=np.uint32)
    for each in np.flatnonzero(number > FEW):
        mine = query == each
        found[mine] = scores.shape[1] - np.searchsorted(np.sort(scores[each]), least[mine])
    return found


def _own(space: Space, answers: Answers, kernel: str) -> np.ndarray:
    """Kernel of each query with each of its answers, float64."""
    parts = [np.zeros(0)]
    for start in range(0, len(answers.query), PAIRS):
        some = answers.select(slice(start, start + PAIRS))
        rows = space.queries[some.query], space.candidates[some.candidate]
        parts.append(similarity.pairwise(*rows, kernel))
    return np.concatenate(parts)


def _ranking(search: _Of, answers: Answers, r: np.ndarray, k: int) -> Ranking:
    measure = search.measure
    nearest = np.vstack([x.scores[:, :k] for x in search.nearest])
    return Ranking(
        measure.name,
        answers,
        1 + search.before + answers.better(search.order),
        measure.score(search.values, r[answers.query]).astype(np.float32),
        np.vstack([x.columns[:, :k] for x in search.nearest]),
        measure.score(nearest, r[:, None]).astype(np.float32),
    )


def _reranked(
    first: Ranking, gain: Gain, measure: Measure, tie: float, known: np.ndarray
) -> Ranking:
    """Reorder the first candidates of each query; the ranks and scores of others stay."""
    depth = word_matches.DEPTH
    columns, scores = first.nearest[:, :depth], first.nearest_scores[:, :depth].copy()
    number = _answers_in(columns, first.answers)
    is_answer = number >= 0
    is_answer[is_answer] = first.rank[number[is_answer]] <= depth
    row, place = np.nonzero(is_answer)
    order = np.argsort(number[row, place])
    row, place = row[order], place[order]
    mine = number[row, place]
    scores[row, place] = first.score[mine]
    scores = with_gain(scores, columns, gain, measure)
    own = np.where(known[mine], scores[row, place], -np.inf)
    least = np.maximum(own - measure.score(tie, 0), np.finfo(np.float64).min)
    not_worse = np.where(is_answer, -np.inf, scores)[row] >= least[:, None]
    rank, score = first.rank.copy(), first.score.copy()
    rank[mine] = 1 + not_worse.sum(axis=1) + first.answers.select(mine).better(own)
    score[mine] = scores[row, place]
    by = scores.copy()
    by[row, place] = own
    order = np.lexsort((columns, -by), axis=1)
    nearest, nearest_scores = first.nearest.copy(), first.nearest_scores.copy()
    nearest[:, :depth] = np.take_along_axis(columns, order, 1)
    nearest_scores[:, :depth] = np.take_along_axis(scores, order, 1)
    return replace(first, rank=rank, score=score, nearest=nearest, nearest_scores=nearest_scores)
