"""Paragraphs of parallel documents, a table for each language."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from cr5.base import artefacts
from cr5.base.labels import PARAGRAPHS
from cr5.base.tables import read_parquet
from cr5.corpora.reading import Record


def joined(paragraphs: Mapping[str, str | Path]) -> pd.DataFrame:
    """Join the paragraphs of the languages by document and id.

    Args:
        paragraphs: by language, a table of concept, id, text; ids are unique in a document.

    Returns:
        As `aligned.read`; missing if a language lacks the paragraph.
    """
    parts = [_read(path, x) for x, path in paragraphs.items()]
    table = pd.concat(parts, axis=1).sort_index().reset_index()
    return table.assign(id=table["concept"] + "#" + table["id"])


def write(path: str | Path, paragraphs: Sequence[Record], language: str) -> None:
    """Write the paragraphs of a language, see `Reading.parallel`, for `joined`."""
    with artefacts.written(PARAGRAPHS, path, {"language": language}) as temporary:
        table = pd.DataFrame(paragraphs, columns=["concept", "id", "text"])
        table.to_parquet(temporary, index=False)


def _read(path: str | Path, language: str) -> pd.Series:
    artefacts.checked(PARAGRAPHS, path, language=language)
    table = read_parquet(path, ["concept", "id", "text"])
    return table.set_index(["concept", "id"])["text"].rename(language)
