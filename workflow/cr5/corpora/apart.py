"""Parallel pages made comparable: each paragraph is kept in one of the languages only.

A paragraph is what pages are put together from: of descriptions a sentence.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass


@dataclass
class Counts:
    """What became of the pages of one language: paragraphs = kept + dropped + apart.

    Dropped paragraphs are English left-overs; those apart are kept in another language only.
    """

    language: str
    pages: int = 0
    documents: int = 0
    paragraphs: int = 0
    kept: int = 0
    dropped: int = 0
    apart: int = 0

    def add(self, paragraphs: int, own: int, kept: int) -> None:
        """Count a page: its paragraphs, those that are no left-overs, those of them kept."""
        self.pages += 1
        self.documents += kept > 0
        self.paragraphs += paragraphs
        self.kept += kept
        self.dropped += paragraphs - own
        self.apart += own - kept


def owner(page: str, identity: str | None, languages: Collection[str]) -> str:
    """The one of some languages that keeps a paragraph: drawn by hash, whatever their order.

    Ids are trusted: on the real pages a translation has the id of its original, as often as
    the original. Positions are not, because some pages sort their sections by translated
    headings. So all paragraphs of a page that have no id go to the same language.
    """
    digest = hashlib.sha256(f"{page}\n{identity or ''}".encode()).digest()
    return sorted(languages)[int.from_bytes(digest) % len(languages)]
