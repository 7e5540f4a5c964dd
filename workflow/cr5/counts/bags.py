"""Bags of words: documents x words counts of one language, its vocabulary, its documents."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import BAGS, VECTORS, fingerprint
from cr5.base.matrices import read_npz
from cr5.base.tables import read_parquet
from cr5.counts.columns import columns_of, selected
from cr5.counts.documents import texts as read_texts
from cr5.counts.filtering import keep, summarise
from cr5.counts.rules import Rules

log = logging.getLogger(__name__)

COUNTS, WORDS, DOCUMENTS = "counts.npz", "words.parquet", "documents.parquet"
SUMMARY = "summary.json"


@dataclass(frozen=True)
class Bags:
    """The bags of words of one language.

    Attributes:
        counts: documents x words, int32, sorted indices; float64 if they are given weights.
        words: word, document_frequency, collection_frequency; by descending collection
            frequency, then by word; a given vocabulary keeps its order. All that a model may choose
            from, see `counts.vocabulary`, or its own.
        documents: concept, title, n_tokens, n_unique, and label if there are labels; in order.
        texts: reads the texts of documents by their concepts, in their order; None where only their
            counts are needed.
    """

    counts: sparse.csr_matrix
    words: pd.DataFrame
    documents: pd.DataFrame
    texts: Callable[[Iterable[str]], list[str]] | None = None

    def rows(self, concepts: Iterable[str]) -> np.ndarray:
        """Row numbers of the given concepts, in their order; KeyError for an unknown one."""
        index = pd.Index(self.documents["concept"])
        found = index.get_indexer(pd.Index(concepts))
        if (found < 0).any():
            raise KeyError(list(pd.Index(concepts)[found < 0][:5]))
        return found

    def of(self, concepts: Iterable[str]) -> "Bags":
        """Some of the documents, with all words."""
        rows = self.rows(concepts)
        documents = self.documents.iloc[rows].reset_index(drop=True)
        return replace(self, counts=self.counts[rows], documents=documents)

    def columns(self, words: Iterable[str]) -> sparse.csr_matrix:
        """Which of these words become which words of a model; see `columns.columns_of`."""
        return columns_of(words, self.words["word"])

    def select(self, words: Sequence[str]) -> "Bags":
        """The same documents with the words of a model; beginnings, the last, have no row."""
        rows = pd.Index(self.words["word"]).get_indexer(pd.Index(words))
        kept = self.words.iloc[rows[rows >= 0]].reset_index(drop=True)
        return replace(self, counts=selected(self.counts, self.columns(words)), words=kept)


def build(
    records: Iterable[tuple[str, str, list[str]]],
    rules: Rules,
    language: str,
    vocabulary: Sequence[str] | None = None,
) -> tuple[Bags, dict]:
    """Count words, choose those of all documents that may be needed, filter the documents.

    Args:
        records: (concept, title, tokens) of every document.
        rules: thresholds.
        language: for messages.
        vocabulary: to use instead of the one that the rules choose.

    Returns:
        The bags and a summary, see `filtering.summarise`.

    Raises:
        UserError: no document passes the filter.
    """
    counts, words, documents = _count(records, vocabulary or ())
    in_documents = np.bincount(counts.indices, minlength=len(words))
    in_collection = np.bincount(counts.indices, counts.data, minlength=len(words)).astype(np.int64)
    n_distinct = int(np.count_nonzero(in_documents))
    if vocabulary is None:
        order = most_frequent(words, in_documents, in_collection, rules)[: rules.most_in_bags]
        check_vocabulary(len(order), n_distinct, rules, language)
    else:
        order = np.arange(len(vocabulary))
        check_given(in_documents[order], n_distinct, language)
    kept_words = pd.DataFrame(
        {
            "word": [words[i] for i in order],
            "document_frequency": in_documents[order],
            "collection_frequency": in_collection[order],
        }
    )
    return filtered(counts[:, order], kept_words, documents, n_distinct, rules, language)


def filtered(
    counts: sparse.csr_matrix,
    words: pd.DataFrame,
    documents: pd.DataFrame,
    n_distinct: int,
    rules: Rules,
    language: str,
) -> tuple[Bags, dict]:
    """Keep the documents that have neither too few nor too many unique words.

    Args:
        counts: documents x words.
        words: the vocabulary.
        documents: all of them.
        n_distinct: words before the vocabulary was chosen.
        rules: thresholds.
        language: for messages.

    Returns:
        The bags and a summary, see `filtering.summarise`.

    Raises:
        UserError: no document passes the filter.
    """
    unique = documents["n_unique"].to_numpy()
    if rules.unique_words_in == "vocabulary":
        most = rules.max_words if rules.training_chooses else None
        unique = np.diff(counts[:, :most].indptr)
    rows = keep(unique, rules, language)
    kept, kept_counts = documents.iloc[rows].reset_index(drop=True), counts[rows]
    kept_counts.sort_indices()
    sizes = unique, kept, n_distinct, len(words), int(kept_counts.nnz)
    return Bags(kept_counts, words, kept), summarise(language, *sizes)


def given_words(vectors: str | Path | None, language: str) -> list[str] | None:
    """Read the words of given vectors, if these are the vocabulary; None if there are none."""
    if not vectors:
        return None
    artefacts.checked(VECTORS, vectors, language=language)
    return read_parquet(vectors, ["word"])["word"].tolist()


def check_vocabulary(kept: int, distinct: int, rules: Rules, language: str) -> None:
    """Raise `UserError` if no word is left."""
    if distinct and not kept:
        raise UserError(
            f"Language {language!r}: none of its {distinct} words is in {rules.min_documents} "
            "documents or more (key bags.min_documents). Lower it, or bring more documents."
        )


def check_given(in_documents: np.ndarray, distinct: int, language: str) -> None:
    """Raise `UserError` if a given vocabulary does not fit the text.

    Args:
        in_documents: document frequency of each given word.
        distinct: number of distinct words in the text.
        language: for messages.
    """
    if distinct and not in_documents.any():
        raise UserError(
            f"Language {language!r}: none of the {len(in_documents)} words of the given vectors is "
            f"one of the {distinct} of the text; are they of another language, or not lower-cased?"
        )
    found = np.count_nonzero(in_documents)
    log.info("%s: %d of %d given words are in the text", language, found, len(in_documents))


def _count(records: Iterable[tuple[str, str, list[str]]], known: Iterable[str]):
    """In one pass: counts of the known words, then of others in order of first occurrence."""
    numbers = {word: number for number, word in enumerate(known)}
    indices, data, lengths, documents = [], [], [], []
    for concept, title, tokens in records:
        bag = Counter(tokens)
        indices.append(np.array([numbers.setdefault(word, len(numbers)) for word in bag], np.int32))
        data.append(np.array(list(bag.values()), np.int32))
        lengths.append(len(bag))
        documents.append((concept, title, len(tokens), len(bag)))
    indptr = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    empty = [np.zeros(0, np.int32)]
    counts = sparse.csr_matrix(
        (np.concatenate(data or empty), np.concatenate(indices or empty), indptr),
        shape=(len(documents), len(numbers)),
    )
    columns = ["concept", "title", "n_tokens", "n_unique"]
    return counts, list(numbers), pd.DataFrame(documents, columns=columns)


def most_frequent(
    words: Sequence[str], in_documents: np.ndarray, frequency: np.ndarray, rules: Rules
) -> np.ndarray:
    """Numbers of words in enough documents, by descending frequency, ties by the word itself."""
    kept = np.flatnonzero(in_documents >= rules.min_documents)
    return np.array(sorted(kept, key=lambda i: (-frequency[i], words[i])), np.int64)


def save(folder: str | Path, bags: Bags, summary: dict) -> None:
    """Write counts.npz, words.parquet, documents.parquet and summary.json, all or nothing."""
    with written(folder, bags.words, bags.documents, summary) as temporary:
        sparse.save_npz(temporary / COUNTS, bags.counts, compressed=False)


@contextmanager
def written(
    folder: str | Path, words: pd.DataFrame, documents: pd.DataFrame, summary: dict
) -> Iterator[Path]:
    """Write all but the counts; yield the folder to callers that write the counts themselves."""
    language = summary["language"]
    depends_on = {
        f"vocabulary of {language}": fingerprint(words["word"]),
        f"documents of {language}": fingerprint(documents["concept"]),
    }
    with artefacts.written(BAGS, folder, {"language": language}, depends_on) as temporary:
        yield temporary
        words.to_parquet(temporary / WORDS, index=False)
        documents.to_parquet(temporary / DOCUMENTS, index=False)
        (temporary / SUMMARY).write_text(json.dumps(summary) + "\n", encoding="utf-8")


def load(folder: str | Path, language: str, texts: str | Path | None = None) -> Bags:
    """Read what `save` wrote.

    Args:
        folder: of the bags.
        language: that they must have.
        texts: the file of their documents, see `counts.documents`; None if their texts are not
            needed.

    Raises:
        UserError: they are of another language, or a file of them is missing or incomplete.
    """
    found = artefacts.opened(BAGS, folder, language=language)
    return Bags(
        read_npz(found.file(COUNTS)),
        read_parquet(found.file(WORDS)),
        read_parquet(found.file(DOCUMENTS)),
        texts and partial(read_texts, texts, language=language),
    )


def read_words(folder: str | Path, language: str) -> list[str]:
    """Read the vocabulary alone; UserError as in `load`."""
    return read_parquet(artefacts.opened(BAGS, folder, language=language).file(WORDS), ["word"])[
        "word"
    ].tolist()


def read_documents(folder: str | Path, language: str, columns: Sequence[str]) -> pd.DataFrame:
    """Read some columns of the documents alone; UserError as in `load`."""
    return read_parquet(artefacts.opened(BAGS, folder, language=language).file(DOCUMENTS), columns)


def read_summary(folder: str | Path) -> dict:
    """Read the summary alone; UserError as in `load`."""
    return json.loads(artefacts.opened(BAGS, folder).file(SUMMARY).read_text(encoding="utf-8"))
