"""Documents with equal texts: told where one of them is a query, or kept on one side of the split.

Texts of a language are equal if they are so after white space and case are folded. Texts of few
words, such as headings, are equal by chance: they are counted apart, and connect no concepts.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse import csgraph

from cr5.base.errors import UserError
from cr5.counts import documents
from cr5.splits.corpus import concepts_in
from cr5.splits.draw import Draw

log = logging.getLogger(__name__)

LEAST_WORDS = 5
REMEDY = "`splits.duplicates: together` prevents it"
COPIES = ["language", "concept", "query", "n_tokens", "trains"]
COPIED = ["first", "second", "language", "concept", "other"]

LanguageAndTexts = tuple[str, pd.DataFrame]
"""A language, and what `folded_texts` returns for it."""
TextsByLanguage = Mapping[str, pd.DataFrame]


def folded(text: str) -> bytes:
    """Return what equal texts share, 16 bytes."""
    words = text.casefold().split()
    content = " ".join(words)
    return blake2b(content.encode(), digest_size=16).digest()


def folded_texts(records: Iterable[tuple[str, str]], kept_documents: pd.DataFrame) -> pd.DataFrame:
    """Fold the texts of records (concept, text), of the kept documents (concept, n_tokens) alone.

    Returns concept, text (folded), n_tokens.
    """
    kept_concepts = frozenset(kept_documents["concept"])
    rows = []
    for concept, text in records:
        if concept in kept_concepts:
            rows.append((concept, folded(text)))
    texts = pd.DataFrame(rows, columns=["concept", "text"])
    n_tokens = kept_documents[["concept", "n_tokens"]]
    return texts.merge(n_tokens, on="concept")


def read_folded(folder: str | Path, kept_documents: pd.DataFrame, language: str) -> pd.DataFrame:
    """Read the documents of a language as `folded_texts`; one text is in memory at a time."""
    records = documents.stream(folder, ("concept", "text"), language=language)
    return folded_texts(records, kept_documents)


def _long(table: pd.DataFrame) -> pd.DataFrame:
    """Keep the texts of so many words that they are not equal by chance."""
    is_long = table["n_tokens"] >= LEAST_WORDS
    return table[is_long]


def _repeated(texts: pd.DataFrame) -> pd.DataFrame:
    """Keep the long texts that several concepts have."""
    long_texts = _long(texts)
    is_repeated = long_texts.duplicated("text", keep=False)
    return long_texts[is_repeated]


def _texts_of(texts: pd.DataFrame, concepts: Collection[str]) -> pd.DataFrame:
    is_wanted = texts["concept"].isin(concepts)
    return texts[is_wanted]


def groups(texts: Iterable[pd.DataFrame]) -> pd.Series:
    """Number the groups of concepts that equal texts connect, in whichever language.

    `texts` has what `folded_texts` returns for each language. Returns the number of its group by
    concept, of the concepts that are not alone.
    """
    tables = [_edges(texts_of_language) for texts_of_language in texts]
    edges = pd.concat(tables, ignore_index=True)
    connected = edges["concept"]
    distinct = connected.unique()
    concepts = pd.Index(distinct).sort_values()
    rows = concepts.get_indexer(connected)
    columns = concepts.get_indexer(edges["first"])
    ones = np.ones(len(edges))
    entries = (ones, (rows, columns))
    n_concepts = len(concepts)
    graph = sparse.coo_matrix(entries, (n_concepts, n_concepts))
    _, numbers = csgraph.connected_components(graph, directed=False)
    return pd.Series(numbers, concepts)


def _edges(texts: pd.DataFrame) -> pd.DataFrame:
    """Connect each concept whose text is there again to the first one with that text."""
    repeated = _repeated(texts)
    concepts = repeated["concept"]
    concepts_of_texts = repeated.groupby("text")["concept"]
    first = concepts_of_texts.transform("first")
    return pd.DataFrame({"concept": concepts, "first": first})


def find(
    texts: Iterable[LanguageAndTexts],
    draws: Sequence[Draw],
    trained: Sequence[pd.DataFrame],
) -> tuple[list[pd.DataFrame], TextsByLanguage]:
    """Look through the documents of each language for the texts of the queries of several draws.

    Of `texts` one language is in memory at a time; `trained` has the documents (concept, language)
    that train, for each draw.

    Returns the copies of each draw, see `copies_of_queries`, and by language the texts of all that
    is a query of any draw.
    """
    held_out: set[str] = set()
    for drawn in draws:
        held_out.update(drawn.held_out())
    no_copies = pd.DataFrame(columns=COPIES)
    tables = [[no_copies] for _ in draws]
    queries = {}
    for language, texts_of_language in told_apart(texts):
        for number, drawn in enumerate(draws):
            copies = copies_of_queries(texts_of_language, language, drawn, trained[number])
            tables[number].append(copies)
        queries[language] = _texts_of(texts_of_language, held_out)
    copies_of_draws = [pd.concat(of_draw, ignore_index=True) for of_draw in tables]
    return copies_of_draws, queries


def told_apart(texts: Iterable[LanguageAndTexts]) -> Iterator[LanguageAndTexts]:
    """Pass on languages and their texts; UserError if two have the same under the same concepts."""
    languages: dict[bytes, str] = {}
    for language, texts_of_language in texts:
        content = _content(texts_of_language)
        first = languages.setdefault(content, language)
        if first != language and len(texts_of_language):
            raise UserError(
                f"languages: {first!r} and {language!r} have the same texts, so that each would be "
                "found by its very copy: leave one out, or correct its files"
            )
        yield language, texts_of_language


def _content(texts: pd.DataFrame) -> bytes:
    """Return what languages share that have the same texts under the same concepts."""
    ordered = texts.sort_values("concept")
    concepts = "\0".join(ordered["concept"])
    content = blake2b(concepts.encode())
    content.update(b"".join(ordered["text"]))
    return content.digest()


def copies_of_queries(
    texts: pd.DataFrame, language: str, drawn: Draw, trained: pd.DataFrame
) -> pd.DataFrame:
    """Find the documents of a language that have the text of a query, and are none themselves.

    Queries are those of any pair, to test or to validate. Returns the columns `COPIES`, in the
    order of the documents.
    """
    concepts = texts["concept"]
    is_query = concepts.isin(drawn.held_out())
    is_left_out = concepts.isin(drawn.copies)
    is_searched = ~(is_query | is_left_out)
    queries = texts[is_query].drop_duplicates("text")
    query_of_text = queries.set_index("text")["concept"]
    documents_beside = texts[is_searched]
    query = documents_beside["text"].map(query_of_text)
    with_query = documents_beside.assign(language=language, query=query)
    copies = with_query.dropna(subset="query")
    training_concepts = concepts_in(trained, language)
    copies["trains"] = copies["concept"].isin(training_concepts)
    return copies[COPIES]


def copied_queries(texts: TextsByLanguage, drawn: Draw) -> pd.DataFrame:
    """Find the test queries whose text, in a language of their pair, another of the pair has.

    Returns the columns `COPIED`: a query of a pair is there once for each such language.
    """
    tables = [pd.DataFrame(columns=COPIED)]
    pairs = drawn.pairs[["first", "second"]]
    for first, second in pairs.itertuples(index=False):
        queries = drawn.queries_of((first, second), "test")
        for language in (first, second):
            texts_of_language = texts[language]
            texts_of_queries = _texts_of(texts_of_language, queries)
            if texts_of_queries["text"].is_unique:  # as in most pairs, of which there are hundreds
                continue
            copied = _copied(texts_of_queries)
            copied = copied.assign(first=first, second=second, language=language)
            tables.append(copied[COPIED])
    return pd.concat(tables, ignore_index=True)


def _copied(texts: pd.DataFrame) -> pd.DataFrame:
    """Keep the texts of several concepts, each with the concept of another of these."""
    copied = _repeated(texts)
    concepts_of_texts = copied.groupby("text")["concept"]
    first = concepts_of_texts.transform("first")
    last = concepts_of_texts.transform("last")
    is_first = first == copied["concept"]
    other = first.mask(is_first, last)
    return copied.assign(other=other)


def tell(
    draws: Sequence[Draw], copies: Sequence[pd.DataFrame], queries: TextsByLanguage
) -> list[str]:
    """Say what `find` found in the first draw in which it found something; log that of all."""
    warnings: list[str] = []
    for number, drawn in enumerate(draws):
        place = "splits"
        if len(draws) > 1:
            place += f", repetition {number + 1}"
        copies_of_draw = copies[number]
        n_short = len(copies_of_draw) - len(_long(copies_of_draw))
        log.info("%s: copies of fewer than %d words: %d", place, LEAST_WORDS, n_short)
        sentences = [tell_copies(copies_of_draw)]
        if queries:
            copied = copied_queries(queries, drawn)
            sentences.append(tell_copied(copied, drawn))
        sentences = [f"{place}: {sentence}" for sentence in sentences if sentence]
        for sentence in sentences:
            log.info("%s", sentence)
        if not warnings:
            warnings = sentences
    return warnings


def tell_copies(copies: pd.DataFrame) -> str:
    """Say how many documents have the text of a query, see `copies_of_queries`; empty if none."""
    long_copies = _long(copies)
    if long_copies.empty:
        return ""
    example = long_copies.iloc[0]
    n_copies = len(long_copies)
    numbers = _numbers(long_copies["language"])
    n_trained = sum(long_copies["trains"])
    n_short = len(copies) - n_copies
    short = ""
    if n_short:
        short = f" (not counted: {n_short} of fewer than {LEAST_WORDS} words)"
    return (
        "documents with the text of a test or validation document of another concept: "
        f"{n_copies} ({numbers}), such as {example['concept']!r} with that of "
        f"{example['query']!r} in {example['language']}; {n_trained} may train{short}; {REMEDY}"
    )


def tell_copied(copied: pd.DataFrame, drawn: Draw) -> str:
    """Say how many queries have the text of another, see `copied_queries`; empty if none has."""
    if copied.empty:
        return ""
    example = copied.iloc[0]
    queries = copied.drop_duplicates(["first", "second", "concept"])
    n_copied = len(queries)
    n_queries = drawn.pairs["test"].sum()
    pairs = queries["first"] + "-" + queries["second"]
    numbers = _numbers(pairs)
    return (
        "test queries with the text of another query of their pair, so that intervals are too "
        f"narrow: {n_copied} of {n_queries} ({numbers}), such as "
        f"{example['concept']!r} with that of {example['other']!r} in {example['language']}; "
        f"{REMEDY}"
    )


def _numbers(names: pd.Series) -> str:
    """Count each name."""
    sizes = names.groupby(names).size()
    counts = [f"{name} {number}" for name, number in sizes.items()]
    return ", ".join(counts)
