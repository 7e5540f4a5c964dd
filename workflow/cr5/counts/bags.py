"""Bags of words: documents x words counts of one language, its vocabulary, its documents."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from cr5.base.artefacts import Artefact
from cr5.base.artefacts import making as making_artefact
from cr5.base.errors import LeftOutError, UserError
from cr5.counts.columns import columns_of, selected
from cr5.counts.counting import Piece, count
from cr5.counts.documents import Record
from cr5.counts.documents import texts as read_texts
from cr5.counts.filtering import keep, summarise
from cr5.counts.rules import Rules
from cr5.counts.tokens import Tokens, tokenise

log = logging.getLogger(__name__)

KIND = "bags of words"
WORDS, DOCUMENTS, SUMMARY = "words.parquet", "documents.parquet", "summary.json"
ARRAYS = "data", "indices", "indptr"  # of the counts: a file each
WORD_COLUMNS = ["word", "document_frequency", "collection_frequency"]
TOGETHER = 8  # pieces whose words are added up at a time: a language has millions of them


@dataclass(frozen=True)
class Bags:
    """The bags of words of one language.

    Attributes:
        counts: documents x words, int32, sorted indices; float64 if they are given weights.
        words: word, document_frequency, collection_frequency; by descending collection
            frequency, then by word; a given vocabulary keeps its order. All that a model may choose
            from, see `of_training`, or its own.
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


def choose(
    pieces: Iterable[Piece], rules: Rules, language: str, given: Sequence[str] | None = None
) -> tuple[pd.DataFrame, int]:
    """Choose the words of bags: all that a model may choose from, see `of_training`.

    Args:
        pieces: of all documents; they are read once.
        rules: `min_documents`, `max_words`, `vocabulary`.
        language: for messages.
        given: words to take instead, in their order.

    Returns:
        The table `Bags.words`, and how many different words the documents have.

    Raises:
        UserError: no word is in enough documents, or none of the given ones in any.
    """
    found = _frequencies(pieces)
    if given is not None:
        words = found.to_pandas().set_index("word")
        words = words.reindex(pd.Index(given, name="word"), fill_value=0).reset_index()
        check_given(words["document_frequency"].to_numpy(), len(found), language)
        return words, len(found)
    often = found.filter(pc.greater_equal(found["document_frequency"], rules.min_documents))
    order = [("collection_frequency", "descending"), ("word", "ascending")]
    words = often.sort_by(order).slice(0, rules.most_in_bags).to_pandas()
    check_vocabulary(len(words), len(found), rules, language)
    return words, len(found)


def build(
    pieces: Iterable[Piece],
    names: pd.DataFrame,
    chosen: tuple[pd.DataFrame, int],
    rules: Rules,
    language: str,
    folder: Path | None = None,
) -> tuple[Bags, dict]:
    """Keep the documents that have neither too few nor too many unique words.

    Args:
        pieces: of all documents; they are read twice.
        names: concept, title, and label if there are labels, of each document.
        chosen: words and the number of different ones, as of `choose`.
        rules: thresholds.
        language: for messages.
        folder: where the counts are to be written, for more than memory holds; None: nowhere.

    Returns:
        The bags and a summary, see `filtering.summarise`.

    Raises:
        UserError: no document passes the filter.
    """
    words, n_distinct = chosen
    known = pa.array(words["word"], pa.string())
    most = rules.max_words if rules.training_chooses else None
    in_text, in_bags, often, n_tokens = map(
        np.concatenate,
        zip(*(_lengths(piece, known, most) for piece in pieces), strict=True),
    )
    unique = often if rules.unique_words_in == "vocabulary" else in_text
    rows = keep(unique, rules, language)
    documents = names.assign(n_tokens=n_tokens, n_unique=in_text).iloc[rows]
    documents = documents.reset_index(drop=True)
    counts = _filled(pieces, known, rows, in_bags[rows], folder)
    sizes = unique, documents, n_distinct, len(words), int(counts.nnz)
    return Bags(counts, words, documents), summarise(language, *sizes)


def counted(
    records: Iterable[Record],
    rules: Rules,
    language: str,
    given: Sequence[str] | None = None,
    tokens: Tokens = tokenise,
) -> tuple[Bags, dict]:
    """Make bags of a few documents, in memory.

    Args:
        records: concept, title and text of each.
        rules: thresholds.
        language: of all of them.
        given: vocabulary to use instead of the one that the rules choose.
        tokens: how texts become words.

    Returns:
        As `build`.

    Raises:
        UserError: as of `choose` and `build`.
    """
    table = pd.DataFrame(records, columns=["concept", "title", "text"])
    pieces = [count(table["text"], language, tokens)]
    chosen = choose(pieces, rules, language, given)
    return build(pieces, table[["concept", "title"]], chosen, rules, language)


def of_training(bags: Bags, concepts: Iterable[str], rules: Rules, language: str) -> Bags:
    """Keep the words that training documents choose (Cr5, Sec. 4.1).

    Args:
        bags: of one language, with all words that a model may choose from.
        concepts: of the training documents.
        rules: `vocabulary` says whether they choose, and by which frequency.
        language: for messages.

    Returns:
        All documents, with the chosen words and their frequencies in the training documents; by
        descending frequency, ties by the word. The same bags if training does not choose.

    Raises:
        LeftOutError: no word is in enough training documents.
    """
    if not rules.training_chooses:
        return bags
    counts, n_words = bags.counts[bags.rows(concepts)], len(bags.words)
    in_documents = in_collection = np.bincount(counts.indices, minlength=n_words)
    if counts.dtype.kind != "f":  # weights say nothing of how often a word occurs
        in_collection = np.bincount(counts.indices, counts.data, n_words).astype(np.int64)
    frequency = in_documents if rules.vocabulary == "training_df" else in_collection
    chosen = most_frequent(bags.words["word"].tolist(), in_documents, frequency, rules)
    if not len(chosen):
        raise LeftOutError(
            f"language {language!r}: none of the {n_words} words is in {rules.min_documents} "
            "training documents or more (key bags.min_documents); lower it, or bring more documents"
        )
    columns = chosen[: rules.max_words]
    kept = bags.select(bags.words["word"].iloc[columns].tolist())
    words = {"document_frequency": in_documents, "collection_frequency": in_collection}
    return replace(kept, words=kept.words.assign(**{x: y[columns] for x, y in words.items()}))


def given_words(vectors: str | Path | None, language: str) -> list[str] | None:
    """Read the words of given vectors, if these are the vocabulary; None if there are none."""
    if not vectors:
        return None
    found = Artefact(vectors, "word vectors", language=language).file("vectors.parquet")
    return pd.read_parquet(found, columns=["word"])["word"].tolist()


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


def most_frequent(
    words: Sequence[str], in_documents: np.ndarray, frequency: np.ndarray, rules: Rules
) -> np.ndarray:
    """Numbers of words in enough documents, by descending frequency, ties by the word itself."""
    kept = np.flatnonzero(in_documents >= rules.min_documents)
    return np.array(sorted(kept, key=lambda i: (-frequency[i], words[i])), np.int64)


def _frequencies(pieces: Iterable[Piece]) -> pa.Table:
    """Return all words with document_frequency and collection_frequency, in no fixed order."""
    total, waiting = None, []
    for piece in pieces:
        n = len(piece.words)
        in_documents = np.bincount(piece.counts.indices, minlength=n)
        in_all = np.bincount(piece.counts.indices, piece.counts.data, n).astype(np.int64)
        waiting.append(pa.table([piece.words, in_documents, in_all], names=WORD_COLUMNS))
        if len(waiting) == TOGETHER:
            total, waiting = _added(total, waiting), []
    return _added(total, waiting)


def _added(total: pa.Table | None, more: Sequence[pa.Table]) -> pa.Table:
    tables = [*more] if total is None else [total, *more]
    groups = pa.concat_tables(tables).group_by("word", use_threads=False)
    return groups.aggregate([(x, "sum") for x in WORD_COLUMNS[1:]]).rename_columns(WORD_COLUMNS)


def _numbers(piece: Piece, known: pa.Array) -> np.ndarray:
    """The column of each nonzero of a piece among the known words, -1 if it is not among them."""
    columns = pc.fill_null(pc.index_in(piece.words, value_set=known), -1).to_numpy()
    return columns[piece.counts.indices]


def _lengths(piece: Piece, known: pa.Array, most: int | None) -> tuple[np.ndarray, ...]:
    """Of each document: its words, known ones, known ones below the column `most`, tokens."""
    columns, indptr = _numbers(piece, known), piece.counts.indptr
    below = len(known) if most is None else most
    masks = (columns >= 0, (columns >= 0) & (columns < below))
    sums = (np.diff(np.concatenate([[0], np.cumsum(mask)])[indptr]) for mask in masks)
    return np.diff(indptr), *sums, piece.n_tokens


def _filled(
    pieces: Iterable[Piece],
    known: pa.Array,
    rows: np.ndarray,
    lengths: np.ndarray,
    folder: Path | None,
) -> sparse.csr_matrix:
    """Counts of the kept documents by the known words; one piece is in memory at a time."""
    nonzeros = int(lengths.sum())
    # scipy uses one type for both, int64 if any number needs it
    kind = np.int64 if max(nonzeros, len(known)) > np.iinfo(np.int32).max else np.int32
    data = indices = None
    at = first = 0
    for piece in pieces:
        end = first + len(piece.n_tokens)
        mine = rows[np.searchsorted(rows, first) : np.searchsorted(rows, end)] - first
        first = end
        part = _selected(piece, _numbers(piece, known), mine, len(known))
        if data is None:
            data = _room(folder, "data", nonzeros, part.dtype)
            indices = _room(folder, "indices", nonzeros, kind)
        data[at : at + part.nnz], indices[at : at + part.nnz] = part.data, part.indices
        at += part.nnz
    indptr = _room(folder, "indptr", len(rows) + 1, kind)
    indptr[:] = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csr_matrix((data, indices, indptr), (len(rows), len(known)))


def _selected(piece: Piece, columns: np.ndarray, rows: np.ndarray, n: int) -> sparse.csr_matrix:
    """Some documents of a piece by the known words, indices sorted."""
    there = columns >= 0
    indptr = np.concatenate([[0], np.cumsum(there)])[piece.counts.indptr]
    parts = (piece.counts.data[there], columns[there], indptr)
    found = sparse.csr_matrix(parts, (piece.counts.shape[0], n))[rows]
    found.sort_indices()
    return found


def _room(folder: Path | None, name: str, n: int, kind: np.dtype) -> np.ndarray:
    if folder is None or not n:  # nothing can be mapped in an empty file
        return np.empty(n, kind)
    return np.lib.format.open_memmap(folder / f"{name}.npy", "w+", kind, (n,))


def save(folder: str | Path, bags: Bags, summary: dict) -> None:
    """Write the counts, words.parquet, documents.parquet and summary.json, all or nothing."""
    with making(folder, summary["language"]) as (temporary, add):
        for name in ARRAYS:
            np.save(temporary / f"{name}.npy", getattr(bags.counts, name))
        add(bags, summary)


@contextmanager
def making(
    folder: str | Path, language: str
) -> Iterator[tuple[Path, Callable[[Bags, dict], None]]]:
    """Yield a folder that has the counts already, as by `build`, and what adds all else to it."""
    with making_artefact(folder, KIND, language=language) as temporary:

        def add(bags: Bags, summary: dict) -> None:
            bags.words.to_parquet(temporary / WORDS, index=False)
            bags.documents.to_parquet(temporary / DOCUMENTS, index=False)
            (temporary / SUMMARY).write_text(json.dumps(summary) + "\n", encoding="utf-8")

        yield temporary, add


def load(folder: str | Path, language: str, texts: str | Path | None = None) -> Bags:
    """Read what `save` wrote.

    Args:
        folder: of the bags.
        language: that they must have.
        texts: the folder of their documents, see `counts.documents`; None if their texts are not
            needed.

    Raises:
        UserError: they are of another language, or a file of them is missing or incomplete.
    """
    found = Artefact(folder, KIND, language=language)
    words = pd.read_parquet(found.file(WORDS))
    return Bags(
        read_counts(found, len(words)),
        words,
        pd.read_parquet(found.file(DOCUMENTS)),
        texts and partial(read_texts, texts, language=language),
    )


def read_words(folder: str | Path, language: str) -> list[str]:
    """Read the vocabulary alone; UserError as in `load`."""
    words = Artefact(folder, KIND, language=language).file(WORDS)
    return pd.read_parquet(words, columns=["word"])["word"].tolist()


def read_documents(folder: str | Path, language: str, columns: Sequence[str]) -> pd.DataFrame:
    """Read some columns of the documents alone; UserError as in `load`."""
    found = Artefact(folder, KIND, language=language).file(DOCUMENTS)
    return pd.read_parquet(found, columns=list(columns))


def read_summary(folder: str | Path) -> dict:
    """Read the summary alone; UserError as in `load`."""
    return json.loads(Artefact(folder, KIND).file(SUMMARY).read_text(encoding="utf-8"))


def read_counts(found: Artefact, n_words: int) -> sparse.csr_matrix:
    """Read the counts alone, of opened bags."""
    parts = tuple(np.load(found.file(f"{name}.npy")) for name in ARRAYS)
    return sparse.csr_matrix(parts, (len(parts[-1]) - 1, n_words))
