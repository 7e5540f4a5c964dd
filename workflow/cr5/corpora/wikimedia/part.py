"""From a part of a dump to counted documents: read, select, strip markup, tokenise, count."""

import itertools
import logging
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cr5.base import sealed_json
from cr5.base.compressed import TruncatedError, open_stream, share_read
from cr5.base.errors import UserError
from cr5.corpora.wikimedia.concepts import Concepts
from cr5.corpora.wikimedia.pages import WIKITEXT, Page, siteinfo, xml_pages
from cr5.corpora.wikimedia.parquet import parquet_pages
from cr5.corpora.wikimedia.search_index import cirrus_pages
from cr5.corpora.wikimedia.selection import Selection
from cr5.corpora.wikimedia.wikitext import clean as wikitext
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces
from cr5.counts import counting, part_texts
from cr5.counts.tokens import Tokens, tokenise

log = logging.getLogger(__name__)

XML_PRODUCTS = ("content", "legacy")
PLAIN = {"cirrus": cirrus_pages, "parquet": parquet_pages}
"""Products whose pages are plain text and may name their concepts, and their readers."""
PROGRESS = 25_000  # pages
SLOW = 2.0  # seconds for parsing one page's markup


@dataclass
class PartCounts:
    """Outcomes of the pages of a part; each is in `pages` and in one of the next seven.

    Attributes:
        pages: all pages read.
        other_namespace, redirect, other_model, excluded_title: not articles.
        no_concept: articles without a Q-id: new ones, or the dumps are from different days.
        disambiguation: dropped disambiguation pages.
        documents: kept.
        tokens: in the documents.
        residual_markup: documents whose text still has something like markup.
        unclosed: brackets and tags in their markup without their other half.
        too_long: documents beyond MediaWiki's size, which only lost their markup characters.
        truncated: files that ended too soon, with the error.
    """

    pages: int = 0
    other_namespace: int = 0
    redirect: int = 0
    other_model: int = 0
    excluded_title: int = 0
    no_concept: int = 0
    disambiguation: int = 0
    documents: int = 0
    tokens: int = 0
    residual_markup: int = 0
    unclosed: int = 0
    too_long: int = 0
    truncated: list[str] = field(default_factory=list)

    @classmethod
    def total(cls, paths: Iterable[str | Path]) -> "PartCounts":
        """Add up what several parts have stored as JSON."""
        total = cls()
        for path in paths:
            for name, value in sealed_json.read(path).items():
                setattr(total, name, getattr(total, name) + value)
        return total


def text_part(
    path: str | Path,
    product: str,
    language: str,
    concepts: str | Path | None,
    out_documents: str | Path | None,
    out_counts: str | Path,
    selection: Selection | None = None,
    piece: tuple[int, int] = (0, 1),
    tokens: Tokens = tokenise,
) -> PartCounts:
    """Turn one published file, or every n-th page of it, into counted documents; one job.

    Args:
        path: of the file.
        product: `content` or `legacy` (XML), `cirrus` (search index), `parquet` (cleaned text).
        language: ISO 639-1, for namespace names and tokens.
        concepts: concepts/{language}.parquet; None if the pages have their Q-ids themselves
            (`cirrus`, FineWiki), in which case disambiguation pages look like articles.
        out_documents: parquet of the texts, if needed.
        out_counts: folder of the counts.
        selection: which pages are documents.
        piece: (i, n): pages i, i + n, i + 2 n, ... of the file. Each job reads the whole file,
            which is some two fifths of the work.
        tokens: how texts become words.

    Raises:
        UserError: as raised by the readers; or `concepts` is missing.
    """
    if product not in (*XML_PRODUCTS, *PLAIN):
        known = ", ".join((*XML_PRODUCTS, *PLAIN))
        raise UserError(f"product: expected one of {known}, got {product!r}")
    if product not in PLAIN and concepts is None:
        raise UserError(f"{path}: its pages do not name their concepts; give the page_props table")
    selection = selection or Selection()
    counts = PartCounts()
    table = Concepts(concepts, language) if concepts else None
    with closing(open_stream(path)) as stream:
        pages = PLAIN.get(product, xml_pages)
        every = _read(pages(stream, str(path)), stream, path, selection, counts)
        pages = _piece(every, piece, counts)
        documents = _chosen(pages, table, selection, counts)
        if product not in PLAIN:
            documents = _without_markup(documents, _namespaces(path, language), path, counts)
        if out_documents:
            documents = part_texts.write(out_documents, documents, language)
        texts = (
            (page.id, concept, page.title, tokens.spread(text, language))
            for page, concept, text in documents
        )
        are_runs = tokens.are_runs(language)
        counts.tokens = counting.count(out_counts, texts, language=language, are_runs=are_runs)
    log.info("%s: %s", path, counts)
    return counts


def _namespaces(path: str | Path, language: str) -> Namespaces:
    with closing(open_stream(path)) as stream:
        try:
            names = siteinfo(stream, str(path))
        except TruncatedError:  # the reader of the pages raises or notes it
            names = {}
    return Namespaces.from_siteinfo(names, language)


def _read(
    pages: Iterator[Page],
    stream: BinaryIO,
    path: str | Path,
    selection: Selection,
    counts: PartCounts,
) -> Iterator[Page]:
    """All pages; for a truncated file the complete ones, if allowed."""
    try:
        for number, page in enumerate(pages, start=1):
            yield page
            if number % PROGRESS == 0:
                done = 100 * share_read(stream), number, counts.documents
                log.info("%s: %.0f %% read, %d pages, %d documents", path, *done)
    except TruncatedError as error:
        if not selection.allow_truncated:
            raise TruncatedError(f"{error}. With `allow_truncated` these are used") from error
        counts.truncated.append(str(error))
        log.warning("%s. They are used, as `allow_truncated` says", error)


def _piece(pages: Iterable[Page], piece: tuple[int, int], counts: PartCounts) -> Iterator[Page]:
    """Every n-th page."""
    first, n = piece
    for page in itertools.islice(pages, first, None, n):
        counts.pages += 1
        yield page


def _chosen(
    pages: Iterable[Page], table: Concepts | None, selection: Selection, counts: PartCounts
) -> Iterator[tuple[Page, str, str]]:
    """(page, concept, unprocessed text) of the pages that are documents."""
    excluded = re.compile(selection.exclude_titles).match if selection.exclude_titles else None
    for page in pages:
        if page.namespace not in selection.namespaces:
            counts.other_namespace += 1
        elif page.is_redirect and not selection.redirects:
            counts.redirect += 1
        elif page.model != WIKITEXT:
            counts.other_model += 1
        elif excluded and excluded(page.title):
            counts.excluded_title += 1
        else:
            known = _concept(page, table)
            if not known:
                counts.no_concept += 1
            elif known[1] and not selection.disambiguation:
                counts.disambiguation += 1
            else:
                counts.documents += 1
                yield page, known[0], page.text


def _concept(page: Page, table: Concepts | None) -> tuple[str, bool] | None:
    """Concept, and whether it is a disambiguation page; the page's own Q-id takes precedence."""
    found = table.find(page.id) if table else None
    return (page.qid, bool(found and found[1])) if page.qid else found


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
