"""The best of this package, with nothing to set: validation chooses what the corpus needs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Literal

from cr5.base.parts import System
from cr5.systems.cr5.cr5_spelling import Cr5Spelling

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet

# Ridges beyond these follow where validation wants them (`fitting.choose`).
CHOICES = Cr5Spelling(
    ranks=(300,),
    ridges=(0.3, 1.0),
    gammas=(3.0,),
    dictionary_weights=(1.0, 3.0),
    string_weights=(0, 0.25, 0.5, 1, 2, 4),
)
SECOND_STAGE = (0, 0.5, 1)

log = logging.getLogger(__name__)


class Best(System):
    """The best of this package, with nothing to set: validation chooses what the corpus needs.

    It is `cr5_spelling`, with the choices that it leaves to the user made on validation queries:
    how strong the prior is, how much a dictionary counts in it (if the configuration has one), how
    much the beginnings of words count beside what is learned, and how much the matches of words
    count in a second stage of the search. Its report says in words what was chosen.
    """

    title = "Best"
    colour = "#56B4E9"

    term_frequency: Literal["log"] = "log"
    """How counts enter the features; not a choice."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Pairs of words, if a dictionary is given."""
        return CHOICES.needs

    def fit(self, training: TrainingSet) -> Fit:
        """Choose by validation queries, one after the other, and say what was chosen.

        Raises:
            UserError: the documents cannot be fitted.
        """
        from dataclasses import replace

        from cr5.fitting.choose import AT_EDGE, with_second_stage

        fitted = with_second_stage(training, CHOICES.fit(training), SECOND_STAGE)
        told = in_words(fitted.chosen)
        log.info("best: %s", told)
        # no warnings of grids that nobody can extend
        warnings = [x for x in fitted.report.get("warnings", []) if not x.endswith(AT_EDGE)]
        return replace(fitted, report=fitted.report | {"in_words": told, "warnings": warnings})


def in_words(chosen: dict[str, Any]) -> str:
    """Say what validation chose.

    Args:
        chosen: `Fit.chosen`.
    """
    strings, matches = chosen["string_weight"], chosen["rerank"]
    dictionary = chosen.get("dictionary_weight")
    said = [
        f"{chosen['rank']} dimensions, lambda {chosen['ridge']:g}, a prior of weight "
        f"{chosen['gamma']:g}, {'with' if chosen['shift'] else 'without'} the languages' means",
        *([f"the dictionary at weight {dictionary:g}"] if dictionary is not None else []),
        f"beginnings of words count {strings:g} times what is learned"
        if strings
        else "beginnings of words count for nothing beside what is learned",
        f"the best candidates are ranked once more, with matches of words at weight {matches:g}"
        if matches
        else "no second stage",
    ]
    return "; ".join(said)
