"""Paragraphs of parallel documents, a table for each language."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import Artefact, making
from cr5.corpora.reading import Record

KIND, FILE = "paragraphs", "paragraphs.parquet"


def joined(paragraphs: Mapping[str, str | Path]) -> pd.DataFrame:
    """Join the paragraphs of the languages by document and id.

    Args:
        paragraphs: by language, a folder with concept, id, text; ids are unique in a document.

    Returns:
        As `aligned.read`; missing if a language lacks the paragraph.
    """
    parts = [_read(path, x) for x, path in paragraphs.items()]
    table = pd.concat(parts, axis=1).sort_index().reset_index()
    return table.assign(id=table["concept"] + "#" + table["id"])


def write(path: str | Path, paragraphs: Sequence[Record], language: str) -> None:
    """Write the paragraphs of a language, see `Reading.parallel`, for `joined`."""
    with making(path, KIND, language=language) as part:
        table = pd.DataFrame(paragraphs, columns=["concept", "id", "text"])
        table.to_parquet(part / FILE, index=False)


def _read(path: str | Path, language: str) -> pd.Series:
    table = pd.read_parquet(Artefact(path, KIND, language=language).file(FILE))
    return table.set_index(["concept", "id"])["text"].rename(language)
