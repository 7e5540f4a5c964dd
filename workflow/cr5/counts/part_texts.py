"""The texts of one part, row by row as in its counts.

Kept apart from the code that joins them, so that a change there does not parse the dumps again.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base import artefacts
from cr5.base.labels import DOCUMENTS
from cr5.counts import documents


def write(
    path: str | Path, records: Iterable[tuple], language: str | None = None
) -> Iterator[tuple]:
    """Write the texts that pass through; unlike a language, a part may have none.

    Args:
        path: of the parquet file; it appears when all have passed.
        records: (page, concept, text) of each document.
        language: of the texts.

    Yields:
        The records, unchanged.
    """
    with (
        artefacts.written(DOCUMENTS, path, {"language": language}) as temporary,
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
