"""Validation: how well a model ranks, and the choice among the fits of a grid by it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.base.parts import Task as TaskPart
from cr5.counts.bags import Bags
from cr5.fitting.options import FOUND_NOTHING
from cr5.models.contract import Model
from cr5.scores.ranking import rank_all
from cr5.splits.draw import Draw
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Named, Search
from cr5.tasks.documents import Documents

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet

AT_EDGE = "is at the edge of the grid"
RERANK = "rerank"


class Criterion(NamedTuple):
    """A score of the ranks of a directed pair's validation queries: the larger the better."""

    name: str
    title: str  # in figures
    of_ranks: Callable[[np.ndarray], float]  # of best answers, from 1; inf where none was found


def _minus_inverse(ranks: np.ndarray) -> float:
    """As Josifoski et al.'s code, which takes the mean of 1 / MRR, of which less is better."""
    mrr = (1 / ranks).mean()
    return float(-1 / mrr) if mrr else -math.inf


CRITERIA = {
    "mrr": Criterion("mrr", "MRR", lambda ranks: float((1 / ranks).mean())),
    "p@1": Criterion("p@1", "P@1", lambda ranks: float((ranks <= 1).mean())),
    "authors": Criterion("authors", "minus the mean of 1 / MRR", _minus_inverse),
}
MRR = CRITERIA["mrr"]


class Score(float):
    """A model's score by a criterion: the mean over directed pairs."""

    sizes: Sequence[tuple[int, int]] = ()  # of each pair the numbers of queries and of candidates


@dataclass(frozen=True)
class Task:
    """The task by whose searches fits are validated; with what its files have, as in `Data`."""

    part: TaskPart = field(default_factory=Documents)
    texts: Named = field(default_factory=dict)
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)


DOCUMENTS = Task()


def validation(
    bags: Mapping[str, Bags],
    drawn: Draw,
    languages: Sequence[str],
    threads: int = 1,
    criterion: Criterion = MRR,
    pairs: Collection[Pair] | None = None,
    task: Task = DOCUMENTS,
) -> Callable[[Model], Score]:
    """Make the score by which systems choose hyperparameters.

    It is a model's criterion of the validation queries by the model's first measure, averaged over
    the directions of the pairs that the setting searches; None for all. A query with several
    answers counts by its best one.
    """
    waiting, searches = [bags], list[Search]()  # bags may have more words than models

    def score(model: Model) -> Score:
        model.check()  # values that are not finite have no rank
        if waiting:  # at the first call: all fits of a system have the same words
            given = {"texts": task.texts, "tables": task.tables, "drawn": drawn, "pairs": pairs}
            data = Data.of_model(model, waiting.pop().items(), **given)
            searches.extend(task.part.searches(data, languages, "validation"))
        scores, sizes = [], []
        for found in rank_all(searches, model, model.measures[:1], threads=threads):
            best = found.answers.groupby("query")["rank"].min().reindex(found.queries["query"])
            scores.append(criterion.of_ranks(best.fillna(np.inf).to_numpy()))
            sizes.append((len(found.queries), found.queries["n_candidates"].max()))
        if not scores:
            raise LeftOutError(
                f"no validation query for {', '.join(languages)}: raise "
                "splits.max_share.validation, or give every option one value"
            )
        mean = Score(np.mean(scores))
        mean.sizes = sizes
        return mean

    return score


def at_chance(score: float, criterion: Criterion) -> list[str]:
    """Return a warning if a model finds no more than the best of a hundred random orders.

    Of so few queries or candidates that one of these finds everything, nothing can be said.
    """
    sizes = getattr(score, "sizes", ())
    if not sizes:
        return []
    generator = np.random.default_rng(0)
    orders = [
        np.mean([criterion.of_ranks(generator.integers(1, n + 1, size)) for size, n in sizes])
        for _ in range(100)
    ]
    chance = max(orders)
    all_found = criterion.of_ranks(np.ones(1))
    if score > chance or chance >= all_found:
        return []
    return [
        f"this fit {FOUND_NOTHING}: {criterion.title} {score:.4f} on validation queries, where the "
        f"best of a hundred random orders has {chance:.4f}. Are texts of one concept about the "
        "same thing, each under its own language, and enough of them?"
    ]


def best(training: TrainingSet, fits: Iterable[Fit]) -> Fit:
    """Keep the fit that ranks the validation queries best, the first of equal ones.

    Each is made when it is asked for; a single one is not validated. UserError: there is none, or
    none has a score.
    """
    selection = Selection(training)
    selection.add_each(fits)
    return selection.result()


def added(fitted: Fit, kept: Fit, validated: str) -> Fit:
    """Add to a fit the choice of one thing more; the report has its validation as `validated`."""
    report = fitted.report | kept.chosen
    if "validation" in kept.report:
        report[validated] = kept.report["validation"]
    warnings = [*fitted.report.get("warnings", []), *kept.report.get("warnings", [])]
    report["warnings"] = list(dict.fromkeys(warnings))
    return replace(kept, report=report, chosen=fitted.chosen | kept.chosen)


def with_second_stage(training: TrainingSet, fitted: Fit, weights: Sequence[float]) -> Fit:
    """Choose the weight of a search's second stage; UserError if the model has no word vectors."""
    language, words = next(iter(fitted.model.words.items()))
    fitted.model.matched(sparse.csr_matrix((1, len(words))), language)  # if it can
    selection = Selection(training)
    for weight in sorted({float(weight) for weight in weights}):
        model = replace(fitted.model, rerank=weight)
        selection.add(replace(fitted, model=model, report={}, chosen={RERANK: weight}))
        if selection.checks_without_gain():
            break  # matches take long, and validation falls steadily once it falls
    return added(fitted, selection.result(), f"{RERANK}_validation")


class Selection:
    """The fits tried so far, and the best of them, the first of equals, as `training` validates."""

    def __init__(self, training: TrainingSet) -> None:
        # of each validated fit the chosen values and the score, None if it is not finite
        self.tried: list[dict[str, Any]] = []
        self._training, self._criterion = training, training.criterion
        self._waiting: list[Fit] = []  # the first one, for a second: a single one is not validated
        self._kept: tuple[Fit, float, int] | None = None

    def add(self, fitted: Fit) -> None:
        """Validate one more fit, with its `chosen` values, and keep it if it is the best."""
        self._waiting.append(fitted)
        del fitted
        while self._waiting and (self.tried or len(self._waiting) > 1):
            self._compare(self._waiting.pop(0))

    def add_each(self, fits: Iterable[Fit]) -> None:
        """Add fits, holding at most two models at a time."""
        for fitted in fits:
            self.add(fitted)
            del fitted  # the next one is made now

    def grid(
        self, name: str, values: Sequence[float], low: float = 0.0, high: float = math.inf
    ) -> Iterator[float]:
        """Yield an option's values, all above 0; then some beyond while the best is at an edge.

        Whoever iterates adds the fits of a value before taking the next one. Values beyond go on by
        the factor of the last step, with three digits, as in hand-written grids; at most
        `training.extend` of them, within the bounds.
        """
        yield from values
        tried = sorted(set(values))
        for _ in range(self._training.extend if len(tried) > 1 else 0):
            leading = self.leading(name)
            neighbour = {tried[0]: tried[1], tried[-1]: tried[-2]}.get(leading)
            value = float(f"{leading * (leading / neighbour):.3g}") if neighbour else 0.0
            if not (value and low <= value <= high):
                return
            yield value
            tried = sorted([*tried, value])

    def leading(self, name: str) -> Any:
        """Return the chosen value of the best fit; None if all score the same."""
        return None if self._kept is None or self._are_alike else self._kept[0].chosen[name]

    def checks_without_gain(self, **run: Any) -> int:
        """Count the last fits, of those with these chosen values, no better than one before."""
        scores = [x[self._criterion.name] for x in self.tried if run.items() <= x.items()]
        ranked = [-math.inf if x is None else x for x in scores]
        return len(ranked) - 1 - ranked.index(max(ranked)) if ranked else 0

    def result(self) -> Fit:
        """Return the best fit, whose report has the `validation` of all, and warnings."""
        if self._waiting:
            [only] = self._waiting
            return replace(only, report={**only.chosen, **only.report})
        if self._kept is None:
            raise UserError(
                "validation gave no score for any of the options tried: is there a value of each, "
                "and are there validation queries? Give some"
            )
        kept, score, number = self._kept
        warnings = [*kept.report.get("warnings", [])]
        if self._are_alike:
            n = len(self.tried)
            warnings += [f"all {n} fits of the grid score {score:.4g}: validation tells nothing"]
        else:
            warnings += [
                f"the best {x}, {value:g}, {AT_EDGE}"
                for x, value in kept.chosen.items()
                if value and value in _edges([entry[x] for entry in self.tried])
            ]  # nothing is below 0
        found = {"criterion": self._criterion.name, "validation": self.tried, "kept": number}
        found["warnings"] = [*warnings, *at_chance(score, self._criterion)]
        return replace(kept, report={**kept.chosen, **kept.report, **found})

    def _compare(self, fitted: Fit) -> None:
        score = self._training.validate(fitted.model)
        finite = float(score) if math.isfinite(score) else None
        self.tried.append({**fitted.chosen, self._criterion.name: finite})
        if not math.isnan(score) and (self._kept is None or score > self._kept[1]):
            self._kept = fitted, score, len(self.tried) - 1

    @property
    def _are_alike(self) -> bool:
        return len({entry[self._criterion.name] for entry in self.tried}) == 1


def _edges(values: Sequence[Any]) -> tuple[float, ...]:
    """The smallest and the largest of several numbers; none of anything else."""
    several = len(set(values)) > 1 and all(type(x) in (int, float) for x in values)
    return (min(values), max(values)) if several else ()
