"""Parallel pages made comparable: each paragraph is kept in only one of the languages.

A paragraph is the unit of a page; for descriptions it is a sentence.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass


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

    def add(self, paragraphs: int, own: int, kept: int) -> None:
        """Count a page: all paragraphs, those that are not left-overs, and those of them kept."""
        self.pages += 1
        self.documents += kept > 0
        self.paragraphs += paragraphs
        self.kept += kept
        self.dropped += paragraphs - own
        self.apart += own - kept


def owner(page: str, identity: str | None, languages: Collection[str]) -> str:
    """The language that keeps a paragraph: drawn by hash, independent of their order.

    Ids are trusted: on real pages a translation has the id of its original, equally often.
    Positions are not, because some pages sort their sections by translated headings. So all
    paragraphs of a page without an id go to the same language.
    """
    digest = hashlib.sha256(f"{page}\n{identity or ''}".encode()).digest()
    return sorted(languages)[int.from_bytes(digest) % len(languages)]
