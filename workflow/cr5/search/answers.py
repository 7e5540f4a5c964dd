"""The answers of queries, and how many other candidates rank before each."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Answers:
    """Relevant candidates, query by query.

    Attributes:
        query, candidate: (a,) row numbers; sorted by query, then by candidate.
        grade: (a,) float64, above zero.
        n_queries: number of queries; some may have no answer.
    """

    query: np.ndarray
    candidate: np.ndarray
    grade: np.ndarray
    n_queries: int

    @classmethod
    def of(cls, relevance: sparse.csr_matrix) -> "Answers":
        """All entries of queries x candidates."""
        relevance = relevance.tocsr().sorted_indices()
        query = np.repeat(np.arange(relevance.shape[0]), np.diff(relevance.indptr))
        grades = relevance.data.astype(np.float64)
        return cls(query, relevance.indices.astype(np.int64), grades, relevance.shape[0])

    @classmethod
    def among(cls, relevance: sparse.csr_matrix, columns: np.ndarray) -> "Answers":
        """Entries in the given candidates of each query (queries x k); others cost nothing."""
        n, k = columns.shape
        chosen = (np.ones(n * k, np.int8), columns.ravel(), np.arange(n + 1) * k)
        return cls.of(relevance.multiply(sparse.csr_matrix(chosen, relevance.shape)).tocsr())

    def select(self, kept: np.ndarray) -> "Answers":
        """Select answers by a mask."""
        parts = (x[kept] for x in (self.query, self.candidate, self.grade))
        return Answers(*parts, self.n_queries)

    def of_queries(self, start: int, end: int) -> slice:
        """The slice with the answers of queries `start` to `end`."""
        return slice(*np.searchsorted(self.query, [start, end]))

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


def in_block(answers: sparse.csc_matrix, first: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns, within a block, of the answers among n candidates from `first`.

    Args:
        answers: queries x all candidates, True at answers.
        first: number of the first candidate of the block.
        n: how many there are.
    """
    starts = answers.indptr[first : first + n + 1]
    rows = answers.indices[starts[0] : starts[-1]]
    return rows, np.repeat(np.arange(n), np.diff(starts))


class Counter:
    """Counts, block by block, non-answers that are not worse than an answer.

    Attributes:
        before: (a,) how many so far.
    """

    def __init__(self, query: np.ndarray, least: np.ndarray, n_queries: int):
        """Begin.

        Args:
            query: (a,) ascending, from 0.
            least: (a,) float32; candidates that reach it are not worse.
            n_queries: number of queries in the blocks.
        """
        self.before = np.zeros(len(query), np.int64)
        self._least = least
        # first answers of all queries, then second answers, ...
        place = np.arange(len(query)) - np.searchsorted(query, query)
        layers = (np.flatnonzero(place == k) for k in range(place.max(initial=-1) + 1))
        self._layers = [(layer, query[layer], len(layer) == n_queries) for layer in layers]

    def add(self, scores: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> None:
        """Process a block.

        Args:
            scores: queries x some candidates.
            rows: of the answers among them, see `in_block`.
            columns: likewise.
        """
        for layer, queries, is_all in self._layers:
            hits = (scores if is_all else scores[queries]) >= self._least[layer, None]
            if is_all:
                hits[rows, columns] = False
            else:
                mine = np.searchsorted(queries, rows).clip(max=len(queries) - 1)
                own = queries[mine] == rows
                hits[mine[own], columns[own]] = False
            self.before[layer] += hits.sum(axis=1, dtype=np.uint32)
