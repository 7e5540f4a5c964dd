"""Ranks of the answers among the candidates, by each measure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import Rows, check_norm, norms
from cr5.search.answers import Answers, Counter
from cr5.search.corrections import CORRECTIONS, Plain, Space
from cr5.search.measures import Measure
from cr5.search.nearest import Nearest
from cr5.search.options import NEAREST, SEARCH
from cr5.search.similarity import over_blocks, pairwise


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
    csls_neighbours: int = SEARCH.csls_neighbours,
    depth: int | None = None,
    threads: int = 1,
    inverse_temperature: float = SEARCH.inverse_temperature,
    run_depth: int = SEARCH.run_depth,
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
        one_pass = _Pass(space, kernel, kept)
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

    space: Space
    kernel: str
    n_others: int

    def rankings(self, relevance, measures, corrections, depth) -> list[Ranking]:
        every = Answers.of(relevance)
        if depth is None:
            answers = [every] * len(measures)
        else:  # where nothing is an answer, all are others
            nothing = sparse.csr_matrix(relevance.shape, dtype=np.int8)
            deep = replace(self, n_others=min(depth, relevance.shape[1]))
            best = deep.rankings(nothing, measures, corrections, None)
            answers = [Answers.among(relevance, each.others) for each in best]
        # the measures of a pass share the answers unless a depth bounds them
        parts = (measures, corrections, answers)
        searches = [self._search(*each) for each in zip(*parts, strict=True)]
        views = over_blocks(
            self.space.queries,
            self.space.candidates,
            lambda start, n: _View(self, searches, every, slice(start, start + n)),
            self.space.threads,
            self.kernel,
            next((each.see for each in corrections if each.see), None),
        )
        results = [view.results() for view in views]
        return [
            _ranking(search, [each[i] for each in results], depth)
            for i, search in enumerate(searches)
        ]

    def _search(self, measure: Measure, correction: Plain, answers: Answers) -> "_OfMeasure":
        rows = self.space.queries, self.space.candidates
        own, known = _own(*rows, answers, self.kernel)
        with threadpool_limits(1):
            values = correction.of_pairs(own, answers.candidate)
        order = np.where(known, values, -np.inf)
        return _OfMeasure(measure, correction, answers, values, order, measure.tie(*rows))


class _View:
    """What some queries see of the candidates, for each search."""

    def __init__(self, of: _Pass, searches: Sequence["_OfMeasure"], every: Answers, rows: slice):
        """Begin with some queries; `every` are the answers of all."""
        n, m, self._k = rows.stop - rows.start, of.space.candidates.shape[0], of.space.k
        # by the kernel itself: r(x) of CSLS, and the nearest without a penalty
        self._plain = Nearest(n, min(max(NEAREST, self._k), m))
        self._corrections = [search.correction for search in searches]
        self._nearest = [
            Nearest(n, min(NEAREST, m)) if each.changes else self._plain
            for each in self._corrections
        ]
        self._others = [Nearest(n, of.n_others) for _ in searches]
        self._counters = [search.counter(rows) for search in searches]
        self._row, self._column = every.by_column(rows)

    def add(self, scores: np.ndarray, first: int) -> None:
        """See a block of candidates, numbered from `first`."""
        self._plain.add(scores, first)
        here = slice(*np.searchsorted(self._column, [first, first + scores.shape[1]]))
        places = self._row[here], self._column[here] - first
        parts = self._corrections, self._counters, self._nearest, self._others
        for correction, counter, best, other in zip(*parts, strict=True):
            left = correction.of_block(scores, first)
            counter.add(left, *places)
            if best is not self._plain:
                best.add(left, first)
            if other.scores.size:
                left = left.copy()
                left[places] = -np.inf
                other.add(left, first)

    def results(self) -> list[tuple]:
        r = self._plain.scores[:, : self._k].mean(axis=1, dtype=np.float64)
        return [
            (counter.before, r, best.columns[:, :NEAREST], other.columns, other.scores)
            for counter, best, other in zip(
                self._counters, self._nearest, self._others, strict=True
            )
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

    def counter(self, rows: slice) -> Counter:
        mine = self.answers.of_queries(rows.start, rows.stop)
        least = (self.order[mine] - self.tie).astype(np.float32)
        return Counter(self.answers.query[mine] - rows.start, least, rows.stop - rows.start)


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
