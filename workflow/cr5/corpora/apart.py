"""Parallel pages made comparable: each paragraph is kept in one of the languages only."""

import hashlib
from collections.abc import Collection


def owner(page: str, identity: str | None, languages: Collection[str]) -> str:
    """The one of some languages that keeps a paragraph: drawn by hash, whatever their order.

    Ids are trusted: on the real pages a translation has the id of its original, as often as
    the original. Positions are not, because some pages sort their sections by translated
    headings. So all paragraphs of a page that have no id go to the same language.
    """
    digest = hashlib.sha256(f"{page}\n{identity or ''}".encode()).digest()
    return sorted(languages)[int.from_bytes(digest) % len(languages)]
