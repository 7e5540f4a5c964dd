"""From a part of a dump to documents: read, select, strip markup."""

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from cr5.base.compressed import TruncatedError, open_stream, share_read
from cr5.corpora.wikimedia.concepts import Concepts
from cr5.corpora.wikimedia.pages import WIKITEXT, Page, siteinfo, xml_pages
from cr5.corpora.wikimedia.wikitext import clean as wikitext
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces
from cr5.counts import documents as texts

log = logging.getLogger(__name__)

ARTICLES = 0  # the namespace
PROGRESS = 25_000  # pages
SLOW = 2.0  # seconds for parsing one page's markup


@dataclass
class PartCounts:
    """Outcomes of the pages of a part; each is in `pages` and in one of the next six.

    Attributes:
        pages: all pages read.
        other_namespace, redirect, other_model: not articles.
        no_concept: articles without a Q-id: new ones, or the dumps are from different days.
        disambiguation: dropped disambiguation pages.
        documents: kept.
        residual_markup: documents whose text still has something like markup.
        unclosed: brackets and tags in their markup without their other half.
        too_long: documents beyond MediaWiki's size, which only lost their markup characters.
    """

    pages: int = 0
    other_namespace: int = 0
    redirect: int = 0
    other_model: int = 0
    no_concept: int = 0
    disambiguation: int = 0
    documents: int = 0
    residual_markup: int = 0
    unclosed: int = 0
    too_long: int = 0

    @classmethod
    def total(cls, paths: Iterable[str | Path]) -> "PartCounts":
        """Add up what is noted of several parts."""
        total = cls()
        for path in paths:
            for name, value in texts.notes_of(path).items():
                setattr(total, name, getattr(total, name) + value)
        return total


def text_part(path: str | Path, language: str, concepts: str | Path, out: str | Path) -> PartCounts:
    """Turn the articles of one published file into documents; one job.

    Args:
        path: of the file.
        language: ISO 639-1, for namespace names.
        concepts: concepts/{language}.
        out: folder of the documents; unlike a language, a part may have none.

    Raises:
        UserError: as raised by the readers.
    """
    counts, table = PartCounts(), Concepts(concepts, language)
    with closing(open_stream(path)) as stream:
        documents = _chosen(_read(stream, path, counts), table, counts)
        documents = _without_markup(documents, _namespaces(path, language), path, counts)
        records = ((concept, page.title, text) for page, concept, text in documents)
        told = {"repeated": "kept", "may_be_empty": True, "notes": lambda: asdict(counts)}
        texts.write(out, records, language, **told)
    log.info("%s: %s", path, counts)
    return counts


def _namespaces(path: str | Path, language: str) -> Namespaces:
    with closing(open_stream(path)) as stream:
        try:
            names = siteinfo(stream, str(path))
        except TruncatedError:  # the reader of the pages raises it
            names = {}
    return Namespaces.from_siteinfo(names, language)


def _read(stream: BinaryIO, path: str | Path, counts: PartCounts) -> Iterator[Page]:
    """All pages; how far it is goes to the log."""
    for page in xml_pages(stream, str(path)):
        counts.pages += 1
        yield page
        if counts.pages % PROGRESS == 0:
            done = 100 * share_read(stream), counts.pages, counts.documents
            log.info("%s: %.0f %% read, %d pages, %d documents", path, *done)


def _chosen(
    pages: Iterable[Page], table: Concepts, counts: PartCounts
) -> Iterator[tuple[Page, str, str]]:
    """(page, concept, unprocessed text) of the articles that have a concept."""
    for page in pages:
        if page.namespace != ARTICLES:
            counts.other_namespace += 1
        elif page.is_redirect:
            counts.redirect += 1
        elif page.model != WIKITEXT:
            counts.other_model += 1
        elif not (known := table.find(page.id)):
            counts.no_concept += 1
        elif known[1]:
            counts.disambiguation += 1
        else:
            counts.documents += 1
            yield page, known[0], page.text


def _without_markup(
    documents: Iterable[tuple[Page, str, str]],
    namespaces: Namespaces,
    path: str | Path,
    counts: PartCounts,
) -> Iterator[tuple[Page, str, str]]:
    for page, concept, text in documents:
        begun = time.process_time()
        cleaned = wikitext.clean(text, namespaces)
        seconds = time.process_time() - begun
        if seconds > SLOW:
            log.warning("%s: the markup of %r took %.1f s", path, page.title, seconds)
        counts.residual_markup += cleaned.residual
        counts.unclosed += cleaned.unclosed
        counts.too_long += cleaned.fallback
        yield page, concept, cleaned.text
