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
TOGETHER = 8  # pieces whose words are added up at a time: a language has millions of them


@dataclass(frozen=True)
class Piece:
    """The counted words of some documents."""

    words: pa.Array  # strings, all different; or numbers, where weights are given
    counts: sparse.csr_matrix  # documents x words, int32, or float64 if they are weights

    @property
    def has_weights(self) -> bool:
        """Whether they say nothing of how often a word occurs."""
        return self.counts.dtype.kind == "f"

    @property
    def n_tokens(self) -> np.ndarray:
        """How many each document has; of weights, its words."""
        if self.has_weights:
            return np.diff(self.counts.indptr)
        return np.asarray(self.counts.sum(axis=1)).ravel()


def count(texts: Iterable[str], language: str, tokens: Tokens = tokenise) -> Piece:
    """Count the words of texts, in the order of their first occurrence."""
    from cr5.counts.word_table import WordTable  # loads Numba

    table = WordTable(tokens.in_words(language))
    words = [np.zeros(0, np.uint32)]
    counts = [np.zeros(0, np.uint32)]
    indptr = [0]
    for text in texts:
        words_of_text, counts_of_text = table.count(tokens.separated(text, language))
        words.append(words_of_text)
        counts.append(counts_of_text)
        indptr.append(indptr[-1] + len(words_of_text))
    indices = np.concatenate(words).astype(np.int32)
    data = np.concatenate(counts).astype(np.int32)
    shape = len(indptr) - 1, len(table)
    return Piece(table.words(), sparse.csr_matrix((data, indices, indptr), shape))


def frequencies(pieces: Iterable[Piece]) -> pa.Table:
    """Return all words with their frequencies, in no order; of weights, in documents twice."""
    tables: list[pa.Table] = []
    for piece in pieces:
        tables.append(_frequencies_of(piece))
        if len(tables) > TOGETHER:
            tables = [_added(tables)]
    return _added(tables)


def _frequencies_of(piece: Piece) -> pa.Table:
    indices = piece.counts.indices
    n_words = len(piece.words)
    document_frequency = np.bincount(indices, minlength=n_words)
    collection_frequency = document_frequency
    if not piece.has_weights:
        occurrences = np.bincount(indices, piece.counts.data, n_words)
        collection_frequency = occurrences.astype(np.int64)
    columns = [piece.words, document_frequency, collection_frequency]
    return pa.table(columns, names=WORD_COLUMNS)


def _added(tables: Sequence[pa.Table]) -> pa.Table:
    """Return a row for each word, with the sums of its frequencies."""
    of_words = pa.concat_tables(tables).group_by("word", use_threads=False)
    sums = of_words.aggregate([("document_frequency", "sum"), ("collection_frequency", "sum")])
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
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(keep, range(self._n_pieces)))  # raises what a thread raised

    def __iter__(self) -> Iterator[Piece]:
        """Read one after the other."""
        for number in range(self._n_pieces):
            words = feather.read_table(self._folder / f"{number}.feather", memory_map=False)
            counts = sparse.load_npz(self._folder / f"{number}.npz")
            yield Piece(words["word"].combine_chunks(), counts)


def _keep(path: Path, language: str, tokens: Tokens, folder: Path, number: int) -> None:
    """Count the words of a row group, and write them to a folder."""
    with pq.ParquetFile(path) as file:
        column = file.read_row_group(number, columns=["text"], use_threads=False)["text"]
    piece = count((text.as_py() for text in column), language, tokens)
    words = pa.table({"word": piece.words})
    feather.write_feather(words, str(folder / f"{number}.feather"), compression="uncompressed")
    sparse.save_npz(folder / f"{number}.npz", piece.counts, compressed=False)
