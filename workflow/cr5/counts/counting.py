"""The words of documents, counted in pieces: the same for any number of threads, in bounded memory.

A piece is a row group of the documents. It numbers its own words; `bags.build` combines the pieces.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
from scipy import sparse

from cr5.counts.tokens import Tokens, tokenise

WORD_COLUMNS = ["word", "document_frequency", "collection_frequency"]
SUMS = [("document_frequency", "sum"), ("collection_frequency", "sum")]
NO_WORDS = np.zeros(0, np.uint32)  # so that there is something to concatenate without any text
TABLES_AT_ONCE = 8  # pieces whose words are added up at a time: a language has millions of them


def are_weights(counts: sparse.csr_matrix) -> bool:
    """Whether numbers say nothing of how often a word occurs."""
    return counts.dtype.kind == "f"


@dataclass(frozen=True)
class Piece:
    """The counted words of some documents."""

    words: pa.Array  # strings, all different; or numbers, where weights are given
    counts: sparse.csr_matrix  # documents x words, int32, or float64 if they are weights

    @property
    def n_tokens(self) -> np.ndarray:
        """How many each document has; of weights, its words."""
        if are_weights(self.counts):
            return np.diff(self.counts.indptr)
        sums = self.counts.sum(axis=1)
        return np.asarray(sums).ravel()


@dataclass(frozen=True)
class WordFrequencies:
    """How frequent each word is."""

    document: np.ndarray  # how many documents have it
    collection: np.ndarray  # how often it occurs; of weights, how many documents have it

    @classmethod
    def of(cls, counts: sparse.csr_matrix) -> "WordFrequencies":
        """Return those of documents x words."""
        _, n_words = counts.shape
        document_frequency = np.bincount(counts.indices, minlength=n_words)
        if are_weights(counts):
            return cls(document_frequency, document_frequency)
        occurrences = np.bincount(counts.indices, counts.data, n_words)
        return cls(document_frequency, occurrences.astype(np.int64))


def count(texts: Iterable[str], language: str, tokens: Tokens = tokenise) -> Piece:
    """Count the words of texts, in the order of their first occurrence."""
    from cr5.counts.word_table import WordTable  # loads Numba

    table = WordTable(tokens.in_words(language))
    words = [NO_WORDS]
    counts = [NO_WORDS]
    indptr = [0]
    for text in texts:
        separated_text = tokens.separated(text, language)
        words_of_text, counts_of_text = table.count(separated_text)
        words.append(words_of_text)
        counts.append(counts_of_text)
        indptr.append(indptr[-1] + len(words_of_text))
    indices = np.concatenate(words).astype(np.int32)
    data = np.concatenate(counts).astype(np.int32)
    shape = (len(indptr) - 1, len(table))
    counts_of_texts = sparse.csr_matrix((data, indices, indptr), shape)
    return Piece(table.words(), counts_of_texts)


def frequencies(pieces: Iterable[Piece]) -> pa.Table:
    """Return all words with their frequencies, in no order; of weights, in documents twice."""
    tables: list[pa.Table] = []
    for piece in pieces:
        tables.append(_frequencies_of(piece))
        if len(tables) > TABLES_AT_ONCE:
            tables = [_added(tables)]
    return _added(tables)


def _frequencies_of(piece: Piece) -> pa.Table:
    word_frequencies = WordFrequencies.of(piece.counts)
    columns = [piece.words, word_frequencies.document, word_frequencies.collection]
    return pa.table(columns, names=WORD_COLUMNS)


def _added(tables: Sequence[pa.Table]) -> pa.Table:
    """Return a row for each word, with the sums of its frequencies."""
    all_rows = pa.concat_tables(tables)
    rows_of_words = all_rows.group_by("word", use_threads=False)
    sums = rows_of_words.aggregate(SUMS)
    return sums.rename_columns(WORD_COLUMNS)


class Pieces:
    """The pieces of a file of documents, kept in a folder: one of them is in memory at a time."""

    def __init__(
        self, path: Path, language: str, tokens: Tokens, folder: Path, threads: int = 1
    ) -> None:
        """Count those of a Parquet file of documents, to keep them in a folder that exists."""
        self._folder = folder
        self._n_pieces = pq.read_metadata(path).num_row_groups
        keep = partial(_keep, path, language, tokens, folder)
        numbers = range(self._n_pieces)
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(keep, numbers))  # raises what a thread raised

    def __iter__(self) -> Iterator[Piece]:
        """Read one after the other."""
        for number in range(self._n_pieces):
            place = self._folder / str(number)
            table = feather.read_table(f"{place}.feather", memory_map=False)
            words = table["word"].combine_chunks()
            counts = sparse.load_npz(f"{place}.npz")
            yield Piece(words, counts)


def _keep(path: Path, language: str, tokens: Tokens, folder: Path, number: int) -> None:
    """Count the words of a row group, and write them to a folder."""
    with pq.ParquetFile(path) as file:
        table = file.read_row_group(number, columns=["text"], use_threads=False)
    column = table["text"]
    texts = (text.as_py() for text in column)
    piece = count(texts, language, tokens)
    words = pa.table({"word": piece.words})
    place = folder / str(number)
    feather.write_feather(words, f"{place}.feather", compression="uncompressed")
    sparse.save_npz(f"{place}.npz", piece.counts, compressed=False)
