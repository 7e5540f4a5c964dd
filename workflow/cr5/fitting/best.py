"""Chooses among the fits of a grid by validation: ties, nan and edges in one place."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from cr5.base.errors import UserError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.criteria import Criterion
from cr5.fitting.grid import Grid


def best(training: TrainingSet, fits: Iterable[Fit], grid: Grid | None = None) -> Fit:
    """Keep the fit that ranks the validation queries best, by the criterion of the training set.

    Args:
        training: validates.
        fits: one at a time, each with what was `chosen`; of equals the first one wins. Where
            there is only one, nothing is validated.
        grid: whose values `fits` takes as it goes, if it may go on beyond its edges.

    Returns:
        That fit; its report has what was chosen, the `validation` of all that were tried and of
        each pair, and a warning where the best value is at the edge of a grid.

    Raises:
        UserError: there is no fit, or none has a score: a grid cannot be decided by nan.
    """
    waiting = iter(fits)
    begun = list(islice(waiting, 2))
    if not begun:
        raise UserError("there is nothing to choose from: give at least one value of each option")
    if len(begun) == 1:
        return replace(begun[0], report={**begun[0].chosen, **begun[0].report})
    tried, kept, kept_score = Tried(training.criterion), None, math.nan
    for fitted in chain(_emptied(begun), waiting):
        score = training.validate(fitted.model)
        tried.add(fitted.chosen, score)
        if not math.isnan(score) and (kept is None or tried.criterion.is_better(score, kept_score)):
            kept, kept_score, tried.kept = fitted, score, len(tried.entries) - 1
        if grid and kept and not tried.are_alike:
            grid.best = kept.chosen[grid.name]
        del fitted  # the next one is made now: two models at a time are enough
    if kept is None:
        raise UserError(
            "validation gave no score for any of the options tried: are there validation queries?"
        )
    return replace(kept, report={**kept.chosen, **kept.report, **_report(tried, kept, grid)})


def _emptied(fits: list[Fit]) -> Iterator[Fit]:
    """Give them one by one and hold none: a model may be most of the memory."""
    while fits:
        yield fits.pop(0)


@dataclass
class Tried:
    """What was validated, in order.

    Attributes:
        criterion: by which.
        entries: what was chosen, and the score under the criterion's name; None where it is none.
        by_pair: by languages of queries and candidates, the score of each entry.
        kept: number of the best entry, from 0.
    """

    criterion: Criterion
    entries: list[dict[str, Any]] = field(default_factory=list)
    by_pair: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    kept: int = 0

    def add(self, chosen: Mapping[str, Any], score: float) -> None:
        """Write down one more; a plain number says nothing of pairs."""
        score_or_none = float(score) if math.isfinite(score) else None
        self.entries.append({**chosen, self.criterion.name: score_or_none})
        for query, of_query in getattr(score, "by_pair", {}).items():
            for target, figure in of_query.items():
                self.by_pair.setdefault(query, {}).setdefault(target, []).append(figure)

    @property
    def are_alike(self) -> bool:
        """Whether all scores are the same."""
        return len({entry[self.criterion.name] for entry in self.entries}) == 1


def _report(tried: Tried, kept: Fit, grid: Grid | None) -> dict[str, Any]:
    found = {"criterion": tried.criterion.name, "validation": tried.entries, "kept": tried.kept}
    if tried.by_pair:
        found["validation_pairs"] = tried.by_pair
    beyond = _beyond(grid, tried.entries) if grid else []
    if beyond:
        found["beyond"] = {grid.name: beyond}
    warnings = _alike(tried) or _at_edges(kept.chosen, tried.entries)
    return found | {"warnings": [*kept.report.get("warnings", []), *warnings]}


def _beyond(grid: Grid, entries: Sequence[dict[str, Any]]) -> list[float]:
    """Values that were tried beyond those given."""
    values = dict.fromkeys(entry[grid.name] for entry in entries)
    return [value for value in values if value not in grid.values]


def _alike(tried: Tried) -> list[str]:
    if not tried.are_alike:
        return []
    score = tried.entries[0][tried.criterion.name]
    return [
        f"all {len(tried.entries)} fits of the grid score {score:.4g}: validation tells nothing"
    ]


def _at_edges(chosen: dict[str, Any], tried: Sequence[dict[str, Any]]) -> list[str]:
    warnings = []
    for name, value in chosen.items():
        values = [entry[name] for entry in tried]
        if not all(_is_number(each) for each in values) or min(values) == max(values):
            continue
        if value in (min(values), max(values)):
            warnings.append(f"the best {name}, {value:g}, is at the edge of the grid")
    return warnings


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
