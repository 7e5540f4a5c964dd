"""From ranks to metrics, query by query. Nothing else computes them.

P@k      1 if an answer is among the k nearest candidates, else 0
MRR      1 / rank of the best answer, 0 if none was found
MAP      mean over the answers of the share of answers among the candidates up to it
nDCG@k   sum of grade / log2(1 + rank) over the k nearest, divided by the largest possible sum

A search with a depth ranks no answer beyond it. Metrics that need such ranks are refused.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from cr5.base.errors import UserError

KNOWN = re.compile(r"(P|nDCG)@([1-9]\d*)|(MRR|MAP)")
ROUNDING = 1e-9  # the same gains summed in another order


@dataclass(frozen=True)
class Ranked:
    """The queries of one direction and the answers found for them.

    Attributes:
        answers: query, rank, grade; a row per answer found.
        queries: query, n_relevant, n_candidates, depth (missing if unbounded); a row per query.
    """

    answers: pd.DataFrame
    queries: pd.DataFrame
    _known: dict[str, np.ndarray] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _place(self) -> np.ndarray:
        """(answers,) row of each answer's query."""
        return pd.Index(self.queries["query"]).get_indexer(self.answers["query"])

    @cached_property
    def _rank(self) -> np.ndarray:
        return self.answers["rank"].to_numpy(np.float64)

    @cached_property
    def best(self) -> np.ndarray:
        """(queries,) rank of the best answer, inf if none was found."""
        best = np.full(len(self.queries), np.inf)
        np.minimum.at(best, self._place, self._rank)
        return best

    @cached_property
    def depth(self) -> float:
        """The rank beyond which answers count as not found, inf if there is no bound."""
        depth = self.queries["depth"].to_numpy(np.float64, na_value=np.inf)
        return depth[depth < self.queries["n_candidates"].to_numpy()].min(initial=np.inf)

    def hits(self, ks: np.ndarray) -> np.ndarray:
        """Queries x ks: 1 if an answer is among the k nearest."""
        return (self.best[:, None] <= ks).astype(np.float64)

    def average_precision(self) -> np.ndarray:
        """(queries,)."""
        order = np.lexsort((self._rank, self._place))
        place, rank = self._place[order], self._rank[order]
        nth = np.arange(len(place)) - np.searchsorted(place, place) + 1
        n_relevant = self.queries["n_relevant"].to_numpy()
        sums = np.bincount(place, nth / rank, len(n_relevant))
        return sums / np.maximum(n_relevant, 1)

    def ndcg(self, k: int) -> np.ndarray:
        """(queries,)."""
        n = len(self.queries)
        found = np.bincount(self._place, minlength=n)
        if (found != self.queries["n_relevant"]).any():
            raise UserError("nDCG needs the rank of every answer: give the task no depth")
        grade = self.answers["grade"].to_numpy(np.float64)
        order = np.lexsort((-grade, self._place))  # the ideal order: by descending grade
        place = self._place[order]
        ideal_rank = np.arange(len(place)) - np.searchsorted(place, place) + 1.0
        ideal = _gains(place, ideal_rank, grade[order], k, n)
        gained = _gains(self._place, self._rank, grade, k, n)
        return np.divide(gained, ideal, out=np.zeros(n), where=ideal > 0)

    def values(self, metric: str) -> np.ndarray:
        """A metric's value for each query, (queries,); computed once.

        Raises:
            UserError: no metric has that name, it needs ranks beyond the depth, or a value is not a
                fraction.
        """
        if metric not in self._known:
            self._known[metric] = _fractions(metric, self._values(metric))
        return self._known[metric]

    def _values(self, metric: str) -> np.ndarray:
        found = KNOWN.fullmatch(metric)
        if not found:
            raise UserError(f"{metric!r} is no metric; there are P@k, nDCG@k, MRR and MAP")
        name, k = found[1] or found[3], int(found[2] or 0)
        self._check_depth(metric, k)
        if name == "P":
            return self.hits(np.array([k]))[:, 0]
        if name == "nDCG":
            return self.ndcg(k)
        return 1 / self.best if name == "MRR" else self.average_precision()

    def _check_depth(self, metric: str, k: int) -> None:
        if (k or np.inf) > self.depth:
            raise UserError(
                f"{metric} needs ranks beyond {self.depth:.0f}, the depth of the search: ask for "
                f"P@k with k up to {self.depth:.0f}, or give the task no depth"
            )

    def chance(self, ks: np.ndarray) -> np.ndarray:
        """(ks,) expected `hits` for candidates in random order."""
        n = self.queries["n_candidates"].to_numpy(np.float64)[:, None]
        m = self.queries["n_relevant"].to_numpy(np.float64)[:, None]
        before = np.arange(ks.max(initial=0))
        missed = np.clip((n - m - before) / np.maximum(n - before, 1), 0, 1)
        missed = np.where(before < n, missed, 1)  # no candidates left
        return 1 - np.cumprod(missed, axis=1).mean(axis=0)[ks - 1]


def _fractions(metric: str, values: np.ndarray) -> np.ndarray:
    """Refuse values outside [0, 1], which indicate an earlier error."""
    good = (values >= 0) & (values <= 1 + ROUNDING)  # False for nan
    if not (len(values) and good.all()):
        found = values[~good][0] if len(values) else "no query"
        raise UserError(
            f"{metric}: expected a fraction from 0 to 1 for each query, found {found}; remove the "
            "ranks and rank again"
        )
    return np.minimum(values, 1.0)


def _gains(place, rank, grade, k: int, n: int) -> np.ndarray:
    counted = rank <= k
    return np.bincount(place[counted], grade[counted] / np.log2(1 + rank[counted]), n)
