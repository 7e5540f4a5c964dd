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
from cr5.counts import documents
from cr5.texts.reading import Record
from cr5.texts.wikimedia.concepts import DISAMBIGUATION, Concepts
from cr5.texts.wikimedia.wikitext.clean import clean
from cr5.texts.wikimedia.wikitext.links import Namespaces, namespaces_of

log = logging.getLogger(__name__)

LARGEST = 2**32 - 1  # page id, as in the table page_props; actual ids have 8 digits
WIKITEXT = "wikitext"
# What becomes of a page: it is no article, has no Q-id (it is new, or the dumps are from different
# days), is a disambiguation page, or is a document.
OUTCOMES = (
    *("other_namespace", "redirect", "other_model"),
    *("no_concept", "disambiguation", "documents"),
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
    counts, table = Counter(dict.fromkeys(OUTCOMES, 0)), Concepts(concepts, language)
    with open_stream(path) as stream:
        names, pages = export(stream, str(path))
        found = _documents(pages, table, namespaces_of(names), counts)
        told = {"repeated": "first", "may_be_empty": True, "notes": lambda: dict(counts)}
        documents.write(out, found, language, job=job, **told)
    log.info("%s: %s", path, dict(counts))
    return counts


def total(paths: Iterable[str | Path]) -> dict[str, int]:
    """Add up what is noted of several parts."""
    added: Counter = Counter()
    for path in paths:
        added.update(documents.notes_of(path))
    return dict(added)


def _documents(
    pages: Iterable[Page], table: Concepts, known: Namespaces, counts: Counter
) -> Iterator[Record]:
    for page in pages:
        qid = table.find(page.id)
        outcome = _outcome(page, qid)
        counts[outcome] += 1
        if outcome == "documents":
            yield f"Q{qid}", page.title, clean(page.text, known)


def _outcome(page: Page, qid: int | None) -> str:
    if page.namespace != 0:
        return "other_namespace"
    if page.is_redirect:
        return "redirect"
    if page.model != WIKITEXT:
        return "other_model"
    if qid is None:
        return "no_concept"
    return "disambiguation" if qid == DISAMBIGUATION else "documents"


def export(stream: BinaryIO, where: str) -> tuple[dict[str, int], Iterator[Page]]:
    """Return the numbers of namespaces by their localised names, and the pages of an XML export.

    Of a page the last revision is read. Memory holds a few of them.
    """
    elements = _elements(stream, where)
    first = next(elements)  # a page, if there is no <siteinfo>
    names = {x.text: int(x.get("key")) for x in first.iterfind(".//{*}namespace") if x.text}
    return names, _pages(chain([first], elements), where)


def _pages(elements: Iterable[etree._Element], where: str) -> Iterator[Page]:
    for element in elements:
        if element.tag.endswith("page"):
            yield _page(element, where)
            _forget(element)


def _elements(stream: BinaryIO, where: str) -> Iterator[etree._Element]:
    """<siteinfo>, if it is there, and each page."""
    element = None
    options = {"huge_tree": True, "resolve_entities": False, "no_network": True}
    try:
        for _, element in etree.iterparse(stream, tag=("{*}siteinfo", "{*}page"), **options):
            yield element
    except etree.XMLSyntaxError as error:
        raise UserError(f"{where}: truncated or damaged ({error}); get a whole copy") from error
    if element is None:
        raise UserError(f"{where}: no page in it; expected an export of MediaWiki")


def _page(element: etree._Element, where: str) -> Page:
    title = element.findtext("{*}title") or ""
    number, namespace = element.findtext("{*}id"), element.findtext("{*}ns")
    try:
        numbers = int(number), int(namespace)
        if not 0 <= numbers[0] <= LARGEST:
            raise ValueError("the id is too large")
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{where}: page {title!r} has <id> {number!r:.40} and <ns> {namespace!r:.40}; expected "
            f"two integers, as in exports since version 0.6 ({error})"
        ) from error
    model = text = None
    if revisions := element.findall("{*}revision"):
        model, text = (revisions[-1].findtext(f"{{*}}{tag}") for tag in ("model", "text"))
    is_redirect = element.find("{*}redirect") is not None
    return Page(numbers[0], title, numbers[1], is_redirect, model or WIKITEXT, text or "")


def _forget(page: etree._Element) -> None:
    """Free a page and everything before it; the next one may be half parsed, so keep it."""
    page.clear()
    root = page.getparent()
    while page.getprevious() is not None:
        del root[0]
