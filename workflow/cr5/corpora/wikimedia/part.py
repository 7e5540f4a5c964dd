"""One part of a dump to counted documents: read, choose, strip the markup, tokenise, count."""

import itertools
import logging
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO

from cr5.base import sealed_json
from cr5.base.compressed import TruncatedError, open_stream, share_read
from cr5.base.errors import UserError
from cr5.corpora.wikimedia.concepts import Concepts
from cr5.corpora.wikimedia.pages import WIKITEXT, Page, cirrus_pages, siteinfo, xml_pages
from cr5.corpora.wikimedia.selection import Selection
from cr5.corpora.wikimedia.wikitext import clean as wikitext
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces
from cr5.counts import counting, part_texts
from cr5.counts.tokens import tokenise

log = logging.getLogger(__name__)

XML_PRODUCTS = ("content", "legacy")
CIRRUS = "cirrus"
PROGRESS = 25_000  # pages
SLOW = 2.0  # seconds for the markup of one page


@dataclass
class PartCounts:
    """What became of the pages of a part; each is in `pages` and in one of the next seven.

    Attributes:
        pages: read.
        other_namespace, redirect, other_model, excluded_title: not articles.
        no_concept: articles without a Q-id: new, or the dumps are of different days.
        disambiguation: dropped as such.
        documents: kept.
        tokens: of the documents.
        residual_markup: documents in whose text something like markup is left.
        unclosed: brackets and tags in their markup that lack the other half.
        too_long: documents beyond MediaWiki's size, of whose markup only the signs were removed.
        truncated: files that ended too soon, each with what is wrong.
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

    def save(self, path: str | Path) -> None:
        """Write JSON."""
        sealed_json.write(path, asdict(self))

    @classmethod
    def total(cls, paths: Iterable[str | Path]) -> "PartCounts":
        """Add up what `save` wrote for several parts."""
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
) -> PartCounts:
    """Turn one published file, or every n-th page of it, into counted documents; one job.

    Args:
        path: of the file.
        product: `content` or `legacy` (XML), `cirrus` (search index).
        language: ISO 639-1, for names of namespaces and for tokens.
        concepts: concepts/{language}.parquet; None where the pages name their Q-id themselves
            (`cirrus`), and then disambiguation pages cannot be told from articles.
        out_documents: parquet of the texts, if anything needs them.
        out_counts: folder of the counts.
        selection: which pages are documents.
        piece: (i, n): pages i, i + n, i + 2 n, ... of the file. Each job reads all of it, which is
            two fifths of the work.

    Raises:
        UserError: what the readers raise; `concepts` is missing.
    """
    if product not in (*XML_PRODUCTS, CIRRUS):
        raise UserError(f"product: expected content, legacy or cirrus, got {product!r}")
    if product != CIRRUS and concepts is None:
        raise UserError(f"{path}: its pages do not name their concepts; give the page_props table")
    selection = selection or Selection()
    counts = PartCounts()
    table = Concepts(concepts, language) if concepts else None
    with closing(open_stream(path)) as stream:
        pages = cirrus_pages if product == CIRRUS else xml_pages
        every = _read(pages(stream, str(path)), stream, path, selection, counts)
        pages = _piece(every, piece, counts)
        documents = _chosen(pages, table, selection, counts)
        if product != CIRRUS:
            documents = _without_markup(documents, _namespaces(path, language), path, counts)
        if out_documents:
            documents = part_texts.write(out_documents, documents, language)
        counting.count(out_counts, _tokenised(documents, language, counts), language=language)
    log.info("%s: %s", path, counts)
    return counts


def _namespaces(path: str | Path, language: str) -> Namespaces:
    with closing(open_stream(path)) as stream:
        try:
            names = siteinfo(stream, str(path)).namespaces
        except TruncatedError:  # the reader of the pages says it, or notes it
            names = {}
    return Namespaces.from_siteinfo(names, language)


def _read(
    pages: Iterator[Page],
    stream: BinaryIO,
    path: str | Path,
    selection: Selection,
    counts: PartCounts,
) -> Iterator[Page]:
    """All pages; of a truncated file those that it has, if that is allowed."""
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
    """(page, concept, its text as it is) of the pages that are documents."""
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
    """Concept, and whether the page tells meanings apart; what the page says itself comes first."""
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


def _tokenised(
    documents: Iterable[tuple[Page, str, str]], language: str, counts: PartCounts
) -> Iterator[counting.Record]:
    for page, concept, text in documents:
        tokens = tokenise(text, language)
        counts.tokens += len(tokens)
        yield page.id, concept, page.title, tokens
