"""The contract of sources: what one is asked for, and the records that it yields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from cr5.contracts.keys import Part


class Source(Part):
    """The text of a corpus.

    Attributes:
        name: what the text is, such as "Wikipedia".
        licence: SPDX's name of the texts' licence, and a sentence about it.
        parallel: whether `records` also yields paragraphs of parallel text.
        together: whether the documents of a language depend on which others there are.
        has_text: whether documents have words, rather than weights of numbered ones.
        own_rules: the file of its own rules in place of `fetch`, `find` and `records`, if any.
    """

    name: ClassVar[str] = "your own documents"
    licence: ClassVar[tuple[str, str] | None] = None
    parallel: ClassVar[bool] = False
    together: ClassVar[bool] = False
    has_text: ClassVar[bool] = True
    own_rules: ClassVar[str] = ""

    @property
    def place(self) -> str:
        """The user's file or folder that the job of a language reads; empty if it is fetched."""
        return getattr(self, "path", None) or ""

    def check(self) -> None:
        """Refuse, before any job, what would let a job fail; UserError."""

    def check_texts(self, path: Path | None, language: str) -> None:
        """Refuse, before any job, texts of a language that are not at the user's path; UserError.

        The path is none where texts are fetched. A file that is missing is told by the plan.
        """
        if path and path.exists():
            self.find(path, language)

    def records(self, reading: Reading) -> Iterator[Record]:
        """Yield the documents of a language, each concept once; see `texts.reading`.

        Besides, its paragraphs, if the source is parallel, and notes on what was read.
        """
        raise NotImplementedError

    def fetch(self, languages: Sequence[str], folder: Path) -> None:
        """Get the texts of some languages, where no `path` is given."""
        raise NotImplementedError

    def find(self, path: Path, language: str) -> list[Path]:
        """Return the files at a path that have the texts of a language."""
        return [path]

    @classmethod
    def lacks_records(cls) -> bool:
        """Return whether nothing reads its texts: neither `records` nor rules of its own."""
        is_read_by_records = cls.has_text and not cls.own_rules
        return is_read_by_records and cls.records is Source.records


class Document(NamedTuple):
    """A document of a source."""

    concept: str  # what it is about, the same in all languages
    title: str
    text: str


class Paragraph(NamedTuple):
    """A paragraph of parallel text: its translations have the same concept and id."""

    concept: str
    id: str
    text: str


class Note(NamedTuple):
    """What `documents/{language}` tells of what was read."""

    key: str
    value: Any  # as in JSON


Record = Document | Paragraph | Note


@dataclass(frozen=True)
class Reading:
    """The documents of one language, to be read.

    Attributes:
        source: the part that reads, with its options.
        path: the file or folder with the texts: the option `path`, or what was fetched.
        language: of the documents.
        languages: all of the run.
    """

    source: Source
    path: Path
    language: str
    languages: Sequence[str] = ()
