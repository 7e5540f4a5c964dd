"""Map the word space of every language onto that of one pivot language: systems share this."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from cr5.base.errors import LeftOutError, UserError
from cr5.base.languages import base_language
from cr5.base.rows import unit_rows
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.refinement import RefinementSettings, apply_map, refine

Settings = TypeVar("Settings")


@dataclass(frozen=True)
class Space:
    """The words of one language that have a vector, most frequent first.

    Attributes:
        language: its code.
        words: n strings.
        rows: (n,) row of each word in the vocabulary.
        vectors: n x d float32, unit rows.
    """

    language: str
    words: list[str]
    rows: np.ndarray
    vectors: np.ndarray


@dataclass(frozen=True)
class Start:
    """Where refinement begins: a map W (d x d float32) and what to report of it."""

    W: np.ndarray
    report: dict[str, Any]


def settings_from(kind: type[Settings], options: Mapping[str, Any]) -> Settings:
    """Build a settings dataclass from the options that carry the names of its fields."""
    return kind(**{field.name: options[field.name] for field in fields(kind)})


def choose_pivot(languages: Iterable[str], wanted: str | None) -> str:
    """Take the pivot asked for; without one English, or else the first language.

    Raises:
        UserError: the language asked for is none of the languages.
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


def space_of(training: TrainingSet, language: str, *, centre: bool) -> Space:
    """Take the words that have a vector, rank them by frequency and scale them to unit length.

    Args:
        training: with vectors.
        language: one of its languages.
        centre: subtract the mean of the unit vectors, and scale again.

    Raises:
        LeftOutError: no word of the vocabulary has a vector.
    """
    vectors, words = training.vectors[language], training.words[language]
    found = np.flatnonzero(vectors.any(axis=1))
    if not len(found):
        raise LeftOutError(
            f"word vectors of {language}: none of the {len(words)} words of the vocabulary has "
            "one; train the vectors on the same text and tokens, or lower their min_count."
        )
    rows = found[np.argsort(-training.frequencies[language][found], kind="stable")]
    unit = unit_rows(vectors[rows].astype(np.float32))
    if centre:
        unit = unit_rows(unit - unit.mean(axis=0, dtype=np.float64).astype(np.float32))
    return Space(language, [words[row] for row in rows], rows, unit)


def fit_to_pivot(
    training: TrainingSet,
    options: Mapping[str, Any],
    starts: Callable[[Space, Space], Iterable[Start]],
) -> Fit:
    """Map every language to the pivot: one or more starts, each refined; the best is kept.

    The unsupervised criterion chooses among the refined maps: before refinement it hardly tells
    a good start from a bad one.

    Args:
        training: with vectors.
        options: pivot, centre and those of `RefinementSettings`.
        starts: from a language's space and the pivot's to the maps where refinement begins.

    Returns:
        A model of mapped unit vectors, zero rows where a word has none; and a report with the
        history of each language and the validation score before and after refinement, which
        tells whether it worked and chooses nothing.
    """
    settings = settings_from(RefinementSettings, options)
    pivot = choose_pivot(training.languages, options["pivot"])
    spaces = {
        name: space_of(training, name, centre=options["centre"]) for name in training.languages
    }
    _check_dimensions(spaces)
    before, after, reports = {}, {}, {}
    for language in (name for name in training.languages if name != pivot):
        source, target = spaces[language], spaces[pivot]
        begun = list(starts(source, target))
        refined = [refine(source.vectors, target.vectors, start.W, settings) for start in begun]
        best = int(np.argmax([result.criterion for result in refined]))
        before[language], after[language] = begun[best].W, refined[best].W
        reports[language] = {
            "words": len(source.words),
            "best_start": best,
            "starts": [
                start.report | {"refinement": result.history, "best_round": result.best}
                for start, result in zip(begun, refined, strict=True)
            ],
        }
    model = training.model(_tables(training, spaces, after))
    start = training.model(_tables(training, spaces, before))
    criterion = training.criterion.name
    report = {
        "pivot": pivot,
        "languages": reports,
        f"validation_{criterion}_start": training.validate(start),
        f"validation_{criterion}": training.validate(model),
    }
    return Fit(model, report)


def _check_dimensions(spaces: Mapping[str, Space]) -> None:
    dimensions = {language: space.vectors.shape[1] for language, space in spaces.items()}
    if len(set(dimensions.values())) > 1:
        raise UserError(
            f"word vectors: the languages differ in dimension ({dimensions}); "
            "train all of them with the same one."
        )


def _tables(
    training: TrainingSet, spaces: Mapping[str, Space], maps: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    tables = {}
    for language, space in spaces.items():
        table = np.zeros(training.vectors[language].shape, np.float32)
        W = maps.get(language)
        table[space.rows] = space.vectors if W is None else apply_map(space.vectors, W)
        tables[language] = table
    return tables
