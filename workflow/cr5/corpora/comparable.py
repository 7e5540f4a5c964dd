"""Parallel pages made comparable: each paragraph is kept in only one of the languages."""

import hashlib
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from cr5.corpora.reading import Reading, Record

log = logging.getLogger(__name__)

COUNTED = ("pages", "documents", "paragraphs", "kept", "dropped", "apart")


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


def documents(pages: Iterable[Page], reading: Reading) -> Iterator[Record]:
    """Yield the documents of pages, a paragraph per line; pages with nothing left are none.

    Args:
        pages: in order.
        reading: with the option `paragraphs`; the notes get counts, where paragraphs = kept +
            dropped (English left-overs) + apart (kept only in another language).
    """
    among = reading.languages if reading.source.paragraphs == "comparable" else ()
    language, counts = reading.language, Counter(dict.fromkeys(COUNTED, 0))
    for page in pages:
        kept = [
            text for x, text in page.own if not among or owner(page.concept, x, among) == language
        ]
        n, own = page.paragraphs, len(page.own)
        found = 1, len(kept) > 0, n, len(kept), n - own, own - len(kept)
        counts.update(dict(zip(COUNTED, found, strict=True)))
        if kept:
            yield page.concept, page.title, "\n".join(kept)
    reading.notes["paragraphs"] = {"language": language, **counts}
    log.info("%s", reading.notes["paragraphs"])


def owner(page: str, identity: str | None, languages: Collection[str]) -> str:
    """The language that keeps a paragraph: drawn by hash, independent of their order.

    Ids are trusted: on real pages a translation has the id of its original, equally often.
    Positions are not, because some pages sort their sections by translated headings. So all
    paragraphs of a page without an id go to the same language.
    """
    digest = hashlib.sha256(f"{page}\n{identity or ''}".encode()).digest()
    return sorted(languages)[int.from_bytes(digest) % len(languages)]
