"""The documents and the vocabulary of a language, from the segments of its parts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cr5.counts.counting import counts_file, words_file
from cr5.counts.rules import Rules

BATCH = 1 << 14  # words of each segment held while merging
DOCUMENTS = 1 << 11  # number whose counts are held at a time
FREQUENCIES = ["document_frequency", "collection_frequency"]
NO_WORDS = pa.table(
    {"word": pa.array([], pa.string())} | {name: pa.array([], pa.int64()) for name in FREQUENCIES}
)


@dataclass(frozen=True)
class Articles:
    """The numbers of all documents of a language, in segment order.

    Attributes:
        page_ids, n_tokens, n_unique: (n,) int64.
        is_first: (n,) bool; False if another article with the same concept has a lower id.
        starts: (segments + 1,) int64; the first document of each segment, and n.
    """

    page_ids: np.ndarray
    n_tokens: np.ndarray
    n_unique: np.ndarray
    is_first: np.ndarray
    starts: np.ndarray


def articles(segments: Sequence[Path]) -> Articles:
    """Read the numbers of each document, 33 bytes in all, and find repeated concepts.

    Two articles of a wiki cannot be about the same item of Wikidata; if the dumps, which are from
    different days, say so, the article with the lowest page id gets it.
    """
    columns = [_numbers(segment) for segment in segments]
    lengths = [len(column[0]) for column in columns]
    empty = (np.zeros(0, np.int64),) * 4
    qids, page_ids, n_tokens, n_unique = map(np.concatenate, zip(empty, *columns, strict=True))
    order = np.lexsort((page_ids, qids))  # stable: the first of equals stays first
    is_first = np.ones(len(qids), bool)
    is_first[order[1:]] = np.diff(qids[order]) != 0
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Articles(page_ids, n_tokens, n_unique, is_first, starts)


def _numbers(segment: Path) -> tuple[np.ndarray, ...]:
    names = ["concept", "page_id", "n_tokens", "n_unique"]
    table = pq.read_table(counts_file(segment), columns=names, use_threads=False)
    qids = pc.cast(pc.utf8_slice_codeunits(table["concept"], 1), pa.int64())
    return (qids.to_numpy(), *(table[name].to_numpy() for name in names[1:]))


def vocabulary(
    segments: Sequence[Path],
    is_kept: Sequence[np.ndarray],
    rules: Rules,
    given: Sequence[str] | None = None,
) -> tuple[pd.DataFrame, int]:
    """Choose the words of a language; memory holds a piece of each segment and the chosen words.

    Args:
        segments: of all parts.
        is_kept: per segment, (documents,) bool; words of other documents do not count.
        rules: `min_documents` and `max_words`.
        given: words to use instead of those that the rules choose.

    Returns:
        A table of word, document_frequency, collection_frequency, by descending collection
        frequency, then by word, or in the given order; and the number of distinct words to
        choose from.
    """
    streams = [
        _words(segment, _frequencies_without(segment, kept))
        for segment, kept in zip(segments, is_kept, strict=True)
    ]
    chosen, known = [NO_WORDS], None if given is None else pa.array(given, pa.string())
    distinct = waiting = 0
    for words in _merged(streams):
        distinct += len(words)
        if known is not None:
            chosen.append(words.filter(pc.is_in(words["word"], value_set=known)))
            continue
        chosen.append(words.filter(pc.greater_equal(words[FREQUENCIES[0]], rules.min_documents)))
        waiting += len(chosen[-1])
        if rules.most_in_bags and waiting > 2 * rules.most_in_bags + BATCH:
            chosen = [_most_frequent(chosen, rules.most_in_bags)]
            waiting = len(chosen[0])
    if given is not None:
        return _as_given(chosen, given), distinct
    return _most_frequent(chosen, rules.most_in_bags).to_pandas(), distinct


def _as_given(tables: list[pa.Table], given: Sequence[str]) -> pd.DataFrame:
    """Put the words in the given order; words not in the text have frequency 0."""
    found = pa.concat_tables(tables).to_pandas().set_index("word")
    return found.reindex(pd.Index(given, name="word"), fill_value=0).reset_index()


def _most_frequent(tables: list[pa.Table], most: int | None) -> pa.Table:
    keys = [("collection_frequency", "descending"), ("word", "ascending")]
    return pa.concat_tables(tables).sort_by(keys).slice(0, most).combine_chunks()


def _frequencies_without(segment: Path, kept: np.ndarray) -> np.ndarray | None:
    """(2, words) int64: document and collection frequencies in the documents not kept."""
    if kept.all():
        return None
    with pq.ParquetFile(words_file(segment)) as file:
        n_words = file.metadata.num_rows
    frequencies = np.zeros((2, n_words), np.int64)
    for start, batch in document_batches(segment):
        words, counts, lengths = flat(batch)
        outside = np.repeat(~kept[start : start + len(lengths)], lengths)
        frequencies[0] += np.bincount(words[outside], minlength=n_words)
        frequencies[1] += np.bincount(words[outside], counts[outside], n_words).astype(np.int64)
    return frequencies


def document_batches(segment: Path) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Documents of a segment in batches: number of the first one, their words and counts."""
    start = 0
    with pq.ParquetFile(counts_file(segment)) as file:
        for batch in file.iter_batches(DOCUMENTS, columns=["words", "counts"], use_threads=False):
            yield start, batch
            start += len(batch)


def flat(batch: pa.RecordBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Words and counts of all documents, concatenated, and the number of words of each."""
    words, counts = batch.column("words"), batch.column("counts")
    lengths = pc.list_value_length(words).to_numpy()
    return words.flatten().to_numpy(), counts.flatten().to_numpy(), lengths


def _words(segment: Path, without: np.ndarray | None) -> Iterator[pa.Table]:
    """Words of a segment in order, with frequencies."""
    with pq.ParquetFile(words_file(segment)) as file:
        for batch in file.iter_batches(BATCH, use_threads=False):
            table = pa.Table.from_batches([batch])
            if without is not None:
                less = without[:, table["number"].to_numpy()]
                for name, values in zip(FREQUENCIES, less, strict=True):
                    column = pc.subtract(table[name], pa.array(values))
                    table = table.set_column(table.schema.get_field_index(name), name, column)
                table = table.filter(pc.greater(table[FREQUENCIES[0]], 0))
            if len(table):
                yield table.drop_columns("number")


def _merged(streams: Sequence[Iterator[pa.Table]]) -> Iterator[pa.Table]:
    """Merge sorted tables into tables of distinct words, frequencies added; in no fixed order.

    Each stream has one table in memory. Words up to the smallest of the tables' last words are
    complete, because no stream can yield them again.
    """
    heads = [(table, stream) for stream in streams if (table := next(stream, None)) is not None]
    while heads:
        bound = min(table["word"][-1].as_py() for table, _ in heads)
        ready, rest = [], []
        for table, stream in heads:
            n_ready = pc.sum(pc.less_equal(table["word"], bound)).as_py()
            ready.append(table.slice(0, n_ready))
            later = table.slice(n_ready) if n_ready < len(table) else next(stream, None)
            if later is not None:
                rest.append((later, stream))
        groups = pa.concat_tables(ready).group_by("word", use_threads=False)
        sums = groups.aggregate([(name, "sum") for name in FREQUENCIES])
        yield sums.rename_columns(["word", *FREQUENCIES])
        heads = rest
