"""What each metric is, by the names and with the meanings of ir-measures.

A name such as `nDCG@10` is a metric and its k. Ranks count ties against the query (see
`search.ranking`), so metrics need not know of them. Runs are planned by these names, so nothing
heavy is imported here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field, PositiveInt

from cr5.contracts.keys import Section, one_of

if TYPE_CHECKING:
    import numpy as np

    from cr5.scores.ranks import Ranked

ALL = "all"  # in tables, in place of both languages of a direction: all directions
NAME = re.compile(r"(?P<metric>[A-Za-z]+)(?:@(?P<k>[1-9]\d*))?")


@dataclass(frozen=True)
class Metric:
    """A metric, whatever its k, which is infinite if it is not given."""

    compute: "Callable[[Ranked, float], np.ndarray]"  # of ranks and k, a fraction for each query
    says: str  # what it is, for one query
    source: str  # who defined it, or which program computes the same
    needs_k: bool = False  # in its name; if not, it may have one


def _success(ranked: "Ranked", k: float) -> "np.ndarray":
    return ranked.best_rank <= k


def _precision(ranked: "Ranked", k: float) -> "np.ndarray":
    n_found = ranked.sum_within(k)
    return n_found / k


def _recall(ranked: "Ranked", k: float) -> "np.ndarray":
    n_found = ranked.sum_within(k)
    return n_found / ranked.n_relevant.clip(1)


def _reciprocal_rank(ranked: "Ranked", k: float) -> "np.ndarray":
    is_found = ranked.best_rank <= k
    return is_found / ranked.best_rank


def _average_precision(ranked: "Ranked", k: float) -> "np.ndarray":
    sum_of_precisions = ranked.sum_within(k, ranked.precision)
    return sum_of_precisions / ranked.n_relevant.clip(1)


def _ndcg(ranked: "Ranked", k: float) -> "np.ndarray":
    return ranked.gain(k) / ranked.ideal_gain(k)


METRICS = {
    "Success": Metric(
        _success,
        "1 if a relevant document is among the k nearest candidates, else 0; the Cr5 paper's "
        "P@k, as one document suffices there",
        "trec_eval `success`",
        needs_k=True,
    ),
    "P": Metric(
        _precision,
        "share of relevant documents among the k nearest; of fewer than k candidates, the rest "
        "count as not relevant",
        "trec_eval `P`",
        needs_k=True,
    ),
    "R": Metric(
        _recall,
        "share of the relevant documents that are among the k nearest",
        "trec_eval `recall`",
        needs_k=True,
    ),
    "RR": Metric(
        _reciprocal_rank,
        "reciprocal rank: 1 / rank of the best relevant document, 0 if none was found (among "
        "the k nearest); its mean is called MRR",
        "trec_eval `recip_rank`",
    ),
    "AP": Metric(
        _average_precision,
        "average precision: over the relevant documents, the mean share of relevant ones among "
        "the candidates up to each, 0 for those not found (among the k nearest); its mean is "
        "called MAP",
        "trec_eval `map`, `map_cut`",
    ),
    "nDCG": Metric(
        _ndcg,
        "sum of grade / log2(1 + rank) over the relevant documents (among the k nearest), "
        "divided by the largest that is possible",
        "Järvelin and Kekäläinen (2002); trec_eval `ndcg`, `ndcg_cut`",
    ),
}


def _forms() -> list[str]:
    forms = []
    for name, metric in METRICS.items():
        if metric.needs_k:
            name += "@k"
        forms.append(name)
    return forms


KNOWN = ", ".join(_forms())


def _parsed(name: str) -> tuple[Metric, float]:
    """Return the metric that a name such as `nDCG@10` is of, and its k; ValueError."""
    match = NAME.fullmatch(name)
    metric = match and METRICS.get(match["metric"])
    k = match and match["k"]
    if metric is None or (metric.needs_k and not k):
        raise ValueError(f"{name!r}: expected one of {KNOWN}; any may have a k, as in RR@10")
    if not k:
        return metric, inf
    return metric, int(k)


def _is_known(name: str) -> str:
    _parsed(name)
    return name


Name = Annotated[str, AfterValidator(_is_known)]
Metrics = Annotated[list[Name], Field(min_length=1)]


class ScoreOptions(Section):
    """By what ranks are scored, and how far curves go."""

    curve: PositiveInt = 100
    """Largest k of the figures."""
    metrics: dict[Annotated[str, one_of("tasks")], Metrics] = Field(default_factory=dict)
    """Of a task, in place of those it comes with, such as `{ad_hoc: [nDCG@20, R@1000]}`."""


def values(ranked: "Ranked", name: str) -> "np.ndarray":
    """Compute a metric for each query, (queries,), fractions."""
    metric, k = _parsed(name)
    fractions = metric.compute(ranked, k)
    fractions = fractions.astype(float)
    return fractions.clip(max=1)  # sums in another order may be above
