"""Check the concepts of somebody's own files: whether languages share any, and a given split."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import combinations, islice
from typing import Any

import pandas as pd

from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.corpora.reading import Reading
from cr5.plan.check import Finding, tried
from cr5.plan.corpus import has_text, module, own_files
from cr5.splits.given import given_roles, read_split
from cr5.splits.unmatched import nearly_the_same

ALL = 20_000  # documents of a language; of more, concepts are not read here


def concepts(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Check concepts, where they can be read in seconds; else the file of a split alone."""
    splits, found = config["splits"], {}
    with suppress(UserError, OSError):  # of the texts, which are checked by themselves
        found = _concepts(config)
    if splits.get("given"):
        yield _split(splits["given"], found)
    elif found and any(splits["max_share"].values()):
        yield tried("corpus.concept: shared by languages", lambda: _check_shared(found))


def _concepts(config: Mapping[str, Any]) -> dict[str, pd.Index]:
    """Return the concepts by language; empty if they are too many, none, or not in files."""
    corpus, languages = config["corpus"], config["languages"]
    if not (has_text(corpus) and corpus.get("path")):
        return {}
    source, found = load_module(module(corpus), "records"), {}
    if hasattr(source, "find"):
        return {}
    for language in languages:
        reading = Reading(own_files(corpus, language), language, languages, corpus)
        names = [concept for concept, *_ in islice(source.records(reading), ALL)]
        if not 0 < len(names) < ALL:
            return {}
        found[language] = pd.Index(names)
    return found


def _split(given: str | Mapping[str, Any], found: Mapping[str, pd.Index]) -> Finding:
    if found:
        every = pd.Index(sorted(set().union(*found.values())))
        return tried("splits.given", lambda: given_roles(every, given))
    return tried("splits.given", lambda: read_split(given) if isinstance(given, str) else None)


def _check_shared(found: Mapping[str, pd.Index]) -> None:
    if any(not found[x].intersection(found[y]).empty for x, y in combinations(found, 2)):
        return
    such = ", ".join(f"{names[0]!r} in {language!r}" for language, names in found.items())
    pairs = pd.DataFrame(
        [(*pair, 0) for pair in combinations(sorted(found), 2)],
        columns=["first", "second", "concepts"],
    )
    raise UserError(
        " ".join(
            [
                f"corpus.concept: no concept is in two languages, such as {such}: documents on the "
                "same thing must have the same one.",
                *nearly_the_same(found, pairs),
            ]
        )
    )
