"""The answers of queries: which candidates are relevant, and where they stand among the others."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from cr5.search.corrections import Correction
from cr5.search.kernels import slices
from cr5.search.measures import Measure
from cr5.search.nearest import Best
from cr5.search.word_matches import Gain

LEAST = np.finfo(np.float32).min
FEW = 8  # answers of a query; where there are more, they are compared with sorted scores


@dataclass(frozen=True)
class Answers:
    """Relevant candidates, (a,): row numbers, by query, then by candidate; grades above zero."""

    query: np.ndarray
    candidate: np.ndarray
    grade: np.ndarray

    @classmethod
    def of(cls, relevance: sparse.csr_matrix) -> "Answers":
        """Return all entries of queries x candidates."""
        entries = relevance.tocsr().sorted_indices().tocoo()
        query, candidate = entries.coords
        return cls(
            query=query.astype(np.int64),
            candidate=candidate.astype(np.int64),
            grade=entries.data.astype(np.float64),
        )

    def of_queries(self, queries: slice) -> slice:
        """Return which are the answers of some queries."""
        borders = (queries.start, queries.stop)
        start, stop = np.searchsorted(self.query, borders)
        return slice(int(start), int(stop))

    def n_better(self, order: np.ndarray) -> np.ndarray:
        """Count the answers of the same query before each, by the numbers that order them."""
        # By query; then the best first, the lower grade, the lower number.
        best_first = np.lexsort((self.candidate, self.grade, -order, self.query))
        place = np.argsort(best_first)
        first_place_of_query = np.searchsorted(self.query, self.query)
        return place - first_place_of_query


@dataclass(frozen=True)
class Ordered:
    """The answers of all queries as one measure orders them, (a,)."""

    measure: Measure
    correction: Correction | None
    values: np.ndarray  # kernel minus penalty, float64
    is_known: np.ndarray  # whether neither the answer nor its query is all zeros
    tie: float

    @cached_property
    def order(self) -> np.ndarray:
        """By what answers are ordered: the values, or -inf where nothing is known."""
        return np.where(self.is_known, self.values, -np.inf)

    @cached_property
    def least(self) -> np.ndarray:
        """What the scores of other candidates reach that are not worse, float32."""
        return np.maximum((self.order - self.tie).astype(np.float32), LEAST)


@dataclass(frozen=True)
class Standing:
    """Where answers stand by one measure, and the best of the other candidates."""

    answers: Answers
    ordered: Ordered
    n_before: np.ndarray  # (a,) other candidates that are not worse
    others: Best  # the best of these, float32

    @cached_property
    def rank(self) -> np.ndarray:
        """The rank of each answer, (a,), from 1."""
        return 1 + self.n_before + self.answers.n_better(self.ordered.order)

    def best(self, k: int) -> Best:
        """Return the first k candidates, or all, float64: answers at their ranks."""
        answer_at = self._answers_at_ranks(k)
        is_answer = answer_at >= 0
        answers = answer_at[is_answer]

        others = self.others.take(_places_among(~is_answer))
        values = others.scores.astype(np.float64)
        values[is_answer] = self.ordered.values[answers]
        columns = others.columns
        columns[is_answer] = self.answers.candidate[answers]
        return Best(values, columns)

    def _answers_at_ranks(self, k: int) -> np.ndarray:
        """Return which answer has which of the first k ranks, queries x k; -1 for none."""
        n_queries, n_others = self.others.scores.shape
        k = min(k, n_others)
        answer_at = np.full((n_queries, k), -1)
        near = np.flatnonzero(self.rank <= k)
        query = self.answers.query[near]
        place = self.rank[near] - 1
        answer_at[query, place] = near
        return answer_at

    def raised(self, gain: Gain, depth: int) -> "Standing":
        """Add the gain of a second stage, at least 0, to the first candidates of each query.

        So the first stay the first, and the ranks of answers behind them what they are.
        """
        added = _gains(self.best(depth), gain)
        answer_at = self._answers_at_ranks(depth)
        is_answer = answer_at >= 0
        answers = answer_at[is_answer]

        values = self.ordered.values.copy()
        values[answers] += added[is_answer]
        ordered = replace(self.ordered, values=values)

        scores = self._raised_scores(added, ~is_answer)
        n_raised = np.count_nonzero(~is_answer, axis=1)
        is_raised = np.arange(scores.shape[1]) < n_raised[:, None]
        query, _ = np.nonzero(is_answer)
        n_before = self.n_before.copy()
        n_before[answers] = n_not_worse(
            np.where(is_raised, scores, -np.inf), query, ordered.least[answers]
        )

        raised = Best(scores, self.others.columns)
        order = np.lexsort((raised.columns, -raised.scores), axis=1)
        return Standing(self.answers, ordered, n_before, raised.take(order))

    def _raised_scores(self, added: np.ndarray, is_other: np.ndarray) -> np.ndarray:
        """Return the scores with what is added to the others among the first, queries x depth."""
        query, _ = np.nonzero(is_other)
        place_among_others = _places_among(is_other)
        scores = self.others.scores.copy()
        scores[query, place_among_others[is_other]] += added[is_other]
        return scores


def _places_among(mask: np.ndarray) -> np.ndarray:
    """Return how many before each of its row are true, for those that are true."""
    return mask.cumsum(axis=1) - 1


def _gains(candidates: Best, gain: Gain) -> np.ndarray:
    """Return what a second stage adds to the candidates of each query, queries x depth."""
    n_queries, depth = candidates.columns.shape
    query = np.repeat(np.arange(n_queries), depth)
    added = gain(query, candidates.columns.ravel())
    return added.reshape(n_queries, depth)


def n_not_worse(scores: np.ndarray, query: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Count the scores of its query, n x m, that reach the number of each answer, (a,)."""
    n_queries = len(scores)
    n_answers = len(query)
    has_one_each = np.array_equal(query, np.arange(n_queries))
    if has_one_each:
        return _n_true(scores >= least[:, None])
    if n_answers > FEW * n_queries:
        return _n_not_worse_by_sorting(scores, query, least)
    counts = np.zeros(n_answers, np.int64)
    for answers in slices(0, n_answers, max(n_queries, 1)):
        is_not_worse = scores[query[answers]] >= least[answers, None]
        counts[answers] = _n_true(is_not_worse)
    return counts


def _n_not_worse_by_sorting(scores: np.ndarray, query: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Count the same, for queries with many answers each."""
    n_queries, n_scores = scores.shape
    ascending = np.sort(scores, axis=1)
    borders = np.searchsorted(query, np.arange(n_queries + 1))
    counts = np.zeros(len(query), np.int64)
    for row in range(n_queries):
        answers = slice(borders[row], borders[row + 1])
        n_worse = np.searchsorted(ascending[row], least[answers])
        counts[answers] = n_scores - n_worse
    return counts


def _n_true(mask: np.ndarray) -> np.ndarray:
    """Count as np.count_nonzero does in each row, which takes four times as long."""
    bits = np.packbits(mask, axis=1)
    return np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
