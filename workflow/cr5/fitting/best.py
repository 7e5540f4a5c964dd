"""Choose among the fits of a grid by validation: ties, nan and edges in one place."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cr5.base.errors import UserError
from cr5.fitting.contract import Fit, TrainingSet

NOTHING: Mapping[str, Any] = {}
AT_EDGE = "is at the edge of the grid"


def best(training: TrainingSet, fits: Iterable[Fit]) -> Fit:
    """Keep the fit that ranks the validation queries best; see `Selection`.

    Raises:
        UserError: there is no fit, or none has a score.
    """
    selection = Selection(training)
    for fitted in fits:
        selection.add(fitted)
        del fitted  # the next one is made now; hold at most two models at a time
    return selection.result()


def added(fitted: Fit, kept: Fit, validated: str) -> Fit:
    """Add to a fit the choice of one thing more.

    Args:
        fitted: whose report and chosen values stay.
        kept: the best of the fits that change it.
        validated: key of the report for the validation of this choice.
    """
    report = fitted.report | kept.chosen
    if "validation" in kept.report:
        report[validated] = kept.report["validation"]
    warnings = [*fitted.report.get("warnings", []), *kept.report.get("warnings", [])]
    return Fit(kept.model, report | {"warnings": warnings}, fitted.chosen | kept.chosen)


class Selection:
    """The fits tried so far, and the best of them by the criterion of the training set.

    A single fit is not validated: the first one waits for a second. Ties go to the first fit.

    Attributes:
        tried: of each validated fit the chosen values, and the score under the criterion's name;
            None if it is not finite.
    """

    def __init__(self, training: TrainingSet) -> None:
        """Start without fits; `training.validate` scores those that are added."""
        self.tried: list[dict[str, Any]] = []
        self._criterion, self._validate = training.criterion, training.validate
        self._by_pair: dict[str, dict[str, list[float]]] = {}
        self._waiting: list[Fit] = []
        self._kept: Fit | None = None
        self._number, self._best_score = 0, math.nan

    def add(self, fitted: Fit) -> None:
        """Validate one more fit, with its `chosen` values, and keep it if it is the best."""
        self._waiting.append(fitted)
        del fitted
        while self._waiting and (self.tried or len(self._waiting) > 1):
            self._compare(self._waiting.pop(0))

    def leading(self, name: str) -> Any:
        """Return the chosen value of the best fit; None if all score the same."""
        return None if self._kept is None or self._are_alike else self._kept.chosen[name]

    def checks_without_gain(self, **run: Any) -> int:
        """Count the last fits of a run that are no better than an earlier one of it.

        Args:
            run: the chosen value that all fits of the run have.
        """
        best, waited = math.nan, 0
        for entry in self.tried:
            if run.items() <= entry.items():
                score = self._score(entry)
                is_better = math.isnan(best) or self._criterion.is_better(score, best)
                best = score if is_better else best
                waited = 0 if is_better and not math.isnan(score) else waited + 1
        return waited

    def result(self, facts: Mapping[str, Any] = NOTHING) -> Fit:
        """Return the best fit.

        Its report has the chosen values, the `validation` of all fits tried and of each pair, and a
        warning if the best value is at the edge of a grid.

        Args:
            facts: more to report if there was a choice.

        Raises:
            UserError: there is no fit, or none has a score: nan cannot decide a grid.
        """
        if self._waiting:
            [only] = self._waiting
            return replace(only, report={**only.chosen, **only.report})
        if not self.tried:
            raise UserError(
                "there is nothing to choose from: give at least one value of each option"
            )
        if self._kept is None:
            raise UserError(
                "validation gave no score for any of the options tried: are there validation "
                "queries?"
            )
        kept = self._kept
        return replace(kept, report={**kept.chosen, **kept.report, **self._report(kept, facts)})

    def _compare(self, fitted: Fit) -> None:
        score = self._validate(fitted.model)
        finite = float(score) if math.isfinite(score) else None
        self.tried.append({**fitted.chosen, self._criterion.name: finite})
        for query, of_query in getattr(score, "by_pair", {}).items():
            for target, figure in of_query.items():
                self._by_pair.setdefault(query, {}).setdefault(target, []).append(figure)
        if math.isnan(score):
            return
        if self._kept is None or self._criterion.is_better(score, self._best_score):
            self._kept, self._best_score = fitted, score
            self._number = len(self.tried) - 1

    def _score(self, entry: dict[str, Any]) -> float:
        found = entry[self._criterion.name]
        return math.nan if found is None else found

    @property
    def _are_alike(self) -> bool:
        return len({entry[self._criterion.name] for entry in self.tried}) == 1

    def _report(self, kept: Fit, facts: Mapping[str, Any]) -> dict[str, Any]:
        name = self._criterion.name
        found = {"criterion": name, "validation": self.tried, "kept": self._number}
        if self._by_pair:
            found["validation_pairs"] = self._by_pair
        found |= facts
        warnings = _at_edges(kept.chosen, self.tried)
        if self._are_alike:
            n, score = len(self.tried), self.tried[0][name]
            warnings = [f"all {n} fits of the grid score {score:.4g}: validation tells nothing"]
        return found | {"warnings": [*kept.report.get("warnings", []), *warnings]}


def _at_edges(chosen: dict[str, Any], tried: Sequence[dict[str, Any]]) -> list[str]:
    warnings = []
    for name, value in chosen.items():
        values = [entry[name] for entry in tried]
        if not all(_is_number(each) for each in values) or min(values) == max(values):
            continue
        if value and value in (min(values), max(values)):  # nothing is below 0
            warnings.append(f"the best {name}, {value:g}, {AT_EDGE}")
    return warnings


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
