"""Texts as callers have them: by language, or in a frame."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import pandas as pd

from cr5.base import text_files
from cr5.base.errors import UserError
from cr5.base.languages import base_language
from cr5.counts.documents import Record
from cr5.retrieval.embedder import several

LANGUAGE, CONCEPT, TEXT = "language", "concept", "text"
LONGEST_CODE = 3  # letters of a language, without its variant
EXPECTED = (
    "texts by language, {'en': [...], 'fr': [...]}; or a frame with the columns language, text "
    "and, unless texts of one position belong together, concept. Files are read by `cr5 fit "
    "en=FILE fr=FILE -o OUT`"
)

Documents = dict[str, list[Record]]
"""By language, concept, title and text of each document."""


def documents(texts: Any, concepts: Any = None) -> Documents:
    """Gather the documents of each language, in the order given; titles are the concepts.

    Texts and concepts are as `fit` takes them. A missing text, None or nan, is no document.
    """
    every = {x: list(_records(x, pairs)) for x, pairs in _pairs(texts, concepts).items()}
    found = {x: records for x, records in every.items() if records}
    for one, other in combinations(found, 2):
        if found[one] == found[other]:
            raise UserError(
                f"texts: {one!r} and {other!r} have the same texts, so that each would be found by "
                "its very copy; is a file, or a column, named twice?"
            )
    return found


def _pairs(texts: Any, concepts: Any) -> dict[str, list[tuple[Any, Any]]]:
    """Concepts and texts of each language."""
    if hasattr(texts, "columns") and {LANGUAGE, TEXT} <= {*texts.columns}:
        rows = dict(list(texts.groupby(LANGUAGE, sort=False, dropna=False, observed=True)))
        if CONCEPT in texts.columns:  # of which a language may have none
            every = {x: of[CONCEPT] for x, of in rows.items()}
            concepts = {x: own if own.notna().any() else None for x, own in every.items()}
        texts = {x: of[TEXT] for x, of in rows.items()}
    if not isinstance(texts, Mapping):
        raise UserError(f"texts: expected {EXPECTED}; found {type(texts).__name__}")
    pairs, numbered = {}, {}
    for language, each in texts.items():
        if not isinstance(language, str) or len(base_language(language)) > LONGEST_CODE:
            raise UserError(
                f"texts: {language!r:.40} is not the code of a language, such as 'en' or 'pt_br'; "
                f"expected {EXPECTED}"
            )
        own = concepts.get(language, ()) if isinstance(concepts, Mapping) else concepts
        if isinstance(each, Mapping):
            own, each = each.keys(), each.values()
        each = list(several("texts", each))
        if own is None:
            numbered[language], own = len(each), range(len(each))
        own = list(several("concepts", own))
        if len(own) != len(each):
            raise UserError(
                f"concepts: {len(own)} for {len(each)} texts; give one for each, in their order"
            )
        pairs[language] = list(zip(own, each, strict=True))
    if len({*numbered.values()}) > 1:
        raise UserError(
            f"texts: {', '.join(f'{n} of {x!r}' for x, n in numbered.items())}; texts of one "
            "position belong together, so give as many of each language, None (in a file an empty "
            "line) where there is none, or say by `concepts` (a column `concept`) what belongs "
            "together"
        )
    return pairs


def _records(language: str, pairs: list[tuple[Any, Any]]) -> Iterator[Record]:
    seen = set()
    for number, (concept, text) in enumerate(pairs, start=1):
        if pd.api.types.is_scalar(text) and pd.isna(text):
            continue
        where = f"texts, {language}, number {number}, concept {concept!r}"
        name = text_files.name(CONCEPT, concept, where)
        if name in seen:
            raise UserError(
                f"{where}: the concept is there twice; a language may have one document per "
                "concept: join them or remove one"
            )
        seen.add(name)
        yield name, name, text_files.text(TEXT, text, where)
