"""Documents with equal texts: told where one of them is a query, or kept on one side of the split.

Texts of a language are equal if they are so after white space and case are folded. Texts of few
words, such as headings, are equal by chance: they are counted apart, and connect no concepts.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse import csgraph

from cr5.counts import documents
from cr5.splits.draw import Draw

log = logging.getLogger(__name__)

LEAST_WORDS = 5
REMEDY = "`splits.duplicates: together` prevents it"
COPIES = ["language", "concept", "query", "n_tokens", "trains"]
COPIED = ["first", "second", "language", "concept", "other"]


def folded(text: str) -> bytes:
    """Return what equal texts share, 16 bytes."""
    return blake2b(" ".join(text.casefold().split()).encode(), digest_size=16).digest()


def folded_texts(records: Iterable[tuple[str, str]], kept: pd.DataFrame) -> pd.DataFrame:
    """Fold the texts of records (concept, text), of the kept documents (concept, n_tokens) alone.

    Returns concept, text (folded), n_tokens.
    """
    concepts = frozenset(kept["concept"])
    rows = ((concept, folded(text)) for concept, text in records if concept in concepts)
    texts = pd.DataFrame(rows, columns=["concept", "text"])
    return texts.merge(kept[["concept", "n_tokens"]], on="concept")


def read_folded(folder: str | Path, kept: pd.DataFrame, language: str) -> pd.DataFrame:
    """Read the documents of a language as `folded_texts`; one text is in memory at a time."""
    return folded_texts(documents.stream(folder, ("concept", "text"), language=language), kept)


def groups(texts: Iterable[pd.DataFrame]) -> pd.Series:
    """Number the groups of concepts that equal texts connect, in whichever language.

    `texts` has what `folded_texts` returns for each language. Returns the number of its group by
    concept, of the concepts that are not alone.
    """
    edges = pd.concat([_edges(of_language) for of_language in texts], ignore_index=True)
    concepts = pd.Index(edges["concept"].unique()).sort_values()
    rows = concepts.get_indexer(edges["concept"])
    columns = concepts.get_indexer(edges["first"])
    shape = len(concepts), len(concepts)
    graph = sparse.coo_matrix((np.ones(len(rows)), (rows, columns)), shape)
    _, numbers = csgraph.connected_components(graph, directed=False)
    return pd.Series(numbers, concepts)


def _edges(texts: pd.DataFrame) -> pd.DataFrame:
    """Connect each concept whose text is there again to the first one with that text."""
    long = texts[texts["n_tokens"] >= LEAST_WORDS]
    repeated = long[long.duplicated("text", keep=False)]
    first = repeated.groupby("text")["concept"].transform("first")
    return pd.DataFrame({"concept": repeated["concept"], "first": first})


def find(
    texts: Iterable[tuple[str, pd.DataFrame]],
    draws: Sequence[Draw],
    trained: Sequence[pd.DataFrame],
) -> tuple[list[pd.DataFrame], dict[str, pd.DataFrame]]:
    """Look through the documents of each language for the texts of the queries of several draws.

    `texts` has languages and what `folded_texts` returns, of which one is in memory at a time;
    `trained` has the documents (concept, language) that train, for each draw.

    Returns the copies of each draw, see `copies_of_queries`, and by language the texts of all that
    is a query of any draw.
    """
    held_out = frozenset(chain.from_iterable(drawn.held_out() for drawn in draws))
    copies: list[list[pd.DataFrame]] = [[pd.DataFrame(columns=COPIES)] for _ in draws]
    queries = {}
    for language, own in texts:
        for number, drawn in enumerate(draws):
            found = copies_of_queries(own, language, drawn, trained[number])
            copies[number].append(found)
        queries[language] = own[own["concept"].isin(held_out)]
    return [pd.concat(tables, ignore_index=True) for tables in copies], queries


def copies_of_queries(
    texts: pd.DataFrame, language: str, drawn: Draw, trained: pd.DataFrame
) -> pd.DataFrame:
    """Find the documents of a language that have the text of a query, and are none themselves.

    Queries are those of any pair, to test or to validate. Returns the columns `COPIES`, in the
    order of the documents.
    """
    is_query = texts["concept"].isin(drawn.held_out())
    queries = texts[is_query].drop_duplicates("text").set_index("text")["concept"]
    others = texts[~is_query & ~texts["concept"].isin(drawn.copies)]
    copies = others.assign(language=language, query=others["text"].map(queries))
    copies = copies.dropna(subset="query")
    trains = trained.loc[trained["language"] == language, "concept"]
    return copies.assign(trains=copies["concept"].isin(trains))[COPIES]


def copied_queries(texts: Mapping[str, pd.DataFrame], drawn: Draw) -> pd.DataFrame:
    """Find the test queries whose text, in a language of their pair, another of the pair has.

    Returns the columns `COPIED`: a query of a pair is there once for each such language.
    """
    found = [pd.DataFrame(columns=COPIED)]
    for first, second in drawn.pairs[["first", "second"]].itertuples(index=False):
        queries = drawn.queries_of((first, second), "test")
        for language in (first, second):
            own = texts[language]
            asked = own[own["concept"].isin(queries) & (own["n_tokens"] >= LEAST_WORDS)]
            copied = asked[asked.duplicated("text", keep=False)]
            others = copied.groupby("text")["concept"]
            is_first = copied["concept"] == others.transform("first")
            other = others.transform("first").mask(is_first, others.transform("last"))
            rows = copied.assign(first=first, second=second, language=language, other=other)
            found.append(rows[COPIED])
    return pd.concat(found, ignore_index=True)


def warnings(
    draws: Sequence[Draw], copies: Sequence[pd.DataFrame], queries: Mapping[str, pd.DataFrame]
) -> list[str]:
    """Say what `find` found in the first draw in which it found something; log that of all."""
    told: list[str] = []
    for number, drawn in enumerate(draws):
        place = "splits" if len(draws) == 1 else f"splits, repetition {number + 1}"
        short = (copies[number]["n_tokens"] < LEAST_WORDS).sum()
        log.info(
            "%s: %d texts of fewer than %d words are those of queries", place, short, LEAST_WORDS
        )
        copied = copied_queries(queries, drawn) if queries else pd.DataFrame()
        said = [tell_copies(copies[number]), tell_copied(copied, drawn)]
        said = [f"{place}: {sentence}" for sentence in said if sentence]
        for sentence in said:
            log.info("%s", sentence)
        told = told or said
    return told


def tell_copies(copies: pd.DataFrame) -> str:
    """Say how many documents have the text of a query, see `copies_of_queries`; empty if none."""
    long = copies[copies["n_tokens"] >= LEAST_WORDS]
    if long.empty:
        return ""
    first = long.iloc[0]
    trained = sum(long["trains"])
    short = len(copies) - len(long)
    more = f" (not counted: {short} of fewer than {LEAST_WORDS} words)" if short else ""
    return (
        "documents with the text of a test or validation document of another concept: "
        f"{len(long)} ({_numbers(long['language'])}), such as {first['concept']!r} with that of "
        f"{first['query']!r} in {first['language']}; {trained} may train{more}; {REMEDY}"
    )


def tell_copied(copied: pd.DataFrame, drawn: Draw) -> str:
    """Say how many queries have the text of another, see `copied_queries`; empty if none has."""
    if copied.empty:
        return ""
    first = copied.iloc[0]
    queries = copied.drop_duplicates(["first", "second", "concept"])
    return (
        "test queries with the text of another query of their pair, so that intervals are too "
        f"narrow: {len(queries)} of {drawn.pairs['test'].sum()} "
        f"({_numbers(queries['first'] + '-' + queries['second'])}), such as {first['concept']!r} "
        f"with that of {first['other']!r} in {first['language']}; {REMEDY}"
    )


def _numbers(names: pd.Series) -> str:
    """Count each name."""
    return ", ".join(f"{name} {number}" for name, number in names.groupby(names).size().items())
