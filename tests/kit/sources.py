"""Read the documents of a source outside of a run."""

from collections.abc import Iterator
from pathlib import Path

from cr5.base.parts import Source
from cr5.texts.reading import Reading, Record


def records(kind: type[Source], path: Path, language: str, **options) -> Iterator[Record]:
    """Read the documents of one language, alone.

    Args:
        kind: the source's class.
        path: of the file or folder with its texts.
        language: of the documents.
        options: of the source, if not the default.
    """
    source = kind(path=str(path), **options)
    return source.records(Reading(source, Path(path), language, (language,)))
