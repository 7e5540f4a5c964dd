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

    def by_column(self, rows: slice) -> tuple[np.ndarray, np.ndarray]:
        """Rows, from 0, and candidates of the answers of some queries; ascending candidates."""
        mine = self.of_queries(rows.start, rows.stop)
        order = np.argsort(self.candidate[mine], kind="stable")
        return self.query[mine][order] - rows.start, self.candidate[mine][order]

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
        self._layers = [(layer, query[layer], np.full(n_queries, -1)) for layer in layers]
        for layer, queries, at in self._layers:
            at[queries] = np.arange(len(layer))

    def add(self, scores: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> None:
        """Process a block.

        Args:
            scores: queries x some candidates.
            rows: of the answers among them.
            columns: likewise.
        """
        for layer, queries, at in self._layers:
            mine = scores if len(queries) == len(scores) else scores[queries]
            hits = mine >= self._least[layer, None]
            own = at[rows] >= 0
            hits[at[rows[own]], columns[own]] = False
            self.before[layer] += hits.sum(axis=1, dtype=np.uint32)
