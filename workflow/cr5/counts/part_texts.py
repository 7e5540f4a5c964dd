"""The texts of one part, row by row as in its counts.

Kept apart from the code that joins them, so that a change there does not parse the dumps again.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

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
        documents.writer(temporary) as add,
    ):
        for page, concept, text in records:
            add((concept, page.title, text))
            yield page, concept, text
