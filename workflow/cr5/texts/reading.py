"""What a source is asked for, what it yields, the files it reads, and the licence of its texts.

A model learned from texts may fall under their licence, so a shared model states it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.artefacts import NO_JOB, Job
from cr5.base.errors import UserError
from cr5.base.text_files import checked_name, folded_name
from cr5.contracts.catalogue import SOURCES
from cr5.contracts.source import Document, Note, Paragraph, Reading, Record, Source

PART = "{part}"
PARAGRAPHS = "paragraphs"
FILE = "paragraphs.parquet"


@dataclass
class Records:
    """The records of a source, which may be somebody's own, sorted by what they are.

    Attributes:
        source: its name or module, for messages.
        paragraphs: those that have been read so far.
        notes: their values by key.
    """

    source: str | Path
    paragraphs: list[Paragraph] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)

    def documents(self, records: Iterable[Record]) -> Iterator[Document]:
        """Pass the documents on, and keep the rest; UserError if one is no document."""
        number = 0
        for record in records:
            if isinstance(record, Paragraph):
                self.paragraphs.append(record)
            elif isinstance(record, Note):
                self.notes[record.key] = record.value
            else:
                number += 1
                yield self._checked(record, number)

    def _checked(self, record: Any, number: int) -> Document:
        """Return a document with its concept as concepts are compared."""
        if not _is_document(record):
            raise UserError(
                f"{self.source}: record {number} is {record!r:.200}; expected Document(concept, "
                "title, text), all of them text, the concept not empty"
            )
        concept, title, text = record
        where = f"{self.source}: record {number}"
        return Document(checked_name("concept", concept, where), title, text)


def _is_document(record: Any) -> bool:
    """Whether it is one, or its three texts alone."""
    if not isinstance(record, tuple | list) or len(record) != 3:
        return False
    return all(isinstance(value, str) for value in record) and record[0].strip() != ""


def files(reading: Reading) -> list[Path]:
    """Return what a source reads for a language.

    UserError if another one has the same: each text would be found by its own copy.
    """
    source = reading.source
    paths = source.find(reading.path, reading.language)
    if type(source).find is Source.find:  # one file or folder, which `records` tells apart
        return paths
    for language in reading.languages:
        paths_of_language: list[Path] = []
        with suppress(UserError):  # its own job says what is missing
            paths_of_language = source.find(reading.path, language)
        if language != reading.language and paths_of_language == paths:
            raise UserError(
                f"languages: {language!r} and {reading.language!r} have the same texts, "
                f"{', '.join(path.name for path in paths)}; leave one of them out"
            )
    return paths


OWN = (
    "other",
    "The texts are the own documents of whoever fitted the model; ask there before you give it on.",
)
UNKNOWN = ("other", "Where the texts come from is not known here, nor under which licence.")


def licence_of(about: Mapping[str, Any]) -> tuple[str, str]:
    """Return the licence of a model's texts, as `Source.licence`, from the model's record.

    A module that it names is not run.
    """
    corpus = about.get("corpus") or {}
    source = corpus.get("source", "")
    if source.endswith(".py"):
        return OWN
    if source not in SOURCES.known():
        return UNKNOWN
    return SOURCES.part_class("corpus", corpus).licence or OWN


def write_paragraphs(
    path: str | Path, paragraphs: Sequence[Paragraph], language: str, job: Job = NO_JOB
) -> None:
    """Write the paragraphs of a source for `aligned.of_paragraphs`."""
    import pandas as pd

    with job.making(path, PARAGRAPHS, language=language) as part:
        table = pd.DataFrame(paragraphs, columns=Paragraph._fields)
        table = table.assign(concept=table["concept"].map(folded_name))
        table.to_parquet(part / FILE, index=False)
