"""Texts that are given from Python, in any of their forms, as documents by language and concept."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from cr5.base import text_files
from cr5.base.errors import UserError
from cr5.base.languages import EXPECTED, by_code, folded_code, is_code
from cr5.base.losses import Losses
from cr5.retrieval.arguments import several
from cr5.texts.rows import IDS, PAIRED_BY_ID

log = logging.getLogger(__name__)

# columns of a frame
LANGUAGE = "language"
CONCEPT = "concept"
TEXT = "text"
TITLE = "title"

NO_CONCEPTS: Sequence[Any] = ()  # of a language, where others have some

Documents = dict[str, dict[str, str]]
"""By language, the text of each document by its concept."""


@dataclass(frozen=True)
class TextsOfLanguage:
    """The texts of a language, and what each is about."""

    concepts: Sequence[Any]
    texts: Sequence[Any]
    is_numbered: bool
    """Whether concepts are positions, as none were given."""


def documents(texts: Any, concepts: Any = None) -> Documents:
    """Gather the documents of each language, in the order given.

    Texts and concepts are as `fit` takes them. A missing text, None, nan or nothing but white
    space, is no document; how many are missing is told.
    """
    documents_by_language = {}
    for language, of_language in _by_language(texts, concepts).items():
        text_of_concept = _by_concept(language, of_language)
        if text_of_concept:
            documents_by_language[language] = text_of_concept
    for first, second in combinations(documents_by_language, 2):
        if documents_by_language[first] == documents_by_language[second]:
            raise UserError(
                f"texts: {first!r} and {second!r} have the same texts, so that each would be found "
                "by its very copy; is a file, or a column, named twice?"
            )
    return documents_by_language


def codes_as_written(texts: Any) -> dict[str, str]:
    """Return how the code of each language is written, which names of files may follow."""
    languages = texts
    if _is_frame(texts):
        languages = texts[LANGUAGE].unique()
    return {folded_code(language): language for language in languages}


def _by_language(texts: Any, concepts: Any) -> dict[str, TextsOfLanguage]:
    """Return texts and concepts of each language, whatever form they have."""
    if _is_frame(texts):
        texts = _with_index(texts)
        column = _concept_column(texts)
        if column is not None:
            _refuse_further(concepts, f"the frame has some in {column!r}")
            concepts = _column_by_language(texts, column)
        texts = _column_by_language(texts, TEXT)
    elif isinstance(texts, Mapping) and concepts is None:
        _tell_indexes(texts)
    if not isinstance(texts, Mapping):
        raise UserError(
            "texts: expected texts by language, {'en': [...], 'fr': [...]}; or a frame of pandas "
            "with the columns language, text and, unless texts of one position belong together, "
            f"concept; found {type(texts).__name__}. "
            "Files are read by `cr5 fit en=FILE fr=FILE -o OUT`"
        )
    texts = _by_code("texts", texts)
    if isinstance(concepts, Mapping):
        concepts = _by_code("concepts", concepts)
    by_language = {}
    for language, texts_of_language in texts.items():
        concepts_of_language = concepts
        if isinstance(concepts, Mapping):
            concepts_of_language = concepts.get(language, NO_CONCEPTS)
        by_language[language] = _of_language(texts_of_language, concepts_of_language)
    _check_concepts(by_language)
    return by_language


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the names of its index, if it has some, among its columns."""
    names = set(frame.index.names)
    if None in names or names.intersection(frame.columns):
        return frame
    return frame.reset_index()


def _tell_indexes(texts: Mapping[str, Any]) -> None:
    """Warn of series whose indexes differ, which play no part."""
    indexes = [values.index for values in texts.values() if isinstance(values, pd.Series)]
    if any(not index.equals(indexes[0]) for index in indexes[1:]):
        log.warning(
            "texts: the indexes of series differ, and play no part: those of one position belong "
            "together; to pair them by index give series.to_dict()"
        )


def _column_by_language(frame: pd.DataFrame, column: Any) -> dict[Any, pd.Series]:
    """Return the part of a column that each language has, in the order of the rows."""
    rows_of_languages = frame.groupby(LANGUAGE, sort=False, dropna=False, observed=True)
    return {language: rows[column] for language, rows in rows_of_languages}


def _of_language(texts: Any, concepts: Any) -> TextsOfLanguage:
    """Return the texts of a language, by their concepts or else by position."""
    if isinstance(texts, Mapping):
        _refuse_further(concepts, "the texts of a language have theirs as keys")
        concepts = texts.keys()
        texts = texts.values()
    texts = list(several("texts", texts))
    if concepts is None:
        return TextsOfLanguage(range(len(texts)), texts, is_numbered=True)
    concepts = list(several("concepts", concepts))
    if len(concepts) != len(texts):
        raise UserError(
            f"concepts: {len(concepts)} for {len(texts)} texts; give one for each, in their order"
        )
    return TextsOfLanguage(concepts, texts, is_numbered=False)


def _refuse_further(concepts: Any, where_others_are: str) -> None:
    """Raise `UserError` if concepts are given that are elsewhere, too."""
    if concepts is not None and concepts is not NO_CONCEPTS:
        raise UserError(f"concepts: {where_others_are}; leave these or those out")


def _check_concepts(by_language: Mapping[str, TextsOfLanguage]) -> None:
    """Refuse positions beside concepts, and positions of another number of texts."""
    numbered = [language for language in by_language if by_language[language].is_numbered]
    named = [language for language in by_language if language not in numbered]
    if named and numbered:
        raise UserError(
            f"texts: {named[0]!r} has concepts or ids, {numbered[0]!r} has none, and positions are "
            "no concepts; give those of all languages, or of none"
        )
    sizes = {language: len(by_language[language].texts) for language in numbered}
    if len(set(sizes.values())) > 1:
        in_words = ", ".join(f"{size} of {language!r}" for language, size in sizes.items())
        raise UserError(
            f"texts: {in_words}; texts of one position belong together, so give as many of each "
            "language, None (in a file an empty line) where there is none, or say by `concepts` (a "
            "column `concept`) what belongs together"
        )


def _concept_column(frame: pd.DataFrame) -> Any:
    """Return the column that says what texts are about, else that of their ids; None if none."""
    columns = {str(column).casefold(): column for column in frame.columns}
    if CONCEPT in columns:
        return columns[CONCEPT]
    for name in IDS:
        if name in columns:
            log.warning(PAIRED_BY_ID)
            return columns[name]
    unknown_columns = [name for name in columns if name not in (LANGUAGE, TEXT, TITLE)]
    if unknown_columns:
        log.warning(
            "texts: there is no column `concept`, so that those of one position belong together; "
            "is one of these it? %s",
            ", ".join(unknown_columns),
        )
    return None


def _is_frame(texts: Any) -> bool:
    """Return whether this has columns of languages and of texts, as a frame of pandas."""
    return isinstance(texts, pd.DataFrame) and {LANGUAGE, TEXT} <= set(texts.columns)


def _by_code(what: str, values: Mapping[Any, Any]) -> dict[str, Any]:
    """Return values by the folded code of their language; UserError if a key is no code."""
    for language in values:
        if not (isinstance(language, str) and is_code(language)):
            raise UserError(f"{what}: {EXPECTED}, found {language!r:.40}")
    try:
        return by_code(values)
    except ValueError as error:
        raise UserError(f"{what}: {error}") from error


def _by_concept(language: str, of_language: TextsOfLanguage) -> dict[str, str]:
    """Return the text of each concept; UserError if one has two."""
    text_of_concept: dict[str, str] = {}
    number_of_concept: dict[str, int] = {}
    losses = Losses()
    pairs = zip(of_language.concepts, of_language.texts, strict=True)
    for number, (concept, text) in enumerate(pairs, start=1):
        place = f"texts, {language}, number {number}"
        if _is_missing(text):
            losses.count(None, place)
            continue
        place = f"{place}, concept {concept!r}"
        name = text_files.checked_name(CONCEPT, concept, place)
        if name in text_of_concept:
            raise UserError(
                f"{place}: the concept was already at number {number_of_concept[name]}; a language "
                "may have one document per concept: join them or remove one"
            )
        number_of_concept[name] = number
        text_of_concept[name] = text_files.checked_text(TEXT, text, place)
        losses.count(text_of_concept[name], place)
    losses.tell(f"texts, {language}")
    return text_of_concept


def _is_missing(text: Any) -> bool:
    return text_files.is_missing(text) or (pd.api.types.is_scalar(text) and pd.isna(text))
