"""The ranks of the relevant documents of each query: all that metrics need."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from cr5.base.errors import UserError


@dataclass(frozen=True)
class Ranked:
    """The queries of one direction and the relevant documents found for them.

    Attributes:
        answers: query, rank, grade; a row per relevant document found.
        queries: query, n_relevant, n_candidates, depth (missing if unbounded); a row per query.
    """

    answers: pd.DataFrame
    queries: pd.DataFrame

    @property
    def n_relevant(self) -> np.ndarray:
        """(queries,) relevant documents, found or not."""
        return self.queries["n_relevant"].to_numpy()

    @property
    def n_candidates(self) -> np.ndarray:
        """(queries,)."""
        return self.queries["n_candidates"].to_numpy()

    @cached_property
    def depth(self) -> float:
        """The rank beyond which documents count as not found, inf if there is no bound."""
        depth = self.queries["depth"].to_numpy(np.float64, na_value=np.inf)
        return depth[depth < self.n_candidates].min(initial=np.inf)

    @cached_property
    def best(self) -> np.ndarray:
        """(queries,) rank of the best relevant document, inf if none was found."""
        best = np.full(len(self.queries), np.inf)
        place, rank, _ = self._relevant
        np.minimum.at(best, place, rank)
        return best

    def found(self, k: float) -> np.ndarray:
        """(queries,) relevant documents among the k nearest."""
        place, rank, _ = self._relevant
        return self._sums(place[rank <= k])

    def precisions(self, k: float) -> np.ndarray:
        """(queries,) sum of the precision at each relevant document among the k nearest."""
        place, rank, _ = self._relevant
        within = ~(rank > k)  # true for nan, which is then refused
        return self._sums(place[within], (_numbers(place) / rank)[within])

    def gain(self, k: float) -> np.ndarray:
        """(queries,) discounted cumulative gain of the k nearest."""
        return self._gains(*self._relevant, k)

    def ideal_gain(self, k: float) -> np.ndarray:
        """(queries,) the largest possible `gain`; inf if no document is relevant.

        Raises:
            UserError: a relevant document was not ranked, so its grade is unknown.
        """
        place, _, grade = self._relevant
        if (self._sums(place) != self.n_relevant).any():
            needed = "the rank of every relevant document"
            raise UserError(f"nDCG needs {needed}: give the task no depth")
        order = np.lexsort((-grade, place))
        ideal = self._gains(place[order], _numbers(place[order]), grade[order], k)
        return np.where(ideal > 0, ideal, np.inf)

    @cached_property
    def _relevant(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row of the query, rank and grade of relevant documents, by query and rank."""
        place = pd.Index(self.queries["query"]).get_indexer(self.answers["query"])
        rank, grade = (self.answers[x].to_numpy(np.float64) for x in ("rank", "grade"))
        order = np.lexsort((rank, place))
        return place[order], rank[order], grade[order]

    def _sums(self, place: np.ndarray, amounts: np.ndarray | None = None) -> np.ndarray:
        return np.bincount(place, amounts, len(self.queries))

    def _gains(self, place, rank, grade, k: float) -> np.ndarray:
        within = rank <= k
        return self._sums(place[within], grade[within] / np.log2(1 + rank[within]))


def _numbers(place: np.ndarray) -> np.ndarray:
    """Number the rows of each query from 1; `place` is sorted."""
    return np.arange(len(place)) - np.searchsorted(place, place) + 1.0
