"""The vectors of a collection as a table that vector databases import, in one Parquet file.

Columns: id, language, title, and vector, a list of float32 numbers of the same length for each.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.retrieval.chunks import Chunk, check_sound
from cr5.retrieval.searching import Collection


def write(path: str | Path, collection: Collection) -> int:
    """Write all texts with a vector, chunk by chunk; ids are strings.

    Args:
        path: of the file, which appears whole.
        collection: texts that dense rows of one model compare.

    Returns:
        The number of texts that are left out: they have no word with a vector.

    Raises:
        UserError: there are no texts, or a vector would not be all that compares them.
    """
    contents = collection.chunks
    every = [(language, x) for language in sorted(contents) for x in contents[language]]
    if not every:
        raise UserError(f"{collection.name}: the index is empty: add texts first")
    if collection.model.model.directed or not isinstance(every[0][1].rows, np.ndarray):
        raise UserError(
            f"{collection.name}: its texts are not compared by one dense vector each, so a "
            f"database cannot search them; `cr5 search` does ({collection.model.place})"
        )
    width = every[0][1].rows.shape[1]
    names = {"id": pa.large_string(), "language": pa.string(), "title": pa.large_string()}
    schema = pa.schema({**names, "vector": pa.list_(pa.float32(), width)})
    with atomic_file(path) as temporary, pq.ParquetWriter(temporary, schema) as writer:
        for language, chunk in every:
            check_sound([chunk], language)
            writer.write_batch(pa.record_batch(_columns(chunk, language), schema=schema))
    return sum(int(np.sum(~chunk.known)) for _, chunk in every)


def _columns(chunk: Chunk, language: str) -> list[pa.Array]:
    known = pa.array(chunk.known)
    rows = chunk.rows[chunk.known]
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])
    languages = pa.repeat(language, len(rows))
    return [chunk.ids.filter(known), languages, chunk.titles.filter(known), vectors]
