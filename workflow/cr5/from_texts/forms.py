"""Texts as callers have them: by language, or in a frame, told by its `columns`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from itertools import combinations, repeat
from os import PathLike
from typing import Any

from cr5.base import json_lines
from cr5.base.errors import UserError
from cr5.base.languages import is_code
from cr5.counts.documents import Record
from cr5.plan.names import CODE
from cr5.retrieval.given import several

LANGUAGE, CONCEPT, TEXT = "language", "concept", "text"
OF_LANGUAGE = f"{TEXT}_"  # before a code: the column of texts in that language, as in files
EXPECTED = (
    "texts by language, {'en': [...], 'fr': [...]}; a frame with the columns language, "
    "text and, unless texts of one position belong together, concept; or a frame with a column "
    "of texts for each language, en or text_en"
)

WHICH = "name the languages, languages=['en', 'fr']"
LIKE_LANGUAGE = ("lang", "locale", "lang_code", "language_code")
NAME = re.compile(r"[!-~]+")  # ASCII, without spaces

Documents = dict[str, list[Record]]
"""By language, concept, title and text of each document."""


def documents(
    texts: Any, concepts: Any = None, languages: Sequence[str] | None = None
) -> Documents:
    """Gather the documents of each language.

    Args:
        texts: by language the texts, or a mapping of concepts to texts; or a frame.
        concepts: what each text is about, where `texts` does not say: one list for all languages,
            or one by language; by default the position of the text. The texts of a concept are
            about the same thing.
        languages: those to take; of a frame, its columns of texts. By default all.

    Returns:
        The documents, in the order given; titles are the concepts. A missing text, None or nan, is
        no document.

    Raises:
        UserError: names the language and position: not text, or a concept twice in a language; or
            two languages have the same texts.
    """
    found: Documents = {}
    seen: dict[str, dict[str, int]] = {}
    for number, (language, concept, text) in enumerate(
        rows_of(texts, concepts, languages), start=1
    ):
        if _is_missing(text) or (languages is not None and language not in languages):
            continue
        if language not in found and not _is_code(language):
            raise UserError(
                f"texts: {language!r:.40} is not the code of a language, such as 'en' or 'pt_br'; "
                f"expected {EXPECTED}"
            )
        where = f"texts, {language}, concept {concept!r}"
        name = json_lines.name(CONCEPT, concept, where)
        first = seen.setdefault(language, {}).setdefault(name, number)
        if first != number:
            raise UserError(
                f"{where}: the concept is there twice; a language may have one document per "
                "concept: join them or remove one"
            )
        record = (name, name, json_lines.text(TEXT, text, where))
        found.setdefault(language, []).append(record)
    _check_different(found)
    return found


def _check_different(found: Documents) -> None:
    for one, other in combinations(found, 2):
        if found[one] == found[other]:
            raise UserError(
                f"texts: {one!r} and {other!r} have the same texts, so that each would be found by "
                "its very copy; is a file, or a column, named twice?"
            )


def _is_code(name: Any) -> bool:
    return bool(re.fullmatch(CODE, str(name))) and is_code(name)


def rows_of(
    texts: Any, concepts: Any = None, languages: Sequence[str] | None = None
) -> Iterator[tuple[str, Any, Any]]:
    """Yield language, concept and text of each row; arguments as for `documents`.

    Raises:
        UserError: it is in none of the known forms.
    """
    if isinstance(texts, str | bytes | PathLike):
        raise UserError(
            f"texts: expected {EXPECTED}; found {texts!r:.80}. To read files write `cr5 fit "
            "en=FILE fr=FILE -o OUT`, or give frames that pandas has read"
        )
    if hasattr(texts, "columns"):
        yield from _of_frame(texts, list(texts.columns), concepts, languages)
    elif isinstance(texts, Mapping):
        named = _languages(list(texts), languages)
        texts = {language: texts[key] for language, key in named.items()}
        if concepts is None:
            _check_positions(texts)
        for language, of_language in texts.items():
            own = _concepts_of(concepts, language)
            yield from _of_language(language, of_language, own, languages is None)
    else:
        raise UserError(f"texts: expected {EXPECTED}; found {type(texts).__name__}")


def _of_frame(
    frame: Any, columns: list[str], concepts: Any, languages: Any
) -> Iterator[tuple[str, Any, Any]]:
    if concepts is None and CONCEPT in columns:
        concepts = list(frame[CONCEPT])
    if LANGUAGE in columns and (TEXT in columns or languages is None):
        _check_there([TEXT], columns, "texts")
        named = list(frame[LANGUAGE])
        own = _positions(named) if concepts is None else concepts
        yield from _zipped(named, own, list(frame[TEXT]))
        return
    named = _languages(columns, languages)
    for language, column in named.items():
        texts = [_plain(text) for text in frame[column]]
        other = next((x for x in texts if not (isinstance(x, str) or _is_missing(x))), None)
        if other is not None:
            raise UserError(
                f"texts: the column {column!r} has no texts but {other!r:.40}; name the columns "
                "of texts, languages=['en', 'fr']"
            )
        yield from _of_language(language, texts, concepts, languages is None)


def _languages(names: Sequence[Any], chosen: Sequence[str] | None) -> dict[str, Any]:
    """Return the languages of columns or keys, and what they are called there."""
    marked = {
        name.removeprefix(OF_LANGUAGE): name
        for name in names
        if isinstance(name, str) and name.startswith(OF_LANGUAGE)
    }
    if chosen is not None:
        found = {x: x if x in names else marked.get(x, x) for x in chosen}
        _check_there(list(found.values()), names, "languages")
    elif len(marked) > 1:
        found = marked
    else:
        found = {x: x for x in names if x != CONCEPT}
    if wrong := [name for x, name in found.items() if not _is_code(x)]:
        raise UserError(_told(wrong, names))
    return found


def _told(wrong: Sequence[Any], names: Sequence[Any]) -> str:
    """Say which columns name no language, and what to do."""
    if TEXT in names and (of_codes := [x for x in wrong if str(x).lower() in LIKE_LANGUAGE]):
        return (
            f"texts: the column of languages is {of_codes[0]!r}, expected {LANGUAGE!r}: rename it, "
            f"texts.rename(columns={{{of_codes[0]!r}: {LANGUAGE!r}}})"
        )
    return (
        f"texts: {_quoted(wrong)}: not the code of a language, such as 'en' or 'pt_br'; there: "
        f"{_quoted(names)}; {WHICH}, or expected {EXPECTED}"
    )


def _check_there(wanted: Sequence[str], columns: Sequence[str], place: str) -> None:
    if missing := [x for x in wanted if x not in columns]:
        raise UserError(f"{place}: no column {missing[0]!r}; there: {_quoted(columns)}")


def _of_language(
    language: str, texts: Any, concepts: Any, is_guessed: bool
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the rows of a language; one that the caller did not name may be ids, such as `id`."""
    if isinstance(texts, Mapping):
        texts, concepts = list(texts.values()), list(texts)
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise UserError(
            f"texts of {language!r}: expected several, such as a list; found {texts!r:.40}"
        )
    texts = list(texts)
    found = [x for x in texts if isinstance(x, str)]
    if is_guessed and found and all(NAME.fullmatch(x) and not x.isalpha() for x in found):
        raise UserError(
            f"texts: {language!r} was taken for a language, but has no texts, only names such as "
            f"{found[0]!r:.40}; {WHICH}"
        )
    yield from _zipped(
        repeat(language, len(texts)), range(len(texts)) if concepts is None else concepts, texts
    )


def _check_positions(texts: Mapping[str, Any]) -> None:
    """Refuse lists of different lengths: from the first gap on, positions would mean nothing."""
    lengths = {
        language: len(of_language)
        for language, of_language in texts.items()
        if isinstance(of_language, Sized) and not isinstance(of_language, str | bytes | Mapping)
    }
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{n} of {language!r}" for language, n in lengths.items())
        raise UserError(
            f"texts: {counted}; texts of one position belong together, so give as many of each "
            "language, None where there is none, or say by `concepts` what belongs together"
        )


def _positions(languages: Sequence[str]) -> list[int]:
    """Number the rows of each language from 0."""
    found, positions = [], {}
    for language in languages:
        positions[language] = positions.get(language, -1) + 1
        found.append(positions[language])
    return found


def _zipped(languages: Iterable, concepts: Any, texts: Sequence) -> Iterator[tuple[str, Any, Any]]:
    concepts = list(several("concepts", concepts))
    if len(concepts) != len(texts):
        raise UserError(
            f"concepts: {len(concepts)} for {len(texts)} texts; give one for each, in their order"
        )
    for language, concept, text in zip(languages, concepts, texts, strict=True):
        yield _plain(language), _plain(concept), _plain(text)


def _concepts_of(concepts: Any, language: str) -> Any:
    if not isinstance(concepts, Mapping):
        return concepts
    if language not in concepts:
        raise UserError(f"concepts: none for {language!r}; there: {_quoted(concepts)}")
    return concepts[language]


def _quoted(names: Iterable[Any]) -> str:
    return ", ".join(map(repr, names))


def _is_missing(text: Any) -> bool:
    """Whether there is no text: None, nan, or pandas' own values."""
    is_nan = isinstance(text, float) and text != text
    return text is None or is_nan or type(text).__name__ in ("NAType", "NaTType")


def _plain(value: Any) -> Any:
    """Return Python's own value of one of numpy's; an array stays as it is."""
    return value.item() if hasattr(value, "item") and value.size == 1 else value
