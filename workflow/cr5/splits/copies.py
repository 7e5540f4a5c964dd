"""Documents with equal texts: told where one of them is a query, or kept on one side of the split.

Texts of a language are equal if they are so after white space and case are folded. Texts of few
words, such as headings, are equal by chance: they are counted apart, and connect no concepts.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse import csgraph

from cr5.base.errors import UserError
from cr5.counts import documents
from cr5.splits.draw import Draw

log = logging.getLogger(__name__)

LEAST_WORDS = 5
REMEDY = "`splits.duplicates: together` prevents it"
COPIES = ["language", "concept", "query", "n_tokens", "trains"]
COPIED = ["first", "second", "language", "concept", "other"]


def folded(text: str) -> bytes:
    """Return what equal texts share, 16 bytes."""
    words = text.casefold().split()
    content = " ".join(words).encode()
    return blake2b(content, digest_size=16).digest()


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
    records = documents.stream(folder, ("concept", "text"), language=language)
    return folded_texts(records, kept)


def groups(texts: Iterable[pd.DataFrame]) -> pd.Series:
    """Number the groups of concepts that equal texts connect, in whichever language.

    `texts` has what `folded_texts` returns for each language. Returns the number of its group by
    concept, of the concepts that are not alone.
    """
    tables = [_edges(of_language) for of_language in texts]
    edges = pd.concat(tables, ignore_index=True)
    concepts = pd.Index(edges["concept"].unique()).sort_values()
    rows = concepts.get_indexer(edges["concept"])
    columns = concepts.get_indexer(edges["first"])
    ones = np.ones(len(edges))
    shape = (len(concepts), len(concepts))
    graph = sparse.coo_matrix((ones, (rows, columns)), shape)
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
    held_out: set[str] = set()
    for drawn in draws:
        held_out.update(drawn.held_out())
    tables: list[list[pd.DataFrame]] = [[pd.DataFrame(columns=COPIES)] for _ in draws]
    queries = {}
    for language, documents_of_language in told_apart(texts):
        for number, drawn in enumerate(draws):
            copies = copies_of_queries(documents_of_language, language, drawn, trained[number])
            tables[number].append(copies)
        is_query = documents_of_language["concept"].isin(held_out)
        queries[language] = documents_of_language[is_query]
    return [pd.concat(of_draw, ignore_index=True) for of_draw in tables], queries


def told_apart(texts: Iterable[tuple[str, pd.DataFrame]]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Pass on languages and their texts; UserError if two have the same under the same concepts."""
    languages: dict[bytes, str] = {}
    for language, of_language in texts:
        ordered = of_language.sort_values("concept")
        content = blake2b("\0".join(ordered["concept"]).encode())
        content.update(b"".join(ordered["text"]))
        first = languages.setdefault(content.digest(), language)
        if first != language and len(ordered):
            raise UserError(
                f"languages: {first!r} and {language!r} have the same texts, so that each would be "
                "found by its very copy: leave one out, or correct its files"
            )
        yield language, of_language


def copies_of_queries(
    texts: pd.DataFrame, language: str, drawn: Draw, trained: pd.DataFrame
) -> pd.DataFrame:
    """Find the documents of a language that have the text of a query, and are none themselves.

    Queries are those of any pair, to test or to validate. Returns the columns `COPIES`, in the
    order of the documents.
    """
    is_query = texts["concept"].isin(drawn.held_out())
    is_left_out = texts["concept"].isin(drawn.copies)
    queries = texts[is_query].drop_duplicates("text")
    query_of_text = queries.set_index("text")["concept"]
    documents_beside = texts[~is_query & ~is_left_out]
    query = documents_beside["text"].map(query_of_text)
    copies = documents_beside.assign(language=language, query=query).dropna(subset="query")
    training_concepts = trained.loc[trained["language"] == language, "concept"]
    copies["trains"] = copies["concept"].isin(training_concepts)
    return copies[COPIES]


def copied_queries(texts: Mapping[str, pd.DataFrame], drawn: Draw) -> pd.DataFrame:
    """Find the test queries whose text, in a language of their pair, another of the pair has.

    Returns the columns `COPIED`: a query of a pair is there once for each such language.
    """
    tables = [pd.DataFrame(columns=COPIED)]
    for first, second in drawn.pairs[["first", "second"]].itertuples(index=False):
        concepts = drawn.queries_of((first, second), "test")
        for language in (first, second):
            is_query = texts[language]["concept"].isin(concepts)
            copied = _copied(texts[language][is_query])
            copied = copied.assign(first=first, second=second, language=language)
            tables.append(copied[COPIED])
    return pd.concat(tables, ignore_index=True)


def _copied(texts: pd.DataFrame) -> pd.DataFrame:
    """Keep the texts of several concepts, each with the concept of another of these."""
    long = texts[texts["n_tokens"] >= LEAST_WORDS]
    copied = long[long.duplicated("text", keep=False)]
    concepts = copied.groupby("text")["concept"]
    first = concepts.transform("first")
    last = concepts.transform("last")
    return copied.assign(other=first.mask(first == copied["concept"], last))


def tell(
    draws: Sequence[Draw], copies: Sequence[pd.DataFrame], queries: Mapping[str, pd.DataFrame]
) -> list[str]:
    """Say what `find` found in the first draw in which it found something; log that of all."""
    warnings: list[str] = []
    for number, drawn in enumerate(draws):
        place = "splits"
        if len(draws) > 1:
            place += f", repetition {number + 1}"
        n_short = (copies[number]["n_tokens"] < LEAST_WORDS).sum()
        log.info("%s: copies of fewer than %d words: %d", place, LEAST_WORDS, n_short)
        sentences = [tell_copies(copies[number])]
        if queries:
            sentences.append(tell_copied(copied_queries(queries, drawn), drawn))
        sentences = [f"{place}: {sentence}" for sentence in sentences if sentence]
        for sentence in sentences:
            log.info("%s", sentence)
        warnings = warnings or sentences
    return warnings


def tell_copies(copies: pd.DataFrame) -> str:
    """Say how many documents have the text of a query, see `copies_of_queries`; empty if none."""
    long = copies[copies["n_tokens"] >= LEAST_WORDS]
    if long.empty:
        return ""
    example = long.iloc[0]
    n_trained = sum(long["trains"])
    n_short = len(copies) - len(long)
    short = f" (not counted: {n_short} of fewer than {LEAST_WORDS} words)" if n_short else ""
    return (
        "documents with the text of a test or validation document of another concept: "
        f"{len(long)} ({_numbers(long['language'])}), such as {example['concept']!r} with that of "
        f"{example['query']!r} in {example['language']}; {n_trained} may train{short}; {REMEDY}"
    )


def tell_copied(copied: pd.DataFrame, drawn: Draw) -> str:
    """Say how many queries have the text of another, see `copied_queries`; empty if none has."""
    if copied.empty:
        return ""
    example = copied.iloc[0]
    queries = copied.drop_duplicates(["first", "second", "concept"])
    pairs = queries["first"] + "-" + queries["second"]
    n_queries = drawn.pairs["test"].sum()
    return (
        "test queries with the text of another query of their pair, so that intervals are too "
        f"narrow: {len(queries)} of {n_queries} ({_numbers(pairs)}), such as "
        f"{example['concept']!r} with that of {example['other']!r} in {example['language']}; "
        f"{REMEDY}"
    )


def _numbers(names: pd.Series) -> str:
    """Count each name."""
    sizes = names.groupby(names).size()
    return ", ".join(f"{name} {number}" for name, number in sizes.items())
