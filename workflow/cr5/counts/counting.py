"""Count the words of one part of a language, in bounded memory.

A dictionary of all words of a big Wikipedia needs several gigabytes. So each part numbers its own
words, and starts a new segment when it has too many. `merging` and `assembly` combine the segments
of all parts. A part is a folder with two files per segment:

    0000-counts.parquet  page_id, concept, title, n_tokens, n_unique, words, counts; by document;
                         words are numbers within the segment, each with its count
    0000-words.parquet   word, number, document_frequency, collection_frequency; by word
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cr5.base import artefacts
from cr5.base.labels import PARTS
from cr5.counts.word_table import BETWEEN_SPACES, WordTable, letters

Record = tuple[int, str, str, str]
COUNTS = pa.schema(
    [
        ("page_id", pa.int64()),
        ("concept", pa.string()),
        ("title", pa.string()),
        ("n_tokens", pa.int64()),
        ("n_unique", pa.int64()),
        ("words", pa.list_(pa.uint32())),
        ("counts", pa.list_(pa.uint32())),
    ]
)
WORDS = pa.schema(
    [
        ("word", pa.string()),
        ("number", pa.uint32()),
        ("document_frequency", pa.int64()),
        ("collection_frequency", pa.int64()),
    ]
)
MOST_WORDS = 500_000  # in a segment; about 75 MB
GROUP = 1 << 20  # nonzeros in a row group


def count(
    folder: str | Path,
    records: Iterable[Record],
    most_words: int = MOST_WORDS,
    language: str | None = None,
    are_runs: bool = False,
) -> int:
    """Count the words of each document of a part.

    Args:
        folder: to write; it appears only when it is complete.
        records: (page id, concept, title, text) of each document; a concept is Q and digits.
        language: of the documents.
        most_words: distinct words after which a segment ends. Affects only memory and the number
            of files, not the bags.
        are_runs: words are runs of letters and marks in a text, not what is between spaces.

    Returns:
        The number of tokens.
    """
    segments = tokens = 0
    inside = letters() if are_runs else BETWEEN_SPACES
    with artefacts.written(PARTS, folder, {"language": language}) as temporary:
        segment = None
        for record in records:
            if segment is None:
                segment = _Segment(temporary / f"{segments:04}", inside)
                segments += 1
            tokens += segment.add(*record)
            if len(segment.table) >= most_words:
                segment.close()
                segment = None
        if segment:
            segment.close()
    return tokens


def segments(folders: Iterable[str | Path], **subject: str) -> list[Path]:
    """Segments of parts, in the order given: paths without the suffix `-counts.parquet`.

    Args:
        folders: the parts.
        subject: labels that they must have, such as `language="en"`.

    Raises:
        UserError: a part has other labels, or a file of it is missing or damaged.
    """
    parts = [artefacts.opened(PARTS, folder, **subject) for folder in folders]
    found = [part.file(name) for part in parts for name in sorted(part.files)]
    counts = (path for path in found if path.name.endswith("-counts.parquet"))
    return [path.with_name(path.name.split("-")[0]) for path in counts]


def counts_file(segment: Path) -> Path:
    """Path of the documents of a segment."""
    return segment.with_name(f"{segment.name}-counts.parquet")


def words_file(segment: Path) -> Path:
    """Path of the words of a segment."""
    return segment.with_name(f"{segment.name}-words.parquet")


class _Segment:
    """Documents whose words are numbered together, in order of first occurrence."""

    def __init__(self, path: Path, inside: np.ndarray) -> None:
        self.table = WordTable(inside)
        self._path = path
        # Whole lists of numbers or counts hardly ever repeat; names never do.
        self._writer = pq.ParquetWriter(
            counts_file(path), COUNTS, compression="zstd", use_dictionary=False
        )
        self._frequencies = np.zeros((2, 0), np.int64)  # in documents, in the collection
        self._empty_group()

    def add(self, page_id: int, concept: str, title: str, text: str) -> int:
        words, counts = self.table.count(text.encode())
        self._words.append(words)
        self._counts.append(counts)
        tokens = int(counts.sum())
        self._rows.append((page_id, concept, title, tokens, len(words)))
        self._nonzeros += len(words)
        if self._nonzeros >= GROUP:
            self._write_group()
        return tokens

    def close(self) -> None:
        self._write_group()
        self._writer.close()
        words = self.table.words()
        numbers = pc.sort_indices(words).to_numpy().astype(np.uint32)
        columns = [words.take(pa.array(numbers)), numbers, *self._frequencies[:, numbers]]
        pq.write_table(
            pa.table(columns, schema=WORDS),
            words_file(self._path),
            compression="zstd",
            use_dictionary=False,
            row_group_size=1 << 16,
        )

    def _empty_group(self) -> None:
        self._words: list[np.ndarray] = []
        self._counts: list[np.ndarray] = []
        self._rows: list[tuple] = []
        self._nonzeros = 0

    def _write_group(self) -> None:
        if not self._rows:
            return
        words, counts = np.concatenate(self._words), np.concatenate(self._counts)
        known = len(self.table)
        new = np.zeros((2, known), np.int64)
        new[:, : self._frequencies.shape[1]] = self._frequencies
        new[0] += np.bincount(words, minlength=known)
        new[1] += np.bincount(words, counts, minlength=known).astype(np.int64)
        self._frequencies = new
        names = COUNTS.names[:5]
        columns = dict(zip(names, map(list, zip(*self._rows, strict=True)), strict=True))
        ends = pa.array(np.cumsum([0, *map(len, self._words)], dtype=np.int32))
        for name, values in (("words", words), ("counts", counts)):
            columns[name] = pa.ListArray.from_arrays(ends, pa.array(values))
        self._writer.write_table(pa.table(columns, schema=COUNTS))
        self._empty_group()
