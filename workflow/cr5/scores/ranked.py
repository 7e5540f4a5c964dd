"""The ranks of the relevant documents of each query: all that metrics need."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Ranked:
    """The queries of one direction and the relevant documents found for them.

    Attributes:
        queries: ids.
        n_relevant: (queries,) relevant documents, found or not.
        n_candidates: (queries,).
        depth: the rank beyond which documents count as not found, inf if there is no bound.
        rank: queries x relevant documents found, rising; inf where a query has no more.
        grade: likewise; 0 where a query has no more.
    """

    queries: pd.Series
    n_relevant: np.ndarray
    n_candidates: np.ndarray
    depth: float
    rank: np.ndarray
    grade: np.ndarray

    @classmethod
    def of(cls, answers: pd.DataFrame, queries: pd.DataFrame) -> "Ranked":
        """Take them from the tables of `search.ranking.Found`."""
        row = pd.Index(queries["query"]).get_indexer(answers["query"])
        order = np.lexsort((answers["rank"], row))
        row = row[order]
        place = row, np.arange(len(row)) - np.searchsorted(row, row)
        shape = len(queries), place[1].max(initial=0) + 1
        rank, grade = np.full(shape, np.inf), np.zeros(shape)
        rank[place], grade[place] = (answers[x].to_numpy()[order] for x in ("rank", "grade"))
        n_relevant, n_candidates = (queries[x].to_numpy() for x in ("n_relevant", "n_candidates"))
        depth = queries["depth"].to_numpy(np.float64, na_value=np.inf)
        depth = depth[depth < n_candidates].min(initial=np.inf)
        return cls(queries["query"], n_relevant, n_candidates, depth, rank, grade)

    @property
    def best(self) -> np.ndarray:
        """(queries,) rank of the best relevant document, inf if none was found."""
        return self.rank[:, 0]

    @property
    def precision(self) -> np.ndarray:
        """Share of relevant documents among the candidates up to each, shaped as `rank`."""
        return np.arange(1, self.rank.shape[1] + 1) / self.rank

    def within(self, k: float, amount: np.ndarray | float = 1.0) -> np.ndarray:
        """(queries,) sum of an amount over the relevant documents among the k nearest."""
        return np.where(self.rank <= k, amount, 0.0).sum(axis=1)

    def gain(self, k: float) -> np.ndarray:
        """(queries,) discounted cumulative gain of the k nearest."""
        return self.within(k, self.grade / np.log2(1 + self.rank))

    def ideal_gain(self, k: float) -> np.ndarray:
        """(queries,) the largest possible `gain`; inf if no document is relevant."""
        best = np.broadcast_to(np.arange(1.0, self.rank.shape[1] + 1), self.rank.shape)
        ideal = replace(self, rank=best, grade=-np.sort(-self.grade, axis=1)).gain(k)
        return np.where(ideal > 0, ideal, np.inf)
