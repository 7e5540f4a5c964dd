"""Ranks of the answers among the candidates, by each measure.

The rank of an answer is one more than the number of candidates before it: non-answers whose score
is not lower, including ties within `measures.TIE`; and answers of the same query with a higher
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
from cr5.search.kernels import by_rows, one_blas_thread, pairwise
from cr5.search.measures import Measure, Space
from cr5.search.nearest import top
from cr5.search.options import NEAREST, SEARCH, SearchOptions
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
        """All entries of queries x candidates."""
        found = relevance.tocsr().sorted_indices().tocoo()
        return cls(*(x.astype(np.int64) for x in found.coords), found.data.astype(np.float64))

    def better(self, order: np.ndarray) -> np.ndarray:
        """How many answers of the same query come before each, by the numbers that order them."""
        places = np.lexsort((self.candidate, self.grade, -order, self.query))
        firsts = np.searchsorted(self.query, self.query)  # first answer of the same query
        return np.argsort(places) - firsts


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
    how: SearchOptions = SEARCH,
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
    space, found = Space(queries, candidates, neighbours, how, threads), {}
    for kernel in dict.fromkeys(measure.kernel for measure in measures):
        alike = [measure for measure in measures if measure.kernel == kernel]
        ranked = _of_kernel(space, Answers.of(relevance), kernel, alike, gain)
        found |= {each.measure: each for each in ranked}
    return [found[measure.name] for measure in measures]


def _check(queries: Rows, candidates: Rows, neighbours: Rows, measures: Sequence[Measure]) -> None:
    """Refuse bad rows: comparisons with nan are false, so nan would rank every answer first."""
    rows = {"queries": queries, "candidates": candidates}
    if neighbours is not queries and any(measure.corrects_hubs for measure in measures):
        rows["neighbours"] = neighbours
    for norm in sorted({measure.unit or "none" for measure in measures}):
        for whose, each in rows.items():
            check_norm(each, norm, whose)


def _of_kernel(
    space: Space, answers: Answers, kernel: str, measures: Sequence[Measure], gain: Gain | None
) -> Iterator[Ranking]:
    """Rank by measures of one kernel, of which each similarity is computed once."""
    queries, candidates, how = space.queries, space.candidates, space.how
    k = max(NEAREST, how.run_depth)
    known = (norms(queries, "l2") > 0)[answers.query]
    known &= (norms(candidates, "l2") > 0)[answers.candidate]
    ties = [measure.tie(queries, candidates) for measure in measures]
    with one_blas_thread():
        plain = pairwise(queries, answers.query, candidates, answers.candidate, kernel)
        corrections = [measure.correction and measure.correction(space) for measure in measures]
    values = [plain.copy() for _ in measures]
    for own, correct in zip(values, corrections, strict=True):
        if correct:
            correct(own, answers.query, answers.candidate)

    def see(rows: slice, scores: np.ndarray) -> list[tuple[np.ndarray, ...]]:
        mine = slice(*np.searchsorted(answers.query, (rows.start, rows.stop)))
        places = answers.query[mine] - rows.start, answers.candidate[mine]
        of = Answers(*places, answers.grade[mine])
        r = np.take_along_axis(scores, top(scores, how.csls_neighbours), 1)
        r, found = r.mean(axis=1, dtype=np.float64), []
        for measure, tie, correct, own in zip(measures, ties, corrections, values, strict=True):
            order = scores if measure is measures[-1] else scores.copy()
            if correct:
                correct(order, rows, slice(None))
            block = _Block(of, known[mine], tie, own[mine], order)
            if gain:
                block.raise_first(lambda x, y: gain(rows.start + x, y))
            columns, best = block.best(k)
            of_answers = measure.score(block.own, r[of.query]).astype(np.float32)
            best = measure.score(best, r[:, None]).astype(np.float32)
            found.append((block.rank, of_answers, columns, best))
        return found

    blocks = zip(*by_rows(queries, candidates, see, kernel, space.threads), strict=True)
    for measure, parts in zip(measures, blocks, strict=True):
        yield Ranking(measure.name, answers, *map(np.concatenate, zip(*parts, strict=True)))


@dataclass
class _Block:
    """Some queries by one measure."""

    answers: Answers
    known: np.ndarray  # of each answer whether neither it nor its query is all zeros
    tie: float
    own: np.ndarray  # ordering values of the answers, float64
    others: np.ndarray  # of all candidates, queries x m, float32

    def __post_init__(self) -> None:
        self.others[self.answers.query, self.answers.candidate] = -np.inf
        self._rank()

    def _rank(self) -> None:
        order = np.where(self.known, self.own, -np.inf)
        # candidates that reach it are not worse than the answer
        least = np.maximum((order - self.tie).astype(np.float32), LEAST)
        before = _not_worse(self.others, self.answers.query, least)
        self.rank = 1 + before + self.answers.better(order)

    def best(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Numbers and ordering values of the k best candidates, or all: answers at their ranks."""
        columns = top(self.others, k)
        near = np.flatnonzero(self.rank <= columns.shape[1])
        answer = np.full(columns.shape, -1)
        answer[self.answers.query[near], self.rank[near] - 1] = near
        is_other = answer < 0
        columns = np.take_along_axis(columns, is_other.cumsum(axis=1) - 1, 1)
        best = np.take_along_axis(self.others, columns, 1).astype(np.float64)
        columns[~is_other] = self.answers.candidate[answer[~is_other]]
        best[~is_other] = self.own[answer[~is_other]]
        return columns, best

    def raise_first(self, gain: Gain) -> None:
        """Add the gain of a second stage to the first candidates of each query."""
        columns, _ = self.best(word_matches.DEPTH)
        query = np.repeat(np.arange(len(columns)), columns.shape[1])
        added = gain(query, columns.ravel()).reshape(columns.shape)
        self.others[query, columns.ravel()] += added.ravel()
        near = self.rank <= columns.shape[1]
        self.own[near] += added[self.answers.query[near], self.rank[near] - 1]
        self._rank()


def _not_worse(scores: np.ndarray, query: np.ndarray, least: np.ndarray) -> np.ndarray:
    """How many scores of its query, n x m, reach the number of each answer, (a,)."""
    if len(query) <= FEW * len(scores):
        pairs = zip(query, least, strict=True)
        return np.array([np.count_nonzero(scores[x] >= y) for x, y in pairs], np.int64)
    found, ordered = np.zeros(len(query), np.int64), np.sort(scores, axis=1)
    for each in np.unique(query):
        mine = query == each
        found[mine] = scores.shape[1] - np.searchsorted(ordered[each], least[mine])
    return found
