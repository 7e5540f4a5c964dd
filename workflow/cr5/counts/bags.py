"""Bags of words: documents x words counts of one language, its vocabulary, its documents."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import LeftOutError
from cr5.base.files import write_json
from cr5.contracts.vocabulary import Vocabulary
from cr5.counts.columns import boundaries, columns_of, selected
from cr5.counts.counting import Piece, WordFrequencies, count, frequencies
from cr5.counts.documents import Record
from cr5.counts.documents import texts as read_texts
from cr5.counts.rules import Rules
from cr5.counts.selection import chosen_words, kept_documents
from cr5.counts.tokens import Tokens, tokenise

KIND = "bags of words"
WORDS = "words.parquet"
DOCUMENTS = "documents.parquet"
SUMMARY = "summary.json"
ARRAYS = ("data", "indices", "indptr")  # of the counts: a file each


@dataclass(frozen=True)
class Bags:
    """The bags of words of one language.

    Words are by descending collection frequency, then by word, or as they are given: all that a
    model may choose from, see `of_training`, or its own.
    """

    counts: sparse.csr_matrix  # documents x words, int32, or float64 weights; sorted indices
    words: pd.DataFrame  # word, collection_frequency; as built also document_frequency
    documents: pd.DataFrame  # concept, title, n_tokens, n_unique, and label if there are labels
    # reads the texts of documents by their concepts; None where only their counts are needed
    texts: Callable[[Iterable[str]], list[str]] | None = None

    def rows(self, concepts: Iterable[str]) -> np.ndarray:
        """Return the row numbers of concepts, in their order; KeyError for an unknown one."""
        wanted = pd.Index(concepts)
        in_bags = pd.Index(self.documents["concept"])
        rows = in_bags.get_indexer(wanted)
        unknown = wanted[rows < 0]
        if len(unknown):
            raise KeyError(list(unknown[:5]))
        return rows

    def of(self, concepts: Iterable[str]) -> "Bags":
        """Return some of the documents, with all words."""
        rows = self.rows(concepts)
        documents = self.documents.iloc[rows].reset_index(drop=True)
        return replace(self, counts=self.counts[rows], documents=documents)

    def columns_of(self, vocabulary: Vocabulary) -> sparse.csr_matrix:
        """Return which of the words become which columns of a model; see `columns.columns_of`."""
        return columns_of(vocabulary, self.words["word"])

    def select(self, vocabulary: Vocabulary) -> "Bags":
        """Return the same documents with the columns of a model; `words` has no fallbacks."""
        words_of_model = pd.Index(vocabulary.words)
        words_of_bags = pd.Index(self.words["word"])
        rows = words_of_bags.get_indexer(words_of_model)
        words = self.words.iloc[rows].reset_index(drop=True)
        columns = self.columns_of(vocabulary)
        counts = selected(self.counts, columns)
        return replace(self, counts=counts, words=words)


def counted(
    records: Iterable[Record],
    rules: Rules,
    language: str,
    given: Sequence[str] | None = None,
    tokens: Tokens = tokenise,
) -> tuple[Bags, dict]:
    """Make bags of a few documents, in memory, with the words that rules choose or given ones."""
    table = pd.DataFrame(records, columns=["concept", "title", "text"])
    piece = count(table["text"], language, tokens)
    names = table[["concept", "title"]]
    return build([piece], names, rules, language, given=given)


def weighted(
    records: Iterable[tuple[str, str, Mapping[int, float]]],
    rules: Rules,
    language: str,
    prefix: str,
    folder: str | Path | None = None,
    job: Job = NO_JOB,
) -> tuple[Bags, dict]:
    """Make bags of weights of numbered words, named by a prefix, such as `en17`; with labels."""
    names = []
    words = array("q")
    weights_of_words = array("d")
    indptr = [0]
    for concept, label, weights in records:
        names.append((concept, concept, label))
        words.extend(weights)
        weights_of_words.extend(weights.values())
        indptr.append(len(words))
    distinct_words, columns = np.unique(np.array(words), return_inverse=True)
    data = np.array(weights_of_words)
    shape = (len(names), len(distinct_words))
    counts = sparse.csr_matrix((data, columns, indptr), shape)
    piece = Piece(pa.array(distinct_words), counts)
    table = pd.DataFrame(names, columns=["concept", "title", "label"])
    return build([piece], table, rules, language, folder, prefix=prefix, job=job)


def build(
    pieces: Iterable[Piece],
    names: pd.DataFrame,
    rules: Rules,
    language: str,
    folder: str | Path | None = None,
    given: Sequence[str] | None = None,
    prefix: str = "",
    job: Job = NO_JOB,
) -> tuple[Bags, dict]:
    """Choose words, and keep the documents that have neither too few nor too many unique ones.

    Pieces are of all documents, and read three times, one of them in memory at a time: to choose
    words, then documents, and to fill the matrix, whose size is known by then. `names` has the
    documents' concepts, titles and, if there are any, labels. With a folder, bags are written
    there, and their counts mapped, for more than memory holds. Words may be given instead; those
    that are numbers are named by a prefix. Returns the bags, and their numbers before and after the
    filter.
    """
    frequency_table = frequencies(pieces)
    words = chosen_words(frequency_table, rules, language, given)
    known_words = pa.array(words["word"], frequency_table["word"].type)
    if pa.types.is_integer(known_words.type):
        words["word"] = prefix + words["word"].astype(str)
    lengths_of_pieces = [_lengths(piece, known_words, rules) for piece in pieces]
    lengths = pd.concat(lengths_of_pieces)
    n_unique_of_rules = lengths["n_unique_of_rules"].to_numpy()
    rows = kept_documents(n_unique_of_rules, rules, language)
    lengths_of_rows = lengths.iloc[rows]
    documents = names.iloc[rows].reset_index(drop=True)
    for column in ("n_tokens", "n_unique"):
        documents[column] = lengths_of_rows[column].to_numpy()
    n_known = lengths_of_rows["n_known"].to_numpy()
    making = nullcontext()
    if folder:
        making = job.making(folder, KIND, language=language)
    with making as place:
        counts = _filled(pieces, known_words, rows, n_known, place)
        bags = Bags(counts, words, documents)
        summary = _summary(bags, language, len(lengths), len(frequency_table))
        if place:
            words.to_parquet(place / WORDS, index=False)
            documents.to_parquet(place / DOCUMENTS, index=False)
            write_json(place / SUMMARY, summary)
    return bags, summary


def _summary(bags: Bags, language: str, n_documents: int, n_words: int) -> dict[str, Any]:
    """Return the numbers of bags, and those of documents and words before the filter."""
    return {
        "language": language,
        "documents": n_documents,
        "kept_documents": len(bags.documents),
        "distinct_words": n_words,
        "words": len(bags.words),
        "tokens": int(bags.documents["n_tokens"].sum()),
        "mean_unique_words": float(bags.documents["n_unique"].mean()),
        "nonzeros": int(bags.counts.nnz),
    }


def _lengths(piece: Piece, known_words: pa.Array, rules: Rules) -> pd.DataFrame:
    """Return how long each document of a piece is, by tokens and by different words.

    Of these `n_unique` has all, `n_known` the known ones, `n_unique_of_rules` those that the rules
    go by.
    """
    known_counts = _of_known_words(piece, known_words)
    n_unique = np.diff(piece.counts.indptr)
    n_known = np.diff(known_counts.indptr)
    n_unique_of_rules = n_unique
    if rules.unique_words_in == "vocabulary":
        if rules.training_chooses:
            known_counts = known_counts[:, : rules.max_words]
        n_unique_of_rules = np.diff(known_counts.indptr)
    return pd.DataFrame(
        {
            "n_tokens": piece.n_tokens,
            "n_unique": n_unique,
            "n_known": n_known,
            "n_unique_of_rules": n_unique_of_rules,
        }
    )


def _of_known_words(piece: Piece, known_words: pa.Array) -> sparse.csr_matrix:
    """Return the counts of a piece, documents x known words."""
    counts = piece.counts
    column_or_null = pc.index_in(piece.words, value_set=known_words)
    column_of_word = pc.fill_null(column_or_null, -1).to_numpy()
    columns = column_of_word[counts.indices]
    is_known = columns >= 0
    n_known_before = boundaries(is_known)
    indptr = n_known_before[counts.indptr]
    entries = (counts.data[is_known], columns[is_known], indptr)
    n_documents, _ = counts.shape
    return sparse.csr_matrix(entries, (n_documents, len(known_words)))


def _filled(
    pieces: Iterable[Piece],
    known_words: pa.Array,
    rows: np.ndarray,
    n_known: np.ndarray,
    folder: Path | None,
) -> sparse.csr_matrix:
    """Return the counts of some documents, rows x known words; `n_known` words are in each row.

    With a folder its arrays are mapped there.
    """
    indptr_of_rows = boundaries(n_known)
    n_entries = int(indptr_of_rows[-1])
    n_words = len(known_words)
    index_type = np.int32
    if max(n_entries, n_words) > np.iinfo(np.int32).max:
        index_type = np.int64  # also for indptr: scipy uses one type for both
    has_weights = pa.types.is_integer(known_words.type)
    data_type = np.float64 if has_weights else np.int32
    data = _array(folder, "data", n_entries, data_type)
    indices = _array(folder, "indices", n_entries, index_type)
    indptr = _array(folder, "indptr", len(indptr_of_rows), index_type)
    indptr[:] = indptr_of_rows
    first_document = 0
    first_entry = 0
    for piece in pieces:
        end_document = first_document + piece.counts.shape[0]
        is_in_piece = (rows >= first_document) & (rows < end_document)
        rows_of_piece = rows[is_in_piece] - first_document
        all_counts = _of_known_words(piece, known_words)
        counts = all_counts[rows_of_piece]
        counts.sort_indices()
        end_entry = first_entry + counts.nnz
        data[first_entry:end_entry] = counts.data
        indices[first_entry:end_entry] = counts.indices
        first_document = end_document
        first_entry = end_entry
    return sparse.csr_matrix((data, indices, indptr), (len(rows), n_words))


def _array(folder: Path | None, name: str, length: int, dtype: type) -> np.ndarray:
    """Return an array to be filled, in memory or mapped to a file of a folder."""
    if folder is None or not length:  # nothing can be mapped in an empty file
        return np.empty(length, dtype)
    path = folder / f"{name}.npy"
    return np.lib.format.open_memmap(path, "w+", dtype, (length,))


def of_training(bags: Bags, concepts: Iterable[str], rules: Rules, language: str) -> Bags:
    """Keep the words that training documents choose, if they do (Cr5, Sec. 4.1)."""
    if not rules.training_chooses:
        return bags
    training_rows = bags.rows(concepts)
    frequencies_in_training = WordFrequencies.of(bags.counts[training_rows])
    document_frequency = frequencies_in_training.document
    collection_frequency = frequencies_in_training.collection
    frequency = collection_frequency
    if rules.vocabulary == "training_df":
        frequency = document_frequency
    words = bags.words["word"].tolist()

    def most_frequent_first(column: int) -> tuple[int, str]:
        return -frequency[column], words[column]

    in_enough_documents = np.flatnonzero(document_frequency >= rules.min_documents)
    in_order = sorted(in_enough_documents, key=most_frequent_first)
    chosen = in_order[: rules.max_words]
    if not chosen:
        raise LeftOutError(
            f"language {language!r}: none of the {len(words)} words is in {rules.min_documents} "
            "training documents or more (key bags.min_documents); lower it, or bring more documents"
        )
    vocabulary = Vocabulary([words[column] for column in chosen])
    bags_of_chosen = bags.select(vocabulary)
    table = bags_of_chosen.words[["word"]]
    table = table.assign(collection_frequency=collection_frequency[chosen])
    return replace(bags_of_chosen, words=table)


def given_words(vectors: str | Path | None, language: str) -> list[str] | None:
    """Read the words of given vectors, if these are the vocabulary; None if there are none."""
    if not vectors:
        return None
    artefact = Artefact(vectors, "word vectors", language=language)
    return _read_words(artefact)


def load(folder: str | Path, language: str, texts: str | Path | None = None) -> Bags:
    """Read what `build` wrote; `texts` is the documents' folder, if they are needed."""
    artefact = Artefact(folder, KIND, language=language)
    words = pd.read_parquet(artefact.file(WORDS))
    documents = pd.read_parquet(artefact.file(DOCUMENTS))
    arrays = []
    for name in ARRAYS:
        path = artefact.file(f"{name}.npy")
        arrays.append(np.load(path))
    shape = (len(documents), len(words))
    counts = sparse.csr_matrix(tuple(arrays), shape)
    bags = Bags(counts, words, documents)
    if texts:
        read = partial(read_texts, texts, language=language)
        bags = replace(bags, texts=read)
    return bags


def read_words(folder: str | Path, language: str) -> list[str]:
    """Read the vocabulary alone."""
    artefact = Artefact(folder, KIND, language=language)
    return _read_words(artefact)


def _read_words(artefact: Artefact) -> list[str]:
    path = artefact.file(WORDS)
    words = pd.read_parquet(path, columns=["word"])
    return words["word"].tolist()


def read_documents(folder: str | Path, language: str, columns: Sequence[str]) -> pd.DataFrame:
    """Read some columns of the documents alone."""
    artefact = Artefact(folder, KIND, language=language)
    path = artefact.file(DOCUMENTS)
    return pd.read_parquet(path, columns=list(columns))


def read_summary(folder: str | Path) -> dict[str, Any]:
    """Read the summary alone."""
    return Artefact(folder, KIND).json(SUMMARY)
