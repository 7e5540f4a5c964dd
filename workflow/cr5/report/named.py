"""Find the queries that the configuration names by title or concept."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

import pandas as pd

from cr5.base.errors import UserError
from cr5.splits.drawn import Draw

PLACE = "evaluation.examples.named"


def asked(drawn: Draw, pairs: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    """Return the concepts of the test queries by language.

    Args:
        drawn: queries of all pairs.
        pairs: searched pairs of languages.
    """
    found: dict[str, set[str]] = {}
    for pair in pairs:
        concepts = drawn.queries_of(tuple(pair), "test")
        for language in pair:
            found.setdefault(language, set()).update(concepts)
    return found


def resolve(
    named: Sequence[Mapping[str, str]],
    titles: Mapping[str, pd.Series],
    queries: Mapping[str, set[str]],
) -> list[tuple[str, str]]:
    """Find the named test queries.

    Args:
        named: each with `language`, and `title` or `concept`.
        titles: per language, title by concept.
        queries: per language, concepts of the test queries.

    Returns:
        Language and concept of each, in the given order.

    Raises:
        UserError: no such document, several with that title, or not a test query; it suggests the
            test queries with the nearest titles.
    """
    return [_found(each, titles, queries) for each in named]


def _found(each: Mapping[str, str], titles, queries) -> tuple[str, str]:
    language = each["language"]
    known, own = titles.get(language, pd.Series(dtype=str)), queries.get(language, set())
    of_queries = known[known.index.isin(own)]
    what = each.get("title", each.get("concept"))
    if "concept" in each:
        concepts, names = known.index[known.index == what], of_queries.index
    else:
        concepts = known.index[known.map(_plain, na_action="ignore") == _plain(what)]
        names = of_queries.dropna()
    among = [concept for concept in concepts if concept in own]
    if len(among) == 1:
        return language, among[0]
    raise UserError(f"{PLACE}: {what!r} in {language!r}: {_wrong(what, concepts, among, names)}")


def _wrong(what: str, concepts: Sequence[str], among: Sequence[str], names: Iterable[str]) -> str:
    if among:
        return f"test queries of several concepts have this title; name one: {', '.join(among)}"
    near = get_close_matches(what, list(dict.fromkeys(map(str, names))), 3, cutoff=0)
    nearest = f"; the nearest that are: {', '.join(map(repr, near))}" if near else ""
    there = "this document is no test query" if len(concepts) else "there is no such document"
    return f"{there} (test queries are drawn at random, by `seed`){nearest}"


def _plain(title: str) -> str:
    return unicodedata.normalize("NFC", title).strip()
