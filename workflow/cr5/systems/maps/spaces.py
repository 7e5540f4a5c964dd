"""The word spaces of languages, and a model of them once they are mapped.

Either each language is mapped onto one pivot language, where all meet. Or, if `directed`, each
language is mapped onto every other one, using only the data of that direction, as papers on word
translation fit and test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from cr5.base.errors import LeftOutError, UserError
from cr5.base.languages import base_language
from cr5.base.rows import norms, unit_rows
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.systems.maps.search import about_mean, centred

if TYPE_CHECKING:
    from cr5.systems.maps.family import OntoPivot

Pair = tuple[str, str]


@dataclass(frozen=True)
class Space:
    """The words of one language that have a vector, most frequent first.

    Attributes:
        language: its code.
        words: n strings.
        rows: (n,) row of each word in the vocabulary.
        vectors: n x d float32, unit rows.
        lengths: (n,) float32, which each of them had; None for ones.
    """

    language: str
    words: list[str]
    rows: np.ndarray
    vectors: np.ndarray
    lengths: np.ndarray | None = None

    @property
    def own(self) -> np.ndarray:
        """The vectors with their lengths, n x d."""
        return self.scaled(self.vectors)

    def scaled(self, rows: np.ndarray) -> np.ndarray:
        """Give rows of the words, such as mapped ones, the lengths of the vectors."""
        return rows if self.lengths is None else rows * self.lengths[:, None]


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


def space_of(training: TrainingSet, language: str, system: OntoPivot) -> Space:
    """Select the words of a language that have a vector.

    Raises:
        LeftOutError: no word of the vocabulary has one.
    """
    vectors, words = training.vectors[language], training.words[language]
    rows = np.flatnonzero(vectors.any(axis=1))
    if not len(rows):
        raise LeftOutError(
            f"word vectors of {language}: none of the {len(words)} words of the vocabulary has "
            "one; trained ones must be of the same text and tokens, with a lower min_count; given "
            "ones of this language, and of lower-cased words."
        )
    given = directions(vectors[rows].astype(np.float32), system)
    return Space(language, [words[row] for row in rows], rows, *given)


def directions(rows: np.ndarray, system: OntoPivot) -> tuple[np.ndarray, np.ndarray | None]:
    """The vectors and the lengths of a `Space`; what has no own length is centred as unit rows."""
    if not system.own:
        rows = unit_rows(rows)
        return (centred(rows) if system.centre else rows), None
    rows = about_mean(rows) if system.centre else rows
    return unit_rows(rows), norms(rows, "l2").astype(np.float32)


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
    solve: Callable[[Space, Space], Mapped],
    *,
    both_sides: bool = False,
) -> Fit:
    """Map the languages onto the pivot, or each onto every other.

    Args:
        training: with vectors.
        system: says onto what, whether spaces are centred, and whether vectors keep their lengths.
        solve: maps a source space onto a target space; must not depend on the pairs mapped before.
        both_sides: whether it also changes the target's space.

    Returns:
        A model of mapped vectors, of unit length or their own, zero rows for words without one;
        and a report by pair of languages, source-target, with their `warnings`. Nothing is
        validated, as in every fit without a choice.

    Raises:
        LeftOutError: the target's space is also changed, and there are more than two languages; or
            a language has no vectors.
        UserError: the languages' vectors differ in length.
    """
    languages = training.languages
    if both_sides and len(languages) > 2:
        raise LeftOutError(
            f"this system changes the space of both languages, so that {', '.join(languages)} do "
            "not meet in one: fit it in a setting of kind pairwise."
        )
    spaces = {x: space_of(training, x, system) for x in languages}
    dimensions = {x: space.vectors.shape[1] for x, space in spaces.items()}
    if len(set(dimensions.values())) > 1:
        raise UserError(
            f"word vectors: the languages differ in dimension ({dimensions}); "
            "all must have the same one."
        )
    if system.directed:
        pairs = list(permutations(languages, 2))
    else:
        pivot = choose_pivot(languages, system.pivot)
        pairs = [(x, pivot) for x in languages if x != pivot]
    mapped = {(s, t): solve(spaces[s], spaces[t]) for s, t in pairs}
    report = {f"{s}-{t}": {"words": len(spaces[s].words), **mapped[s, t].report} for s, t in pairs}
    warnings = [f"{x}: {said}" for x, y in report.items() for said in y.pop("warnings", [])]
    model = _model(training, spaces, mapped, system.directed)
    return Fit(model, {"pairs": report, "warnings": warnings})


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
        return WordTables(training.words, tables, training.weights, term_frequency=frequency)
    [pivot] = {target for _, target in mapped}
    return training.model({x: tables[x][pivot] for x in training.languages})


def _table(training: TrainingSet, space: Space, rows: np.ndarray) -> np.ndarray:
    """The rows of a space in the order of the vocabulary."""
    table = np.zeros((len(training.words[space.language]), rows.shape[1]), np.float32)
    table[space.rows] = space.scaled(rows)
    return table
