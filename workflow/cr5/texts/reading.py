"""What a source is asked for, the files it reads, and the licence of its texts.

A model learned from texts may fall under their licence, so a shared model states it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.artefacts import NO_JOB, Job
from cr5.base.catalogue import SOURCES
from cr5.base.errors import UserError
from cr5.base.parts import Source
from cr5.base.text_files import folded, name

PART = "{part}"
PARAGRAPHS, FILE = "paragraphs", "paragraphs.parquet"
Record = tuple[str, str, str]
"""Concept, title and text of a document."""


@dataclass(frozen=True)
class Reading:
    """The documents of one language, to be read.

    Attributes:
        source: the part that reads, with its options.
        path: the file or folder with the texts: the option `path`, or what was fetched.
        language: of the documents.
        languages: all of the run.
        notes: the source puts in it what `documents/{language}` tells of what was read.
        parallel: if it is `PARALLEL`, it puts in it (concept, id, text) of paragraphs whose
            translations have the same concept and id.
    """

    source: Source
    path: Path
    language: str
    languages: Sequence[str] = ()
    notes: dict[str, Any] = field(default_factory=dict)
    parallel: list[Record] = field(default_factory=list)


def checked(found: Iterable[Any], source: str | Path) -> Iterator[Record]:
    """Yield the records of a source, which may be somebody's own; UserError if one is none."""
    for number, record in enumerate(found, start=1):
        is_record = isinstance(record, tuple | list) and len(record) == 3
        if not is_record or not all(isinstance(x, str) for x in record) or not record[0].strip():
            raise UserError(
                f"{source}: record {number} is {record!r:.200}; expected (concept, title, text), "
                "all of them text, the concept not empty"
            )
        concept, title, text = record
        yield name("concept", concept, f"{source}: record {number}"), title, text


def files(reading: Reading) -> list[Path]:
    """Return what a source reads for a language.

    UserError if another one has the same: each text would be found by its own copy.
    """
    found = reading.source.find(reading.path, reading.language)
    if type(reading.source).find is Source.find:  # one file or folder, which `records` tells apart
        return found
    for other in reading.languages:
        theirs: list[Path] = []
        with suppress(UserError):  # its own job says what is missing
            theirs = reading.source.find(reading.path, other)
        if other != reading.language and theirs == found:
            raise UserError(
                f"languages: {other!r} and {reading.language!r} have the same texts, "
                f"{', '.join(x.name for x in found)}; leave one of them out"
            )
    return found


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
    return SOURCES.kind("corpus", corpus).licence or OWN


def write_paragraphs(
    path: str | Path, paragraphs: Sequence[Record], language: str, job: Job = NO_JOB
) -> None:
    """Write `Reading.parallel` for `aligned.of_paragraphs`."""
    import pandas as pd

    with job.making(path, PARAGRAPHS, language=language) as part:
        table = pd.DataFrame(paragraphs, columns=["concept", "id", "text"])
        table = table.assign(concept=table["concept"].map(folded))
        table.to_parquet(part / FILE, index=False)
