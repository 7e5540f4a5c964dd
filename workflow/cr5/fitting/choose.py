"""Validation: how well a model ranks, and the choice among the fits of a grid by it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.contracts.model import Model
from cr5.contracts.task import Task as TaskPart
from cr5.contracts.training import MRR, Criterion, QueryRanks, SearchSize, Validation
from cr5.counts.bags import Bags
from cr5.fitting.alike import are_alike
from cr5.fitting.options import FOUND_NOTHING
from cr5.scores.ranking import best_ranks, each_ranking
from cr5.splits.draw import Draw
from cr5.splits.options import Pair
from cr5.tasks.base import Data, NamedTexts, Search
from cr5.tasks.documents import Documents

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet

AT_EDGE = "is at the edge of the grid"
ALIKE = "validation cannot tell the options tried apart"
N_RANDOM_ORDERS = 100  # the best of which is what chance finds
RERANK = "rerank"


@dataclass(frozen=True)
class Task:
    """The task by whose searches fits are validated; with what its files have, as in `Data`."""

    part: TaskPart = field(default_factory=Documents)
    texts: NamedTexts = field(default_factory=dict)
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)


DOCUMENTS = Task()


@dataclass
class Validator:
    """Validates models: the score by which systems choose hyperparameters.

    It is a model's criterion of the validation queries by the model's first measure, averaged over
    the directions of the `pairs` that the setting searches; None for all. A query with several
    answers counts by its best one. All models have the same words: those of a system's fits.
    """

    bags: Mapping[str, Bags] | None  # None once there are searches: it may have more words
    drawn: Draw
    languages: Sequence[str]
    threads: int = 1
    criterion: Criterion = MRR
    pairs: Collection[Pair] | None = None
    task: Task = DOCUMENTS
    searches: list[Search] = field(default_factory=list, init=False)

    def __call__(self, model: Model) -> Validation:
        """Validate a model; LeftOutError if there is no validation query."""
        model.check()  # values that are not finite have no rank
        if self.bags is not None:
            self.searches = self._searches_of(model, self.bags)
            self.bags = None
        scores = []
        sizes = []
        all_ranks = []
        first_measure = model.measures[:1]
        rankings = each_ranking(self.searches, model, first_measure, threads=self.threads)
        for search, ranking in rankings:
            ranks = best_ranks(search, ranking)
            scores.append(self.criterion.of_ranks(ranks))
            sizes.append(SearchSize(len(ranks), len(search.candidates.ids)))
            all_ranks.append(QueryRanks(search.queries.ids.to_numpy(), ranks))
        if not scores:
            raise LeftOutError(
                f"no validation query for {', '.join(self.languages)}: raise "
                "splits.max_share.validation, or give every option one value"
            )
        return Validation(float(np.mean(scores)), sizes, all_ranks)

    def _searches_of(self, model: Model, bags: Mapping[str, Bags]) -> list[Search]:
        data = Data.of_model(
            model,
            bags.items(),
            texts=self.task.texts,
            tables=self.task.tables,
            drawn=self.drawn,
            pairs=self.pairs,
        )
        return list(self.task.part.searches(data, self.languages, "validation"))


def at_chance(validation: Validation, criterion: Criterion) -> list[str]:
    """Return a warning if a model finds no more than the best of a hundred random orders.

    Of so few queries or candidates that one of these finds everything, nothing can be said.
    """
    if not validation.sizes:
        return []
    generator = np.random.default_rng(0)
    chance = max(
        _score_of_random_order(validation.sizes, criterion, generator)
        for _ in range(N_RANDOM_ORDERS)
    )
    all_found = criterion.of_ranks(np.ones(1))
    if validation.score > chance or chance >= all_found:
        return []
    return [
        f"this fit {FOUND_NOTHING}: {criterion.title} {validation.score:.4f} on validation "
        f"queries, where the best of a hundred random orders has {chance:.4f}. Are texts of one "
        "concept about the same thing, each under its own language, and enough of them?"
    ]


def _score_of_random_order(
    sizes: Sequence[SearchSize], criterion: Criterion, generator: np.random.Generator
) -> float:
    """Return the mean criterion of searches whose answers have any rank, all equally likely."""
    scores = []
    for size in sizes:
        ranks = generator.integers(1, size.n_candidates + 1, size.n_queries)
        scores.append(criterion.of_ranks(ranks))
    return np.mean(scores)


def best(training: TrainingSet, fits: Iterable[Fit]) -> Fit:
    """Keep the fit that ranks the validation queries best, the first of equal ones.

    Each is made when it is asked for; a single one is not validated. UserError: there is none, or
    none has a score.
    """
    selection = Selection(training)
    selection.add_each(fits)
    return selection.result()


def added(fitted: Fit, choice: Fit, validated: str) -> Fit:
    """Add to a fit the choice of one thing more; the report has its validation as `validated`."""
    report = fitted.report | choice.chosen
    if "validation" in choice.report:
        report[validated] = choice.report["validation"]
    warnings = list(fitted.report.get("warnings", []))
    for warning in choice.report.get("warnings", []):
        is_told = any(ALIKE in told and ALIKE in warning for told in warnings)
        if warning not in warnings and not is_told:
            warnings.append(warning)
    report["warnings"] = warnings
    return replace(choice, report=report, chosen=fitted.chosen | choice.chosen)


def without_edges(fitted: Fit) -> Fit:
    """Leave out the warnings that what was chosen is at the edge of a grid."""
    warnings = fitted.report.get("warnings", [])
    useful = [warning for warning in warnings if not warning.endswith(AT_EDGE)]
    return replace(fitted, report=fitted.report | {"warnings": useful})


def with_second_stage(training: TrainingSet, fitted: Fit, weights: Sequence[float]) -> Fit:
    """Choose the weight of a search's second stage; UserError if the model has no word vectors."""
    language, words = next(iter(fitted.model.words.items()))
    no_words = sparse.csr_matrix((1, len(words)))
    fitted.model.matched(no_words, language)  # if it can
    selection = Selection(training)
    ascending_weights = sorted({float(weight) for weight in weights})
    for weight in ascending_weights:
        model = replace(fitted.model, rerank=weight)
        candidate = replace(fitted, model=model, report={}, chosen={RERANK: weight})
        selection.add(candidate)
        if selection.checks_without_gain():
            break  # matches take long, and validation falls steadily once it falls
    return added(fitted, selection.result(), f"{RERANK}_validation")


@dataclass(frozen=True)
class BestFit:
    """The best fit so far, its validation, and its number among those that were tried."""

    fit: Fit
    validation: Validation
    number: int


class Selection:
    """The fits tried so far, and the best of them, the first of equals, as `training` validates.

    With `prefers_first` a fit must be better than the best so far by more than chance, see `alike`.

    Attributes:
        tried: of each validated fit the chosen values, and the score by the name of the criterion;
            None for one that is not finite.
    """

    def __init__(self, training: TrainingSet, prefers_first: bool = False) -> None:
        """Begin with none."""
        self.tried: list[dict[str, Any]] = []
        self._prefers_first = prefers_first
        self._training = training
        self._criterion = training.criterion
        self._single: Fit | None = None  # the first fit, until there is a second
        self._best: BestFit | None = None

    def add(self, fitted: Fit) -> None:
        """Validate one more fit, with its `chosen` values, and keep it if it is the best.

        The first one waits for a second: a single one is not validated.
        """
        if self._single is None and not self.tried:
            self._single = fitted
            return
        if self._single is not None:
            self._compare(self._single)
            self._single = None
        self._compare(fitted)

    def add_each(self, fits: Iterable[Fit]) -> None:
        """Add fits, holding at most two models at a time."""
        iterator = iter(fits)
        while self._add_next(iterator):
            pass

    def _add_next(self, fits: Iterator[Fit]) -> bool:
        """Add the next fit, to which no name refers while another is made; False at the end."""
        fitted = next(fits, None)
        if fitted is None:
            return False
        self.add(fitted)
        return True

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
        if len(tried) < 2:
            return
        for _ in range(self._training.extend):
            value = _next_beyond(tried, self.leading(name))
            if value is None or not low <= value <= high:
                return
            yield value
            tried.append(value)
            tried.sort()

    def leading(self, name: str) -> Any:
        """Return the chosen value of the best fit; None if all score the same."""
        if self._best is None or self._are_alike:
            return None
        return self._best.fit.chosen[name]

    def checks_without_gain(self, **chosen: Any) -> int:
        """Count the last fits, of those with these chosen values, no better than one before."""
        scores = []
        for entry in self.tried:
            if chosen.items() <= entry.items():
                score = entry[self._criterion.name]
                scores.append(-math.inf if score is None else score)
        if not scores:
            return 0
        return len(scores) - 1 - scores.index(max(scores))

    def result(self) -> Fit:
        """Return the best fit, whose report has the `validation` of all, and warnings."""
        if self._single is not None:
            return replace(self._single, report=self._single.chosen | self._single.report)
        if self._best is None:
            raise UserError(
                "validation gave no score for any of the options tried: is there a value of each, "
                "and are there validation queries? Give some"
            )
        fitted = self._best.fit
        warnings = list(fitted.report.get("warnings", []))
        warnings += self._warnings_of_grid(self._best)
        warnings += at_chance(self._best.validation, self._criterion)
        report = fitted.chosen | fitted.report
        report["criterion"] = self._criterion.name
        report["validation"] = self.tried
        report["kept"] = self._best.number
        report["warnings"] = warnings
        return replace(fitted, report=report)

    def _warnings_of_grid(self, best_fit: BestFit) -> list[str]:
        """Say that all fits score the same, or which chosen values are at an edge of the grid."""
        if self._are_alike:
            score = best_fit.validation.score
            n_fits = len(self.tried)
            return [f"{ALIKE}: all {n_fits} score {score:.4g}, so the first is taken"]
        warnings = []
        for name, value in best_fit.fit.chosen.items():
            edges = _edges([entry[name] for entry in self.tried])
            if value and value in edges:  # nothing is below 0
                warnings.append(f"the best {name}, {value:g}, {AT_EDGE}")
        return warnings

    def _compare(self, fitted: Fit) -> None:
        """Validate a fit, note its score, and keep it if it is the best so far."""
        validation = self._training.validate(fitted.model)
        score = validation.score
        number = len(self.tried)
        self._training.tell(_told(fitted.chosen, self._criterion, score))
        self.tried.append(
            {**fitted.chosen, self._criterion.name: score if math.isfinite(score) else None}
        )
        if math.isnan(score):
            return
        if self._best is None or self._is_better(validation, self._best.validation):
            self._best = BestFit(fitted, validation, number)

    def _is_better(self, validation: Validation, best: Validation) -> bool:
        """Return whether a fit takes the place of the best so far."""
        if validation.score <= best.score:
            return False
        return not (self._prefers_first and are_alike(validation, best))

    @property
    def _are_alike(self) -> bool:
        return len({entry[self._criterion.name] for entry in self.tried}) == 1


def _told(chosen: Mapping[str, Any], criterion: Criterion, score: float) -> str:
    """Return a sentence on a fit: what it was fitted with, and its score."""
    options = [f"{name} {value}" for name, value in chosen.items()]
    return f"fit: {', '.join(options)}: {criterion.title} {score:.4f} on validation queries"


def _next_beyond(tried: Sequence[float], leading: float | None) -> float | None:
    """Return the value beyond the best one of several, sorted; None if it is not at an edge."""
    if leading == tried[0]:
        neighbour = tried[1]
    elif leading == tried[-1]:
        neighbour = tried[-2]
    else:
        return None
    value = float(f"{leading * (leading / neighbour):.3g}")
    return value or None  # too small to be told from 0


def _edges(values: Sequence[Any]) -> tuple[float, ...]:
    """Return the smallest and the largest of several numbers; none of anything else."""
    are_numbers = all(type(value) in (int, float) for value in values)
    if len(set(values)) < 2 or not are_numbers:
        return ()
    return (min(values), max(values))
