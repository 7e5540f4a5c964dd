"""The answers of queries: which candidates are relevant, and where they stand among the others."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from cr5.search.corrections import Correction
from cr5.search.kernels import slices
from cr5.search.measures import Measure
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
            query.astype(np.int64), candidate.astype(np.int64), entries.data.astype(np.float64)
        )

    def of_queries(self, queries: slice) -> slice:
        """Return which are the answers of some queries."""
        start, stop = np.searchsorted(self.query, (queries.start, queries.stop))
        return slice(int(start), int(stop))

    def n_better(self, order: np.ndarray) -> np.ndarray:
        """Count the answers of the same query before each, by the numbers that order them."""
        places = np.lexsort((self.candidate, self.grade, -order, self.query))
        first_of_query = np.searchsorted(self.query, self.query)
        return np.argsort(places) - first_of_query


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
    columns: np.ndarray  # queries x k: the numbers of the best others, best first
    scores: np.ndarray  # queries x k, float32: their values

    @cached_property
    def rank(self) -> np.ndarray:
        """The rank of each answer, (a,), from 1."""
        return 1 + self.n_before + self.answers.n_better(self.ordered.order)

    def best(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return numbers and values of the first k candidates, or all: answers at their ranks."""
        columns = self.columns[:, :k]
        near = np.flatnonzero(self.rank <= columns.shape[1])
        answer = np.full(columns.shape, -1)
        answer[self.answers.query[near], self.rank[near] - 1] = near
        is_other = answer < 0
        place = is_other.cumsum(axis=1) - 1  # among the others
        columns = np.take_along_axis(columns, place, 1)
        values = np.take_along_axis(self.scores, place, 1).astype(np.float64)
        columns[~is_other] = self.answers.candidate[answer[~is_other]]
        values[~is_other] = self.ordered.values[answer[~is_other]]
        return columns, values

    def raised(self, gain: Gain, depth: int) -> "Standing":
        """Add the gain of a second stage, at least 0, to the first candidates of each query.

        So the first stay the first, and the ranks of answers behind them what they are.
        """
        columns, _ = self.best(depth)
        n, depth = columns.shape
        added = gain(np.repeat(np.arange(n), depth), columns.ravel()).reshape(n, depth)

        near = np.flatnonzero(self.rank <= depth)
        query = self.answers.query[near]
        place = self.rank[near] - 1
        values = self.ordered.values.copy()
        values[near] += added[query, place]
        ordered = replace(self.ordered, values=values)

        # In each row the others that are among the first come in their own order.
        is_other = np.ones(columns.shape, bool)
        is_other[query, place] = False
        row, _ = np.nonzero(is_other)
        own_place = (is_other.cumsum(axis=1) - 1)[is_other]
        scores = self.scores.copy()
        scores[row, own_place] += added[is_other]
        n_raised = is_other.sum(axis=1)
        raised = np.where(np.arange(scores.shape[1]) < n_raised[:, None], scores, -np.inf)
        n_before = self.n_before.copy()
        n_before[near] = n_not_worse(raised, query, ordered.least[near])

        order = np.lexsort((self.columns, -scores), axis=1)
        return Standing(
            self.answers,
            ordered,
            n_before,
            np.take_along_axis(self.columns, order, 1),
            np.take_along_axis(scores, order, 1),
        )


def n_not_worse(scores: np.ndarray, query: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Count the scores of its query, n x m, that reach the number of each answer, (a,)."""
    n, m = scores.shape
    if np.array_equal(query, np.arange(n)):
        return _count(scores >= least[:, None])
    counts = np.zeros(len(query), np.int64)
    if len(query) <= FEW * n:
        for some in slices(0, len(query), max(n, 1)):
            counts[some] = _count(scores[query[some]] >= least[some, None])
        return counts
    ascending = np.sort(scores, axis=1)
    firsts = np.searchsorted(query, np.arange(n + 1))
    for row in range(n):
        mine = slice(firsts[row], firsts[row + 1])
        counts[mine] = m - np.searchsorted(ascending[row], least[mine])
    return counts


def _count(mask: np.ndarray) -> np.ndarray:
    """As np.count_nonzero of each row, which takes four times as long."""
    return np.bitwise_count(np.packbits(mask, axis=1)).sum(axis=1, dtype=np.int64)
