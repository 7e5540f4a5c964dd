"""Ranks of the answers among the candidates, by each measure.

The rank of an answer is one more than the number of candidates before it: non-answers whose score
is not lower, including ties within `corrections.TIE`; and answers of the same query with a higher
score, or an equal one and a lower grade, or the same grade and a lower number. Ties thus count
against the query, and no two of its answers share a rank. A row of zeros, a text without known
words, cannot be compared: if the query or the answer is one, the answer ranks after all
non-answers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.rows import Rows, check_norm, norms
from cr5.search import word_matches
from cr5.search.answers import Answers, Ordered, Standing, n_not_worse
from cr5.search.corrections import Correction, Space
from cr5.search.kernels import one_blas_thread, pairwise, sweep
from cr5.search.measures import Measure
from cr5.search.nearest import Best, BestSoFar, firsts_of_groups, merged
from cr5.search.options import NEAREST, SEARCH, SearchOptions
from cr5.search.word_matches import Gain


@dataclass(frozen=True)
class Ranking:
    """Results of one measure for the queries of one search."""

    measure: str
    answers: Answers
    rank: np.ndarray  # (a,) from 1
    score: np.ndarray  # (a,) float32
    # queries x k: the numbers of the best candidates, best first: the answers at their ranks, and
    # the others between them in the order of their scores
    nearest: np.ndarray
    nearest_scores: np.ndarray


@cache  # a fit searches thousands of times, and a frame takes a millisecond; none is changed
def no_answers() -> pd.DataFrame:
    """Return the columns of answers that no search can find."""
    return pd.DataFrame({"query": [], "candidate": [], "grade": []}).astype(
        {"query": str, "candidate": str, "grade": float}
    )


@dataclass(frozen=True)
class Found:
    """Results of one search by one measure, by the names of texts: what ranks are written from."""

    query_language: str
    target_language: str
    similarity: str
    answers: pd.DataFrame  # query, candidate (ids), grade, rank, score
    # query, n_relevant, n_candidates, depth (Int64, missing if unbounded), nearest (ids), scores
    queries: pd.DataFrame
    # answers that are in no collection, of `n_relevant` too: query, candidate (ids), grade
    absent: pd.DataFrame = field(default_factory=no_answers)
    told: Sequence[str] = ()  # what the report is to say of the task's files


def rankings(
    queries: Rows,
    candidates: Rows,
    relevance: sparse.csr_matrix,
    measures: Sequence[Measure],
    neighbours: Rows,
    options: SearchOptions = SEARCH,
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
    answers = Answers.of(relevance)
    answering = np.unique(answers.candidate)
    space = Space(queries, candidates, neighbours, answering, options, threads)
    by_measure = {}
    kernels = dict.fromkeys(measure.kernel for measure in measures)
    for kernel in kernels:
        with_kernel = [measure for measure in measures if measure.kernel == kernel]
        for ranking in _rank_by_kernel(space, answers, kernel, with_kernel, gain):
            by_measure[ranking.measure] = ranking
    return [by_measure[measure.name] for measure in measures]


def _check(queries: Rows, candidates: Rows, neighbours: Rows, measures: Sequence[Measure]) -> None:
    """Refuse bad rows: comparisons with nan are false, so nan would rank every answer first."""
    all_rows = {"queries": queries, "candidates": candidates}
    if neighbours is not queries and any(measure.corrects_hubs for measure in measures):
        all_rows["neighbours"] = neighbours
    for norm in sorted({measure.norm or "none" for measure in measures}):
        for name, rows in all_rows.items():
            check_norm(rows, norm, name)


def _rank_by_kernel(
    space: Space,
    answers: Answers,
    kernel: str,
    measures: Sequence[Measure],
    gain: Gain | None,
) -> Iterator[Ranking]:
    """Rank by measures of one kernel, of which each similarity is computed once."""
    depths = Depths.of(space, gain)
    orders = _orders(space, answers, kernel, measures)

    def viewer(rows: slice) -> _Candidates:
        return _Candidates(rows, answers, orders, depths)

    groups = sweep(space.queries, space.candidates, viewer, kernel, space.threads)
    views = _Views(groups)
    by_kernel = views.by_kernel()
    mean_of_nearest = _mean_of_nearest(
        answers, views.answer_scores(), by_kernel.scores, depths.neighbours
    )
    for number, ordered in enumerate(orders):
        nearest = views.corrected(number) if ordered.correction else by_kernel
        others = Best(
            scores=nearest.scores[:, : depths.kept],
            columns=nearest.columns[:, : depths.kept],
        )
        standing = Standing(answers, ordered, views.n_before(number), others)
        if gain:
            standing = standing.raised(gain, word_matches.DEPTH)
        yield _ranking(standing, depths.listed, mean_of_nearest)


@dataclass(frozen=True)
class Depths:
    """How many of the best candidates of each query are needed, at most all."""

    listed: int  # in the results
    kept: int  # until a second stage has put them in order
    neighbours: int  # for r(x) of CSLS

    @classmethod
    def of(cls, space: Space, gain: Gain | None) -> "Depths":
        """Return what the options say, and what a second stage needs if there is one."""
        n_candidates = space.candidates.shape[0]
        listed = max(NEAREST, space.options.run_depth)
        kept = listed
        if gain:
            kept = max(listed, word_matches.DEPTH)
        return cls(
            listed=min(listed, n_candidates),
            kept=min(kept, n_candidates),
            neighbours=min(space.options.csls_neighbours, n_candidates),
        )


def _orders(
    space: Space, answers: Answers, kernel: str, measures: Sequence[Measure]
) -> list[Ordered]:
    """Return the answers as each measure orders them."""
    is_query_known = norms(space.queries, "l2") > 0
    is_candidate_known = norms(space.candidates, "l2") > 0
    is_known = is_query_known[answers.query] & is_candidate_known[answers.candidate]
    with one_blas_thread():
        plain = pairwise(space.queries, answers.query, space.candidates, answers.candidate, kernel)
    orders = []
    for measure in measures:
        correction = None
        values = plain
        if measure.correction:
            correction = measure.correction(space)
            values = plain - correction.penalty(answers.query, answers.candidate)
        tie = measure.tie(space.queries, space.candidates)
        orders.append(Ordered(measure, correction, values, is_known, tie))
    return orders


class _Candidates:
    """What some queries see of a part of the candidates, by measures of one kernel.

    Attributes:
        by_kernel: by the kernel, the best candidates that are no answers.
        corrected: the same by each measure that corrects the kernel; nothing by others.
        n_before: by each measure, how many others are before each answer, (a,).
        answer_scores: the kernel of the answers, (a,) float32; zero for other candidates.
    """

    def __init__(
        self, rows: slice, answers: Answers, orders: Sequence[Ordered], depths: Depths
    ) -> None:
        n_queries = rows.stop - rows.start
        self._rows = rows
        self._orders = orders
        self._answers = answers.of_queries(rows)
        self._query = answers.query[self._answers] - rows.start
        self._candidate = answers.candidate[self._answers]
        n_answers = len(self._query)
        self.by_kernel = BestSoFar(n_queries, max(depths.kept, depths.neighbours))
        self.corrected = [BestSoFar(n_queries, depths.kept) for _ in orders]
        self.n_before = [np.zeros(n_answers, np.int64) for _ in orders]
        self.answer_scores = np.zeros(n_answers, np.float32)

    def see(self, first: int, scores: np.ndarray) -> None:
        """See candidates numbered from `first`: the kernel, queries x some candidates."""
        for ordered in self._orders:
            if ordered.correction:
                ordered.correction.see(first, scores)
        self._take_answers(first, scores)
        self.by_kernel.see(first, scores)
        last = len(self._orders) - 1
        for number, ordered in enumerate(self._orders):
            values = scores
            if ordered.correction:
                values = self._corrected(ordered.correction, first, scores, in_place=number == last)
                self.corrected[number].see(first, values)
            least = ordered.least[self._answers]
            self.n_before[number] += n_not_worse(values, self._query, least)

    def _take_answers(self, first: int, scores: np.ndarray) -> None:
        """Take the scores of the answers among these candidates, and leave -inf in their places."""
        n_candidates = scores.shape[1]
        column = self._candidate - first
        is_here = (column >= 0) & (column < n_candidates)
        places = (self._query[is_here], column[is_here])
        self.answer_scores[is_here] = scores[places]
        scores[places] = -np.inf

    def _corrected(
        self, correction: Correction, first: int, scores: np.ndarray, in_place: bool
    ) -> np.ndarray:
        """Return the kernel minus the penalties of these queries and candidates."""
        n_candidates = scores.shape[1]
        columns = slice(first, first + n_candidates)
        penalty = correction.penalty(self._rows, columns)
        out = scores if in_place else None
        return np.subtract(scores, penalty, out=out)


@dataclass(frozen=True)
class _Views:
    """What was seen of all candidates: of each group of queries by parts of the candidates."""

    groups: Sequence[Sequence[_Candidates]]

    def by_kernel(self) -> Best:
        """Return the best candidates by the kernel that are no answers."""
        nearest = []
        for parts in self.groups:
            nearest.append([part.by_kernel for part in parts])
        return merged(nearest)

    def corrected(self, number: int) -> Best:
        """Return the best candidates by a measure that corrects the kernel."""
        nearest = []
        for parts in self.groups:
            nearest.append([part.corrected[number] for part in parts])
        return merged(nearest)

    def n_before(self, number: int) -> np.ndarray:
        """Return how many others are before each answer by a measure, (a,)."""
        n_before = []
        for parts in self.groups:
            n_before.append(sum(part.n_before[number] for part in parts))
        return np.concatenate(n_before)

    def answer_scores(self) -> np.ndarray:
        """Return the kernel of the answers, (a,) float32."""
        scores = []
        for parts in self.groups:
            scores.append(sum(part.answer_scores for part in parts))
        return np.concatenate(scores)


def _mean_of_nearest(
    answers: Answers, answer_scores: np.ndarray, other_scores: np.ndarray, k: int
) -> np.ndarray:
    """Return r(x), the mean kernel of each query with the k nearest candidates, (n,) float64."""
    n_queries = len(other_scores)
    query_of_others = np.repeat(np.arange(n_queries), k)
    query = np.concatenate([query_of_others, answers.query])
    scores = np.concatenate([other_scores[:, :k].ravel(), answer_scores])
    order = np.lexsort((-scores, query))
    nearest_scores = scores[firsts_of_groups(order, query, k)]
    return nearest_scores.mean(axis=1, dtype=np.float64)


def _ranking(standing: Standing, n_listed: int, mean_of_nearest: np.ndarray) -> Ranking:
    measure = standing.ordered.measure
    nearest = standing.best(n_listed)
    nearest_scores = measure.score(nearest.scores, mean_of_nearest[:, None])
    scores = measure.score(standing.ordered.values, mean_of_nearest[standing.answers.query])
    return Ranking(
        measure.name,
        standing.answers,
        standing.rank,
        scores.astype(np.float32),
        nearest.columns,
        nearest_scores.astype(np.float32),
    )
