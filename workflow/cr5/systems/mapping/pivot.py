"""From maps between two word spaces to a model of all languages, shared by systems.

Either each language is mapped onto one pivot language, where all meet. Or, if `directed`, each
language is mapped onto every other one, using only the data of that direction, as papers on word
translation fit and test.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import numpy as np

from cr5.base.errors import LeftOutError, UserError
from cr5.base.languages import base_language
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.contract import Model
from cr5.models.word_tables import DirectedWordTables
from cr5.systems.mapping.family import OntoPivot
from cr5.systems.mapping.spaces import Space, spaces_of

Pair = tuple[str, str]


@dataclass(frozen=True)
class Mapped:
    """Two word spaces brought together.

    Attributes:
        source: n x k float32: unit rows of the words of the source language, mapped; a map that
            stretches gives them other lengths.
        target: m x k, likewise; None if the source was mapped to the target's own vectors.
        report: of the fit, JSON-able.
    """

    source: np.ndarray
    target: np.ndarray | None = None
    report: dict[str, Any] = field(default_factory=dict)


Solve = Callable[[Space, Space], Mapped]


def choose_pivot(languages: Iterable[str], wanted: str | None) -> str:
    """Return the pivot asked for; by default English, or else the first language.

    Raises:
        UserError: the pivot asked for is not among the languages.
    """
    languages = list(languages)
    if wanted is None:
        english = [x for x in languages if base_language(x) == "en"]
        return "en" if "en" in english else (english or languages)[0]
    if wanted not in languages:
        raise UserError(
            f"option pivot: {wanted!r} is not a language of this setting "
            f"({', '.join(languages)}); choose one of them, or null."
        )
    return wanted


def fit_mapped(
    training: TrainingSet,
    system: OntoPivot,
    solve: Solve,
    *,
    both_sides: bool = False,
    own: bool = False,
) -> Fit:
    """Map the languages onto the pivot, or each onto every other.

    Args:
        training: with vectors.
        system: says onto what, and whether spaces are centred.
        solve: maps a source space onto a target space; must not depend on the pairs mapped before.
        both_sides: whether it also changes the target's space.
        own: whether vectors keep their own lengths.

    Returns:
        A model of mapped vectors, of unit length or their own, zero rows for words without one;
        and a report by pair of languages, source-target, with their `warnings`. Nothing is
        validated, as in every fit without a choice.

    Raises:
        LeftOutError: the target's space is also changed, and there are more than two languages.
    """
    if both_sides:
        _check_languages(training.languages)
    spaces = spaces_of(training, centre=system.centre, own=own)
    pairs = list(_pairs(training, system))
    mapped = {(s, t): solve(spaces[s], spaces[t]) for s, t in pairs}
    model = _model(training, spaces, mapped, system.directed)
    report = {f"{s}-{t}": _report(spaces[s], mapped[s, t]) for s, t in pairs}
    warnings = [f"{x}: {said}" for x, y in report.items() for said in y.pop("warnings", [])]
    return Fit(model, {"pairs": report, "warnings": warnings})


def _pairs(training: TrainingSet, system: OntoPivot) -> Iterator[Pair]:
    if system.directed:
        yield from permutations(training.languages, 2)
        return
    pivot = choose_pivot(training.languages, system.pivot)
    yield from ((language, pivot) for language in training.languages if language != pivot)


def _report(source: Space, mapped: Mapped) -> dict[str, Any]:
    return {"words": len(source.words), **mapped.report}


def _check_languages(languages: tuple[str, ...]) -> None:
    if len(languages) > 2:
        raise LeftOutError(
            f"this system changes the space of both languages, so that {', '.join(languages)} do "
            "not meet in one: fit it in a setting of kind pairwise."
        )


def _model(
    training: TrainingSet,
    spaces: Mapping[str, Space],
    mapped: Mapping[Pair, Mapped],
    directed: bool,
) -> Model:
    tables = {x: {} for x in training.languages}
    for (source, target), found in mapped.items():
        of_target = spaces[target].vectors if found.target is None else found.target
        tables[source][target] = _table(training, spaces[source], found.source)
        tables[target][target] = _table(training, spaces[target], of_target)
    if directed:
        frequency = training.term_frequency
        return DirectedWordTables(
            training.words, tables, training.weights, term_frequency=frequency
        )
    [pivot] = {target for _, target in mapped}
    return training.model({x: tables[x][pivot] for x in training.languages})


def _table(training: TrainingSet, space: Space, rows: np.ndarray) -> np.ndarray:
    """The rows of a space in the order of the vocabulary."""
    table = np.zeros((len(training.words[space.language]), rows.shape[1]), np.float32)
    table[space.rows] = space.scaled(rows)
    return table
