"""The texts of one part, and those of all parts of a language together.

They are wanted only where a system starts from running text, as word vectors do. A row of a
part's texts belongs to a row of its counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.files import atomic_file
from cr5.counts import documents
from cr5.counts.counting import segments
from cr5.counts.merging import articles


def write(path: str | Path, records: Iterable[tuple]) -> Iterator[tuple]:
    """Write the texts that pass by; unlike those of a language there may be none.

    Args:
        path: of the parquet file; it appears when all have passed.
        records: (page, concept, text) of each document.

    Yields:
        What came in.
    """
    with (
        atomic_file(path) as temporary,
        pq.ParquetWriter(
            temporary, documents.SCHEMA, compression="zstd", use_dictionary=False
        ) as writer,
    ):
        group: list[documents.Record] = []
        size = 0
        for page, concept, text in records:
            group.append((concept, page.title, text))
            size += len(text)
            if size >= documents.GROUP_CHARACTERS or len(group) == documents.GROUP_ROWS:
                _write_group(writer, group)
                group, size = [], 0
            yield page, concept, text
        _write_group(writer, group)


def _write_group(writer: pq.ParquetWriter, group: list[documents.Record]) -> None:
    if group:
        columns = [pa.array(column, pa.string()) for column in zip(*group, strict=True)]
        writer.write_table(pa.table(columns, schema=documents.SCHEMA))


def join(texts: Sequence[str | Path], counts: Sequence[str | Path], out: str | Path) -> int:
    """Write documents/{language}.parquet from its parts; one job.

    Args:
        texts: the parts' texts; the documents stay in this order.
        counts: the parts' counts, in the same order: they say which articles share a concept.
        out: parquet file of `cr5.counts.documents`.

    Returns:
        The number of articles.

    Raises:
        UserError: there is none.
    """
    is_first = articles(segments(counts)).is_first
    rows = (row for text in texts for row in documents.stream(text, batch_size=64))
    kept = (row for row, first in zip(rows, is_first, strict=True) if first)
    return documents.write(out, kept)
