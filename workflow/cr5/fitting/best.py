"""Choose among the fits of a grid by validation: ties, nan and edges in one place."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from cr5.base.errors import UserError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.tried import Follower, Tried


def best(training: TrainingSet, fits: Iterable[Fit], follower: Follower | None = None) -> Fit:
    """Keep the fit that ranks the validation queries best, by the criterion of the training set.

    Args:
        training: its `validate` scores each fit.
        fits: one at a time, each with its `chosen` values; the first wins a tie. A single fit is
            not validated.
        follower: decides how `fits` goes on: a `Grid` that may extend beyond its edges, or the
            `Patience` of an iterative fit.

    Returns:
        The best fit; its report has the chosen values, the `validation` of all fits tried and of
        each pair, and a warning if the best value is at the edge of a grid.

    Raises:
        UserError: there is no fit, or none has a score: nan cannot decide a grid.
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
        if follower:
            follower.hear(tried)
        del fitted  # the next one is made now; hold at most two models at a time
    if kept is None:
        raise UserError(
            "validation gave no score for any of the options tried: are there validation queries?"
        )
    return replace(kept, report={**kept.chosen, **kept.report, **_report(tried, kept, follower)})


def _emptied(fits: list[Fit]) -> Iterator[Fit]:
    """Yield the fits one by one and keep none: a model may take most of the memory."""
    while fits:
        yield fits.pop(0)


def _report(tried: Tried, kept: Fit, follower: Follower | None) -> dict[str, Any]:
    found = {"criterion": tried.criterion.name, "validation": tried.entries, "kept": tried.kept}
    if tried.by_pair:
        found["validation_pairs"] = tried.by_pair
    if follower:
        found |= follower.report(tried)
    warnings = _alike(tried) or _at_edges(kept.chosen, tried.entries)
    return found | {"warnings": [*kept.report.get("warnings", []), *warnings]}


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
