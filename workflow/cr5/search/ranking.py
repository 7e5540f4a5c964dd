"""Ranks of the answers among the candidates, by each measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import Rows, check_norm, norms
from cr5.search import similarity
from cr5.search.answers import Answers, Counter, in_block
from cr5.search.corrections import CORRECTIONS, Plain, Space
from cr5.search.measures import Measure
from cr5.search.nearest import Nearest
from cr5.search.options import SearchOptions
from cr5.search.similarity import Blocks, over_blocks, pairwise

NEAREST = 10


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
        others: queries x k, numbers of the best non-answers, best first.
        other_scores: likewise, float32; -inf beyond the last one.
    """

    measure: str
    answers: Answers
    rank: np.ndarray
    score: np.ndarray
    nearest: np.ndarray
    others: np.ndarray
    other_scores: np.ndarray

    def run(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the k best candidates of each query, in the order that the ranks say.

        Returns:
            Query and candidate (row numbers), rank and score, sorted by query and rank. The answers
            are where their ranks say, the best non-answers between them.
        """
        n, k = self.others.shape
        mine = self.rank <= k
        taken = np.zeros((n, k), bool)
        taken[self.answers.query[mine], self.rank[mine] - 1] = True
        row, place = np.nonzero(~taken)
        other = row, place - np.cumsum(taken, axis=1)[row, place]
        there = np.isfinite(self.other_scores[other])
        query = np.concatenate([self.answers.query[mine], row[there]])
        candidate = np.concatenate([self.answers.candidate[mine], self.others[other][there]])
        rank = np.concatenate([self.rank[mine], place[there] + 1])
        score = np.concatenate([self.score[mine], self.other_scores[other][there]])
        order = np.lexsort((rank, query))
        return query[order], candidate[order], rank[order], score[order]


@dataclass(frozen=True)
class Found:
    """Results of one search by one measure, by the names of texts: what ranks are written from.

    Attributes:
        query, target: languages.
        similarity: the measure's name.
        answers: query, candidate (ids), grade, rank, score; a row per answer found, in the order of
            the queries.
        queries: query, n_relevant, n_candidates, depth (Int64, missing if unbounded), nearest (ids,
            best first); a row per query.
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
    csls_neighbours: int = SearchOptions.csls_neighbours,
    depth: int | None = None,
    threads: int = 1,
    inverse_temperature: float = SearchOptions.inverse_temperature,
    run_depth: int = SearchOptions.run_depth,
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
        csls_neighbours: k of CSLS.
        depth: if given, only answers among that many nearest candidates (in ties the first ones)
            are ranked; others count as not found.
        threads: blocks processed at the same time; does not affect the result.
        inverse_temperature: of the inverted softmax.
        run_depth: how many candidates of each query `Ranking.run` returns; no more than `depth`.

    Returns:
        One ranking per measure, in their order.

    Raises:
        UserError: a row is not finite, or not of the norm that a measure requires.
    """
    _check(queries, candidates, neighbours, measures)
    space = Space(queries, candidates, neighbours, csls_neighbours, inverse_temperature, threads)
    found = {}
    for kernel, group in groupby(sorted(measures, key=lambda m: m.kernel), lambda m: m.kernel):
        of_kernel = list(group)
        kept = min(run_depth, candidates.shape[0], depth or run_depth)
        one_pass = _Pass(queries, candidates, kernel, csls_neighbours, threads, kept)
        corrections = [CORRECTIONS[m.correction](space) for m in of_kernel]
        for ranking in one_pass.rankings(relevance, of_kernel, corrections, depth):
            found[ranking.measure] = ranking
    return [found[m.name] for m in measures]


def _check(queries: Rows, candidates: Rows, neighbours: Rows, measures: Sequence[Measure]) -> None:
    """Refuse bad rows: comparisons with nan are false, so nan would rank every answer first."""
    rows = {"queries": queries, "candidates": candidates}
    if neighbours is not queries and any(measure.corrects_hubs for measure in measures):
        rows["neighbours"] = neighbours
    for norm in sorted({measure.unit or "none" for measure in measures}):
        for whose, each in rows.items():
            check_norm(each, norm, whose)


@dataclass(frozen=True)
class _Pass:
    """One pass over all blocks of a kernel, or two if a depth bounds the answers."""

    queries: Rows
    candidates: Rows
    kernel: str
    csls_neighbours: int
    threads: int
    n_others: int

    def rankings(self, relevance, measures, corrections, depth) -> list[Ranking]:
        if depth is None:
            answers = [Answers.of(relevance)] * len(measures)
        else:
            best = self._nearest(corrections, depth)
            answers = [Answers.among(relevance, columns) for columns in best]
        # the measures of a pass share the answers unless a depth bounds them
        parts = (measures, corrections, answers)
        searches = [self._search(*each) for each in zip(*parts, strict=True)]
        positions = relevance.astype(bool)
        blocks = self._over(lambda start, blocks: self._work(searches, positions, start, blocks))
        return [
            _ranking(search, [block[i] for block in blocks], depth)
            for i, search in enumerate(searches)
        ]

    def _search(self, measure: Measure, correction: Plain, answers: Answers) -> "_OfMeasure":
        own, known = _own(self.queries, self.candidates, answers, self.kernel)
        with threadpool_limits(1):
            values = correction.of_pairs(own, answers.candidate)
        order = np.where(known, values, -np.inf)
        tie = measure.tie(self.queries, self.candidates)
        return _OfMeasure(measure, correction, answers, values, order, tie)

    def _over(self, use) -> list:
        return over_blocks(self.queries, self.candidates, use, self.threads, self.kernel)

    def _nearest(self, corrections: Sequence[Plain], k: int) -> list[np.ndarray]:
        """The k best candidates of each query, for each measure."""

        def use(start: int, blocks: Blocks) -> list[np.ndarray]:
            found = [self._new_nearest(start, k) for _ in corrections]
            room = np.empty((similarity.ROWS, similarity.COLUMNS), np.float32)
            for first, scores in blocks:
                for nearest, correction in zip(found, corrections, strict=True):
                    nearest.add(correction.of_block(scores, first, room), first)
            return [nearest.columns for nearest in found]

        return [np.concatenate(parts) for parts in zip(*self._over(use), strict=True)]

    def _new_nearest(self, start: int, k: int) -> Nearest:
        n = min(similarity.ROWS, self.queries.shape[0] - start)
        return Nearest(n, min(k, self.candidates.shape[0]))

    def _work(self, searches, positions, start: int, blocks: Blocks) -> list[tuple]:
        """Results of each search for `similarity.ROWS` queries starting at `start`."""
        # by the kernel itself: r(x) of CSLS, and the nearest without a penalty
        plain = self._new_nearest(start, max(NEAREST, self.csls_neighbours))
        marked = positions[start : start + similarity.ROWS].tocsc()
        counters = [search.counter(start) for search in searches]
        nearest = [
            self._new_nearest(start, NEAREST) if search.correction.changes else plain
            for search in searches
        ]
        others = [self._new_nearest(start, self.n_others) for _ in searches]
        room = np.empty((similarity.ROWS, similarity.COLUMNS), np.float32)
        for first, scores in blocks:
            plain.add(scores, first)
            places = in_block(marked, first, scores.shape[1])
            for search, counter, best, other in zip(
                searches, counters, nearest, others, strict=True
            ):
                left = search.correction.of_block(scores, first, room)
                counter.add(left, *places)
                if best is not plain:
                    best.add(left, first)
                if self.n_others:
                    left = left.copy()
                    left[places] = -np.inf
                    other.add(left, first)
        r = plain.scores[:, : self.csls_neighbours].mean(axis=1, dtype=np.float64)
        return [
            (counter.before, r, best.columns[:, :NEAREST], other.columns, other.scores)
            for counter, best, other in zip(counters, nearest, others, strict=True)
        ]


@dataclass(frozen=True)
class _OfMeasure:
    """One measure: its answers, what orders them, float64, and the same, -inf for rows of zeros."""

    measure: Measure
    correction: Plain
    answers: Answers
    values: np.ndarray
    order: np.ndarray
    tie: float

    def counter(self, start: int) -> Counter:
        mine = self.answers.of_queries(start, start + similarity.ROWS)
        n = min(similarity.ROWS, self.answers.n_queries - start)
        least = (self.order[mine] - self.tie).astype(np.float32)
        return Counter(self.answers.query[mine] - start, least, n)


def _ranking(search: _OfMeasure, blocks: list[tuple], depth: int | None) -> Ranking:
    before, r, nearest, others, values = map(np.concatenate, zip(*blocks, strict=True))
    answers, measure = search.answers, search.measure
    rank = 1 + before + answers.better(search.order)
    score = measure.score(search.values, r[answers.query]).astype(np.float32)
    other_scores = measure.score(values, r[:, None]).astype(np.float32)
    if depth is not None:
        kept = rank <= depth
        answers, rank, score = answers.select(kept), rank[kept], score[kept]
    return Ranking(measure.name, answers, rank, score, nearest, others, other_scores)


def _own(
    queries: Rows, candidates: Rows, answers: Answers, kernel: str
) -> tuple[np.ndarray, np.ndarray]:
    """Kernel of each query with each of its answers, float64; and whether neither is all zeros."""
    parts, known = [np.zeros(0)], [np.zeros(0, bool)]
    for start in range(0, len(answers.query), 1 << 14):
        part = slice(start, start + (1 << 14))
        X, Y = queries[answers.query[part]], candidates[answers.candidate[part]]
        parts.append(pairwise(X, Y, kernel))
        known.append((norms(X, "l2") > 0) & (norms(Y, "l2") > 0))
    return np.concatenate(parts), np.concatenate(known)
