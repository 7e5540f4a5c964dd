"""From a part of a dump to documents: read its pages, select articles, strip their markup.

The parts are XML exports of MediaWiki, of any version since 0.6.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from lxml import etree

from cr5.base.artefacts import NO_JOB, Job
from cr5.base.errors import UserError
from cr5.base.text_files import open_stream
from cr5.contracts.source import Document
from cr5.counts import documents
from cr5.texts.wikimedia.concepts import DISAMBIGUATION, Concepts
from cr5.texts.wikimedia.wikitext.clean import clean
from cr5.texts.wikimedia.wikitext.links import Namespaces, namespaces_of

log = logging.getLogger(__name__)

LARGEST = 2**32 - 1  # page id, as in the table page_props; actual ids have 8 digits
WIKITEXT = "wikitext"
# What becomes of a page: it is no article, has no Q-id (it is new, or the dumps are from different
# days), is a disambiguation page, or is a document.
OUTCOMES = (
    "other_namespace",
    "redirect",
    "other_model",
    "no_concept",
    "disambiguation",
    "documents",
)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a wiki."""

    id: int  # the key into page_props
    title: str  # with the namespace's name, if any
    namespace: int  # 0 for articles
    is_redirect: bool
    model: str  # of the content
    text: str


def text_part(
    path: str | Path,
    language: str,
    concepts: str | Path,
    out: str | Path,
    job: Job = NO_JOB,
) -> Counter:
    """Turn the articles of one published file into documents, if any; count the `OUTCOMES`."""
    counts = Counter(dict.fromkeys(OUTCOMES, 0))
    concept_of_page = Concepts(concepts, language)
    with open_stream(path) as stream:
        namespace_numbers, pages = export(stream, str(path))
        namespaces = namespaces_of(namespace_numbers)
        documents.write(
            out,
            _documents(pages, concept_of_page, namespaces, counts),
            language,
            repeated="first",
            may_be_empty=True,
            notes=counts.copy,
            job=job,
        )
    log.info("%s: %s", path, dict(counts))
    return counts


def total(paths: Iterable[str | Path]) -> dict[str, int]:
    """Add up what is noted of several parts."""
    added: Counter = Counter()
    for path in paths:
        added.update(documents.notes_of(path))
    return dict(added)


def _documents(
    pages: Iterable[Page], concept_of_page: Concepts, namespaces: Namespaces, counts: Counter
) -> Iterator[Document]:
    """Yield the pages that are articles as documents, without markup; count each page's outcome."""
    for page in pages:
        qid = concept_of_page.find(page.id)
        outcome = _outcome(page, qid)
        counts[outcome] += 1
        if outcome == "documents":
            yield Document(f"Q{qid}", page.title, clean(page.text, namespaces))


def _outcome(page: Page, qid: int | None) -> str:
    """Return what becomes of a page: the first of the `OUTCOMES` that holds."""
    if page.namespace != 0:
        return "other_namespace"
    if page.is_redirect:
        return "redirect"
    if page.model != WIKITEXT:
        return "other_model"
    if qid is None:
        return "no_concept"
    if qid == DISAMBIGUATION:
        return "disambiguation"
    return "documents"


def export(stream: BinaryIO, place: str) -> tuple[dict[str, int], Iterator[Page]]:
    """Return the numbers of namespaces by their localised names, and the pages of an XML export.

    Of a page the last revision is read. Memory holds a few of them.
    """
    elements = _elements(stream, place)
    first = next(elements)  # a page, if there is no <siteinfo>
    namespace_numbers = {}
    for namespace in first.iterfind(".//{*}namespace"):
        if namespace.text:
            namespace_numbers[namespace.text] = int(namespace.get("key"))
    return namespace_numbers, _pages(chain([first], elements), place)


def _pages(elements: Iterable[etree._Element], place: str) -> Iterator[Page]:
    for element in elements:
        if element.tag.endswith("page"):
            yield _page(element, place)
            _forget(element)


def _elements(stream: BinaryIO, place: str) -> Iterator[etree._Element]:
    """Yield <siteinfo>, if it is there, and each page."""
    element = None
    options = {"huge_tree": True, "resolve_entities": False, "no_network": True}
    try:
        for _, element in etree.iterparse(stream, tag=("{*}siteinfo", "{*}page"), **options):
            yield element
    except etree.XMLSyntaxError as error:
        raise UserError(f"{place}: truncated or damaged ({error}); get a whole copy") from error
    if element is None:
        raise UserError(f"{place}: no page in it; expected an export of MediaWiki")


def _page(element: etree._Element, place: str) -> Page:
    """Read a page and its last revision; UserError if its numbers are none."""
    title = element.findtext("{*}title") or ""
    id_text = element.findtext("{*}id")
    namespace_text = element.findtext("{*}ns")
    try:
        page_id = int(id_text)
        namespace = int(namespace_text)
        if not 0 <= page_id <= LARGEST:
            raise ValueError("the id is too large")
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{place}: page {title!r} has <id> {id_text!r:.40} and <ns> {namespace_text!r:.40}; "
            f"expected two integers, as in exports since version 0.6 ({error})"
        ) from error
    model = None
    text = None
    revisions = element.findall("{*}revision")
    if revisions:
        model = revisions[-1].findtext("{*}model")
        text = revisions[-1].findtext("{*}text")
    is_redirect = element.find("{*}redirect") is not None
    return Page(page_id, title, namespace, is_redirect, model or WIKITEXT, text or "")


def _forget(page: etree._Element) -> None:
    """Free a page and everything before it; the next one may be half parsed, so keep it."""
    page.clear()
    root = page.getparent()
    while page.getprevious() is not None:
        del root[0]
