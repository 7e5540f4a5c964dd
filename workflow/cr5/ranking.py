"""Ranks of the true counterparts among the candidates, by cosine and by CSLS."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cr5.similarity import Rows, mean_top_k, over_blocks

SIMILARITIES = ("cosine", "csls")
NEAREST = 10
TIE = 1e-6
"""Scores this close are ties: float32 cosines of equal documents differ by about 1e-7."""


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
    csls_neighbours: int = 10,
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
    of_candidates = mean_top_k(candidates.rows, neighbours.rows, csls_neighbours, threads)
    k = min(csls_neighbours, len(candidates.concepts))

    def use(start: int, cosines: np.ndarray) -> list[tuple]:
        truth = true[start : start + len(cosines)]
        top = np.sort(np.partition(cosines, -k, axis=1)[:, -k:], axis=1)
        of_queries = top.astype(np.float64).mean(axis=1).astype(np.float32)
        csls = 2 * cosines - of_queries[:, None] - of_candidates[None, :]
        return [_ranked(cosines, truth), _ranked(csls, truth)]

    blocks = list(over_blocks(queries.rows, candidates.rows, use, threads))
    frames = [
        _frame(name, [block[i] for block in blocks], queries.concepts, candidates.concepts)
        for i, name in enumerate(SIMILARITIES)
    ]
    return pd.concat(frames, ignore_index=True)


def _ranked(scores: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rank and score of the true candidate of each row, and the best candidates."""
    own = scores[np.arange(len(scores)), truth]
    rank = (scores >= (own - TIE)[:, None]).sum(axis=1)
    n = min(NEAREST, scores.shape[1])
    best = np.argpartition(-scores, n - 1, axis=1)[:, :n]
    by_score = np.lexsort((best, -np.take_along_axis(scores, best, axis=1)), axis=1)
    return rank, own, np.take_along_axis(best, by_score, axis=1)


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
