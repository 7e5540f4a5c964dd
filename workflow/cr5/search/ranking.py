"""Ranks of the answers among the candidates, by each measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import Rows, check_norm, norms
from cr5.search import similarity
from cr5.search.answers import Answers, Counter
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
    """

    measure: str
    answers: Answers
    rank: np.ndarray
    score: np.ndarray
    nearest: np.ndarray


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
        one_pass = _Pass(queries, candidates, kernel, csls_neighbours, threads)
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

    def _search(self, measure: Measure, correction: Plain, answers: Answers) -> "_Search":
        own, known = _own(self.queries, self.candidates, answers, self.kernel)
        with threadpool_limits(1):
            values = correction.of_pairs(own, answers.candidate)
        order = np.where(known, values, -np.inf)
        tie = measure.tie(self.queries, self.candidates)
        return _Search(measure, correction, answers, values, order, tie)

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
        room = np.empty((similarity.ROWS, similarity.COLUMNS), np.float32)
        for first, scores in blocks:
            plain.add(scores, first)
            for search, counter, best in zip(searches, counters, nearest, strict=True):
                left = search.correction.of_block(scores, first, room)
                counter.add(left, marked, first)
                if best is not plain:
                    best.add(left, first)
        r = plain.scores[:, : self.csls_neighbours].mean(axis=1, dtype=np.float64)
        return [
            (counter.before, r, best.columns[:, :NEAREST])
            for counter, best in zip(counters, nearest, strict=True)
        ]


@dataclass(frozen=True)
class _Search:
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


def _ranking(search: _Search, blocks: list[tuple], depth: int | None) -> Ranking:
    before, r, nearest = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    answers = search.answers
    rank = 1 + before + answers.better(search.order)
    score = search.measure.score(search.values, r[answers.query]).astype(np.float32)
    if depth is not None:
        kept = rank <= depth
        answers, rank, score = answers.select(kept), rank[kept], score[kept]
    return Ranking(search.measure.name, answers, rank, score, nearest)


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
