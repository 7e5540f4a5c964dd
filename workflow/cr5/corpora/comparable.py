"""Parallel pages made comparable: each paragraph is kept in only one of the languages.

A paragraph is the unit of a page; for descriptions it is a sentence.
"""

import hashlib
import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from cr5.corpora.reading import Reading, Record

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Page:
    """A page of one language.

    Attributes:
        concept: the same in all languages.
        title: of the document.
        paragraphs: how many it has.
        own: id and text of those that are not English left-overs.
    """

    concept: str
    title: str
    paragraphs: int
    own: Sequence[tuple[str | None, str]]


@dataclass
class Counts:
    """Counts for the pages of one language: paragraphs = kept + dropped + apart.

    Dropped paragraphs are English left-overs; those apart are kept only in another language.
    """

    language: str
    pages: int = 0
    documents: int = 0
    paragraphs: int = 0
    kept: int = 0
    dropped: int = 0
    apart: int = 0

    def add(self, page: Page, kept: int) -> None:
        """Count a page of which some paragraphs are kept."""
        self.pages += 1
        self.documents += kept > 0
        self.paragraphs += page.paragraphs
        self.kept += kept
        self.dropped += page.paragraphs - len(page.own)
        self.apart += len(page.own) - kept


def documents(pages: Iterable[Page], reading: Reading) -> Iterator[Record]:
    """Yield the documents of pages, a paragraph per line; pages with nothing left are none.

    Args:
        pages: in order.
        reading: with the option `paragraphs`; the notes get the counts.
    """
    among = reading.languages if reading.options["paragraphs"] == "comparable" else ()
    language, counts = reading.language, Counts(reading.language)
    for page in pages:
        kept = [
            text for x, text in page.own if not among or owner(page.concept, x, among) == language
        ]
        counts.add(page, len(kept))
        if kept:
            yield page.concept, page.title, "\n".join(kept)
    reading.notes["paragraphs"] = asdict(counts)
    log.info("%s", counts)


def owner(page: str, identity: str | None, languages: Collection[str]) -> str:
    """The language that keeps a paragraph: drawn by hash, independent of their order.

    Ids are trusted: on real pages a translation has the id of its original, equally often.
    Positions are not, because some pages sort their sections by translated headings. So all
    paragraphs of a page without an id go to the same language.
    """
    digest = hashlib.sha256(f"{page}\n{identity or ''}".encode()).digest()
    return sorted(languages)[int.from_bytes(digest) % len(languages)]
