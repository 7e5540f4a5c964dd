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

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.rows import Rows, check_norm, norms
from cr5.search import word_matches
from cr5.search.answers import Answers, Ordered, Standing, n_not_worse
from cr5.search.corrections import Space
from cr5.search.kernels import one_blas_thread, pairwise, sweep
from cr5.search.measures import Measure
from cr5.search.nearest import Nearest, firsts_of_groups, merged
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


def no_answers() -> pd.DataFrame:
    """Return the columns of answers that no search can find."""
    return pd.DataFrame({"query": [], "candidate": [], "grade": []}).astype(
        {"query": str, "candidate": str, "grade": float}
    )


@dataclass(frozen=True)
class Found:
    """Results of one search by one measure, by the names of texts: what ranks are written from."""

    query: str  # language, like `target`
    target: str
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
    for kernel in dict.fromkeys(measure.kernel for measure in measures):
        with_kernel = [measure for measure in measures if measure.kernel == kernel]
        for ranking in _rank_by_kernel(space, answers, kernel, with_kernel, gain):
            by_measure[ranking.measure] = ranking
    return [by_measure[measure.name] for measure in measures]


def _check(queries: Rows, candidates: Rows, neighbours: Rows, measures: Sequence[Measure]) -> None:
    """Refuse bad rows: comparisons with nan are false, so nan would rank every answer first."""
    all_rows = {"queries": queries, "candidates": candidates}
    if neighbours is not queries and any(measure.corrects_hubs for measure in measures):
        all_rows["neighbours"] = neighbours
    for norm in sorted({measure.unit or "none" for measure in measures}):
        for whose, rows in all_rows.items():
            check_norm(rows, norm, whose)


def _rank_by_kernel(
    space: Space,
    answers: Answers,
    kernel: str,
    measures: Sequence[Measure],
    gain: Gain | None,
) -> Iterator[Ranking]:
    """Rank by measures of one kernel, of which each similarity is computed once."""
    options = space.options
    m = space.candidates.shape[0]
    n_listed = min(max(NEAREST, options.run_depth), m)
    n_kept = min(max(n_listed, word_matches.DEPTH), m) if gain else n_listed
    n_neighbours = min(options.csls_neighbours, m)
    orders = _orders(space, answers, kernel, measures)

    def viewer(rows: slice) -> _Candidates:
        return _Candidates(rows, answers, orders, n_kept, n_neighbours)

    groups = sweep(space.queries, space.candidates, viewer, kernel, space.threads)
    by_kernel = merged([[part.by_kernel for part in parts] for parts in groups])
    answer_scores = [sum(part.answer_scores for part in parts) for parts in groups]
    mean_of_nearest = _mean_of_nearest(
        answers, np.concatenate(answer_scores), by_kernel.scores, n_neighbours
    )
    for number, ordered in enumerate(orders):
        others = by_kernel
        if ordered.correction:
            others = merged([[part.corrected[number] for part in parts] for parts in groups])
        n_before = [sum(part.n_before[number] for part in parts) for parts in groups]
        standing = Standing(
            answers,
            ordered,
            np.concatenate(n_before),
            others.columns[:, :n_kept],
            others.scores[:, :n_kept],
        )
        if gain:
            standing = standing.raised(gain, word_matches.DEPTH)
        yield _ranking(standing, n_listed, mean_of_nearest)


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
        correction = measure.correction(space) if measure.correction else None
        values = plain
        if correction:
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
        self, rows: slice, answers: Answers, orders: Sequence[Ordered], n_kept: int, k: int
    ) -> None:
        n = rows.stop - rows.start
        self._rows = rows
        self._orders = orders
        self._mine = answers.of_queries(rows)
        self._query = answers.query[self._mine] - rows.start
        self._candidate = answers.candidate[self._mine]
        n_answers = len(self._query)
        self.by_kernel = Nearest(n, max(n_kept, k))
        self.corrected = [Nearest(n, n_kept) for _ in orders]
        self.n_before = [np.zeros(n_answers, np.int64) for _ in orders]
        self.answer_scores = np.zeros(n_answers, np.float32)

    def see(self, first: int, scores: np.ndarray) -> None:
        """See candidates numbered from `first`: the kernel, queries x some candidates."""
        columns = slice(first, first + scores.shape[1])
        for ordered in self._orders:
            if ordered.correction:
                ordered.correction.see(first, scores)
        is_here = (self._candidate >= columns.start) & (self._candidate < columns.stop)
        places = self._query[is_here], self._candidate[is_here] - first
        self.answer_scores[is_here] = scores[places]
        scores[places] = -np.inf
        self.by_kernel.see(first, scores)
        for number, ordered in enumerate(self._orders):
            values = scores
            if ordered.correction:
                penalty = ordered.correction.penalty(self._rows, columns)
                is_last = number == len(self._orders) - 1
                # The last may change the scores in place.
                values = np.subtract(scores, penalty, out=scores if is_last else None)
                self.corrected[number].see(first, values)
            least = ordered.least[self._mine]
            self.n_before[number] += n_not_worse(values, self._query, least)


def _mean_of_nearest(
    answers: Answers, answer_scores: np.ndarray, other_scores: np.ndarray, k: int
) -> np.ndarray:
    """Return r(x), the mean kernel of each query with the k nearest candidates, (n,) float64."""
    n = len(other_scores)
    query = np.concatenate([np.repeat(np.arange(n), k), answers.query])
    scores = np.concatenate([other_scores[:, :k].ravel(), answer_scores])
    order = np.lexsort((-scores, query))
    return scores[firsts_of_groups(order, query, k)].mean(axis=1, dtype=np.float64)


def _ranking(standing: Standing, n_listed: int, mean_of_nearest: np.ndarray) -> Ranking:
    measure = standing.ordered.measure
    columns, values = standing.best(n_listed)
    scores = measure.score(standing.ordered.values, mean_of_nearest[standing.answers.query])
    return Ranking(
        measure.name,
        standing.answers,
        standing.rank,
        scores.astype(np.float32),
        columns,
        measure.score(values, mean_of_nearest[:, None]).astype(np.float32),
    )
