"""Reads the pages of a dump one by one: XML exports of MediaWiki, of any version since 0.6."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from lxml import etree

from cr5.base.errors import UserError

LARGEST = 2**32 - 1  # page id, as in the table page_props; actual ids have 8 digits
WIKITEXT = "wikitext"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a wiki.

    Attributes:
        id: page id, the key into page_props.
        title: with the namespace's name, if any.
        namespace: 0 for articles.
        is_redirect: whether it only points to another page.
        model: of the content, `wikitext` for articles.
        text: wikitext.
    """

    id: int
    title: str
    namespace: int
    is_redirect: bool
    model: str
    text: str


def siteinfo(stream: BinaryIO, where: str) -> dict[str, int]:
    """Read the numbers of namespaces by their localised names, from the head of an XML export.

    The nameless one is left out; without <siteinfo> there are none.

    Args:
        stream: the export from its beginning; it is read up to about the first page.
        where: the file's name, for messages.

    Raises:
        UserError: as for `xml_pages`.
    """
    first = next(_elements(stream, where))  # a page, if there is no <siteinfo>
    found = first.iterfind(".//{*}namespace")
    return {x.text: int(x.get("key")) for x in found if x.text}


def xml_pages(stream: BinaryIO, where: str) -> Iterator[Page]:
    """Yield the pages of an XML export; memory holds a few of them.

    If a page has several revisions, the last one in the file counts.

    Args:
        stream: the export from its beginning.
        where: the file's name, for messages.

    Raises:
        UserError: it is truncated, not well-formed, or not an export of MediaWiki; all pages before
            that have been yielded.
    """
    for element in _elements(stream, where):
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
