"""Ranks of the true counterparts among the candidates, by cosine and by CSLS."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.rows import Rows
from cr5.search import similarity
from cr5.search.options import SearchOptions
from cr5.search.similarity import Blocks, Nearest, mean_top_k, over_blocks

SIMILARITIES = ("cosine", "csls")
NEAREST = 10
TIE = 1e-6
"""Scores this close are ties: equal cosines may differ by 2e-7 in float32, CSLS by 4e-7."""


@dataclass(frozen=True)
class Space:
    """The embedded documents of one language that take part in a search.

    Attributes:
        concepts: of the rows; no concept twice.
        rows: documents x r, unit rows, float32.
    """

    concepts: pd.Index
    rows: Rows

    def select(self, concepts: pd.Index) -> "Space":
        """Return the rows of some concepts, in their order; KeyError for an unknown one."""
        found = self.concepts.get_indexer(concepts)
        if (found < 0).any():
            raise KeyError(list(concepts[found < 0][:5]))
        return Space(concepts, self.rows[found])


def ranks(
    queries: Space,
    candidates: Space,
    neighbours: Space,
    csls_neighbours: int = SearchOptions.csls_neighbours,
    threads: int = 1,
) -> pd.DataFrame:
    """Rank all candidates for each query.

    CSLS(x, y) = 2 cos(x, y) - r(x) - r(y) (Conneau et al. 2018, Eq. 3): r(x) is the mean cosine
    of a query with its k nearest candidates, r(y) that of a candidate with its k nearest
    `neighbours`. Ties, within `TIE`, count against the query.

    Args:
        queries: of the query language.
        candidates: of the target language; has every concept of the queries.
        neighbours: of the query language: all its candidates, or the queries only.
        csls_neighbours: k of CSLS.
        threads: blocks worked on at the same time; changes no result.

    Returns:
        One row per similarity and query: similarity, concept, rank (1 is best), score of the
        true counterpart, nearest (concepts of the `NEAREST` best candidates, best first) and
        n_candidates.

    Raises:
        KeyError: a query has no counterpart among the candidates.
    """
    true = candidates.concepts.get_indexer(queries.concepts)
    if (true < 0).any():
        raise KeyError(list(queries.concepts[true < 0][:5]))
    own = _own_cosines(queries.rows, candidates.rows[true])
    of_candidates = mean_top_k(candidates.rows, neighbours.rows, csls_neighbours, threads)
    n_candidates = len(candidates.concepts)

    def use(start: int, blocks: Blocks) -> list[tuple]:
        mine = slice(start, start + similarity.ROWS)
        # r(x) is the same for all candidates of a query and 2 is a scale: for the order of the
        # candidates cos(x, y) - r(y) / 2 will do.
        penalty = of_candidates[true[mine]]
        by_cosine = _Search(own[mine], TIE, max(NEAREST, csls_neighbours), n_candidates)
        by_csls = _Search(own[mine] - penalty / 2, TIE / 2, NEAREST, n_candidates)
        for first, scores in blocks:
            by_cosine.add(scores, first)
            scores -= of_candidates[first : first + scores.shape[1]] / 2
            by_csls.add(scores, first)
        r_query = by_cosine.nearest.scores[:, :csls_neighbours].mean(axis=1, dtype=np.float64)
        csls = 2 * own[mine] - r_query - penalty
        return [by_cosine.result(own[mine]), by_csls.result(csls)]

    blocks = over_blocks(queries.rows, candidates.rows, use, threads)
    frames = [
        _frame(name, [block[i] for block in blocks], queries.concepts, candidates.concepts)
        for i, name in enumerate(SIMILARITIES)
    ]
    return pd.concat(frames, ignore_index=True)


def _own_cosines(queries: Rows, true: Rows) -> np.ndarray:
    """Cosine of each query with its true counterpart, float64."""
    if sparse.issparse(queries):
        return np.asarray(queries.astype(np.float64).multiply(true).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", queries, true, dtype=np.float64)


class _Search:
    """Counts the candidates that are not worse than the true one, and keeps the best."""

    def __init__(self, own: np.ndarray, tie: float, k: int, n_candidates: int):
        self.least = (own - tie).astype(np.float32)[:, None]
        self.rank = np.zeros(len(own), np.int64)
        self.nearest = Nearest(len(own), min(k, n_candidates))

    def add(self, scores: np.ndarray, first: int) -> None:
        """Take in the scores of the candidates from number `first` on, queries x candidates."""
        self.rank += [np.count_nonzero(row) for row in scores >= self.least]
        self.nearest.add(scores, first)

    def result(self, own: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.rank, own.astype(np.float32), self.nearest.columns[:, :NEAREST]


def _frame(similarity: str, blocks, queries: pd.Index, candidates: pd.Index) -> pd.DataFrame:
    rank, own, best = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    names = candidates.to_numpy()
    return pd.DataFrame(
        {
            "similarity": similarity,
            "concept": queries,
            "rank": rank,
            "score": own,
            "nearest": [names[row].tolist() for row in best],
            "n_candidates": len(candidates),
        }
    )
