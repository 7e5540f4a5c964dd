"""Reads the pages of a dump one by one: XML exports of MediaWiki."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from lxml import etree

from cr5.base.compressed import TruncatedError, renewal
from cr5.base.errors import UserError

READ = 1 << 18  # bytes given to the parser at a time
DOCTYPE = b"<!DOCTYPE"  # may define text that expands without limit; no export has one
LARGEST = 2**32 - 1  # page id, as in the table page_props; actual ids have 8 digits
TAGS = ("{*}mediawiki", "{*}siteinfo", "{*}page")  # in any version of the export schema
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
        UserError: not an export of MediaWiki; TruncatedError: it ends before the first page.
    """
    for event, element in _elements(stream, where):
        tag = etree.QName(element).localname
        if tag == "siteinfo" and event == "end":
            return _names(element, where)
        if tag == "page":
            break
    return {}


def _names(element: etree._Element, where: str) -> dict[str, int]:
    names = {}
    for namespace in element.iterfind(".//{*}namespace"):
        try:
            names[namespace.text] = int(namespace.get("key"))
        except (TypeError, ValueError) as error:
            raise UserError(
                f"{where}: <siteinfo> has the namespace {namespace.text!r} with the key "
                f"{namespace.get('key')!r}; expected an integer: {renewal(where)}"
            ) from error
    return {name: number for name, number in names.items() if name}


def xml_pages(stream: BinaryIO, where: str) -> Iterator[Page]:
    """Pages of an XML export of any version since 0.6 (2012); memory holds a few of them.

    If a page has several revisions, the last one in the file counts.

    Args:
        stream: the export from its beginning.
        where: the file's name, for messages.

    Raises:
        TruncatedError: the export ends too soon; all complete pages have been yielded.
        UserError: not an export of MediaWiki, or not well-formed.
    """
    done = 0
    title = ""
    try:
        for event, element in _elements(stream, where):
            if event == "end" and element.tag.endswith("page"):
                page = _page(element, where)
                _forget(element)
                yield page
                done, title = done + 1, page.title
    except TruncatedError as error:
        raise after(error, done, title) from error


def after(error: TruncatedError, done: int, title: str) -> TruncatedError:
    """Add to an error how many pages came before it, and the title of the last one."""
    last = f" (the last one is {title!r})" if done else ""
    return TruncatedError(f"{error}. It was good for {done} pages{last}")


def _elements(stream: BinaryIO, where: str) -> Iterator[tuple[str, etree._Element]]:
    """(start or end, element) of the few relevant elements; of a bad file, as many as possible."""
    parser = etree.XMLPullParser(
        ("start", "end"),
        tag=TAGS,
        resolve_entities=False,
        no_network=True,
        huge_tree=True,  # else pages of 10 MB fail
        encoding="utf-8",
    )
    size = 0
    begun = complete = False
    before = b""
    while data := stream.read(READ):
        size += len(data)
        broken = None
        if not begun:
            _check_head(before + data, where)
            before = (before + data)[-len(DOCTYPE) :]
        try:
            parser.feed(data)
        except etree.XMLSyntaxError as error:
            broken = error
        for event, element in parser.read_events():
            begun = True
            complete = event == "end" and element.tag.endswith("mediawiki")
            yield event, element
        if broken:
            raise UserError(
                f"{where}: not well-formed XML within the first {size} bytes ({broken}); expected "
                f"an export of MediaWiki: look at the file; if it is damaged, {renewal(where)}"
            ) from broken
    if not begun:
        raise UserError(
            f"{where}: no <mediawiki> in it; expected an export of MediaWiki: look at the file; if "
            f"it is something else, {renewal(where)}"
        )
    if not complete:
        raise TruncatedError(
            f"{where}: the XML ends after {size} bytes without its </mediawiki>; "
            f"the file is truncated: {renewal(where)}"
        )


def _check_head(data: bytes, where: str) -> None:
    if DOCTYPE in data:
        raise UserError(
            f"{where}: it has a document type, as no export of MediaWiki; look at the file: if it "
            f"is something else, {renewal(where)}"
        )


def _page(element: etree._Element, where: str) -> Page:
    title = element.findtext("{*}title") or ""
    number, namespace = element.findtext("{*}id"), element.findtext("{*}ns")
    try:
        numbers = checked_id(int(number)), int(namespace)
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{where}: page {title!r} has <id> {number!r:.40} and <ns> {namespace!r:.40}; expected "
            "two integers, as in exports since version 0.6: take a newer export"
        ) from error
    model = text = None
    if revisions := element.findall("{*}revision"):
        model, text = (revisions[-1].findtext(f"{{*}}{tag}") for tag in ("model", "text"))
    is_redirect = element.find("{*}redirect") is not None
    number, namespace = numbers
    return Page(number, title, namespace, is_redirect, model or WIKITEXT, text or "")


def checked_id(number: int) -> int:
    """Return the id of a page; ValueError if it is invalid."""
    if not 0 <= number <= LARGEST:
        raise ValueError(f"page ids are from 0 to {LARGEST}")
    return number


def _forget(page: etree._Element) -> None:
    """Free a page and everything before it; the next one may be half parsed, so keep it."""
    page.clear()
    root = page.getparent()
    while page.getprevious() is not None:
        del root[0]
