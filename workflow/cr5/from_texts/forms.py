"""Texts as callers have them: by language, or in a frame, told by its `columns`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from cr5.base import text_files
from cr5.base.errors import UserError
from cr5.base.languages import is_code
from cr5.counts.documents import Record
from cr5.plan.names import CODE
from cr5.retrieval.given import several

LANGUAGE, CONCEPT, TEXT = "language", "concept", "text"
OF_LANGUAGE = f"{TEXT}_"  # before a code: the column of texts in that language, as in files
IDS = "id"  # of a frame, where nobody says that it is Indonesian
EXPECTED = (
    "texts by language, {'en': [...], 'fr': [...]}; a frame with the columns language, "
    "text and, unless texts of one position belong together, concept; or a frame with a column "
    "of texts for each language, en or text_en. Files are read by `cr5 fit en=FILE fr=FILE -o OUT`"
)

Documents = dict[str, list[Record]]
"""By language, concept, title and text of each document."""


def documents(
    texts: Any, concepts: Any = None, languages: Sequence[str] | None = None
) -> Documents:
    """Gather the documents of each language, in the order given; titles are the concepts.

    Args:
        texts: by language the texts, or a mapping of concepts to texts; or a frame. A missing text,
            None or nan, is no document.
        concepts: what each text is about, where `texts` does not say: one list for all languages,
            or one by language; by default the position of the text.
        languages: those to take; of a frame, its columns of texts. By default all.
    """
    by_language = _by_language(texts, concepts, languages)
    for language in languages or ():
        if language not in by_language:
            raise UserError(f"languages: expected some of {[*by_language]}; found {language!r}")
    found: Documents = {}
    for language in by_language if languages is None else languages:
        if not (re.fullmatch(CODE, language) and is_code(language)):
            raise UserError(
                f"texts: {language!r:.40} is not the code of a language, such as 'en' or 'pt_br'; "
                f"expected {EXPECTED}"
            )
        if records := list(_records(language, by_language[language])):
            found[language] = records
    for one, other in combinations(found, 2):
        if found[one] == found[other]:
            raise UserError(
                f"texts: {one!r} and {other!r} have the same texts, so that each would be found by "
                "its very copy; is a file, or a column, named twice?"
            )
    return found


def _records(language: str, pairs: Sequence[tuple[Any, Any]]) -> Iterator[Record]:
    seen = set()
    for concept, text in pairs:
        if pd.api.types.is_scalar(text) and pd.isna(text):
            continue
        where = f"texts, {language}, concept {concept!r}"
        name = text_files.name(CONCEPT, _plain(concept), where)
        if name in seen:
            raise UserError(
                f"{where}: the concept is there twice; a language may have one document per "
                "concept: join them or remove one"
            )
        seen.add(name)
        yield name, name, text_files.text(TEXT, _plain(text), where)


def _by_language(
    texts: Any, concepts: Any, languages: Sequence[str] | None
) -> dict[str, list[tuple[Any, Any]]]:
    """Concepts and texts of each language."""
    if hasattr(texts, "columns"):
        texts, concepts = _of_frame(texts, concepts, languages)
    if not isinstance(texts, Mapping):
        raise UserError(f"texts: expected {EXPECTED}; found {type(texts).__name__}")
    pairs, lengths = {}, {}
    for name, each in texts.items():
        language = str(name).removeprefix(OF_LANGUAGE)
        if languages is not None and language not in languages:
            continue
        if isinstance(each, Mapping):
            pairs[language] = list(each.items())
            continue
        own = concepts.get(language, ()) if isinstance(concepts, Mapping) else concepts
        pairs[language] = _paired(own, each)
        if own is None:
            lengths[language] = len(pairs[language])
    if len(set(lengths.values())) > 1:
        raise UserError(
            f"texts: {', '.join(f'{n} of {x!r}' for x, n in lengths.items())}; texts of one "
            "position belong together, so give as many of each language, None (in a file an empty "
            "line) where there is none, or say by `concepts` (a column `concept`) what belongs "
            "together"
        )
    return pairs


def _of_frame(frame: Any, concepts: Any, languages: Sequence[str] | None) -> tuple[Any, Any]:
    """Texts by language of a frame's rows or columns, and their concepts."""
    columns = list(frame.columns)
    if concepts is None and CONCEPT in columns:
        concepts = list(frame[CONCEPT])
    if LANGUAGE in columns and TEXT in columns:
        texts, of = {}, {}
        for number, (language, text) in enumerate(zip(frame[LANGUAGE], frame[TEXT], strict=True)):
            texts.setdefault(str(language), []).append(text)
            of.setdefault(str(language), []).append(concepts and concepts[number])
        return texts, concepts and of
    if languages is not None:
        named = [x for x in columns if str(x).removeprefix(OF_LANGUAGE) in languages]
    else:
        marked = [x for x in columns if str(x).startswith(OF_LANGUAGE)]
        named = marked or [x for x in columns if is_code(str(x)) and x != IDS]
        if not named:
            raise UserError(f"texts: expected {EXPECTED}; there are {columns}")
    return {x: list(frame[x]) for x in named}, concepts


def _paired(concepts: Any, texts: Any) -> list[tuple[Any, Any]]:
    texts = list(several("texts", texts))
    concepts = range(len(texts)) if concepts is None else list(several("concepts", concepts))
    if len(concepts) != len(texts):
        raise UserError(
            f"concepts: {len(concepts)} for {len(texts)} texts; give one for each, in their order"
        )
    return list(zip(concepts, texts, strict=True))


def _plain(value: Any) -> Any:
    """Return Python's own value of one of numpy's; an array stays as it is."""
    return value.item() if hasattr(value, "item") and value.size == 1 else value
