"""Pages of a dump, one by one: XML exports of MediaWiki, and CirrusSearch indices."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from lxml import etree

from cr5.base.compressed import TruncatedError, renewal
from cr5.base.errors import UserError

READ = 1 << 18  # bytes given to the parser at a time
TAGS = ("{*}mediawiki", "{*}siteinfo", "{*}page")  # of whatever version of the export's schema
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
WIKITEXT = "wikitext"
QID = re.compile(r"Q[1-9][0-9]*", re.ASCII)
UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # JSON can write these, UTF-8 cannot


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a wiki.

    Attributes:
        id: page id, the key into page_props.
        title: with the namespace's name, if any.
        namespace: 0 for articles.
        is_redirect: it only points to another page.
        model: of the content, `wikitext` for articles.
        text: wikitext (XML) or plain text (CirrusSearch).
        qid: Wikidata's name of what the page is about, where the dump says so.
    """

    id: int
    title: str
    namespace: int
    is_redirect: bool
    model: str
    text: str
    qid: str | None = None


@dataclass(frozen=True)
class Siteinfo:
    """What an export says of its wiki.

    Attributes:
        language: of the content, as in xml:lang; "" where it is not said.
        namespaces: localised name -> number; the nameless one is left out.
    """

    language: str = ""
    namespaces: dict[str, int] = field(default_factory=dict)


def siteinfo(stream: BinaryIO, where: str) -> Siteinfo:
    """Read the head of an XML export; one that has no <siteinfo> knows no namespaces.

    Args:
        stream: the export from its beginning; it is read on to about the first page.
        where: the file's name, for messages.

    Raises:
        UserError: not an export of MediaWiki; TruncatedError: it ends before the first page.
    """
    language = ""
    for event, element in _elements(stream, where):
        tag = etree.QName(element).localname
        if tag == "mediawiki":
            language = element.get(LANGUAGE, "")
        if tag == "siteinfo" and event == "end":
            names = {x.text: int(x.get("key")) for x in element.iterfind(".//{*}namespace")}
            return Siteinfo(language, {name: number for name, number in names.items() if name})
        if tag == "page":
            break
    return Siteinfo(language)


def xml_pages(stream: BinaryIO, where: str) -> Iterator[Page]:
    """Pages of an XML export, of any version since 0.6 (2012); memory holds a few of them.

    Of a page with several revisions the last one in the file counts.

    Args:
        stream: the export from its beginning.
        where: the file's name, for messages.

    Raises:
        TruncatedError: the export ends too soon; all complete pages have been given.
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
        raise _after(error, done, title) from error


def _after(error: TruncatedError, done: int, title: str) -> TruncatedError:
    last = f" (the last one is {title!r})" if done else ""
    return TruncatedError(f"{error}. It was good for {done} pages{last}")


def _elements(stream: BinaryIO, where: str) -> Iterator[tuple[str, etree._Element]]:
    """(start or end, element) of the few elements that matter; all that a bad file has to give."""
    parser = etree.XMLPullParser(
        ("start", "end"), tag=TAGS, resolve_entities=False, no_network=True, huge_tree=True
    )
    size = 0
    begun = complete = False
    while data := stream.read(READ):
        size += len(data)
        broken = None
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


def _page(element: etree._Element, where: str) -> Page:
    title = element.findtext("{*}title") or ""
    number, namespace = element.findtext("{*}id"), element.findtext("{*}ns")
    try:
        number, namespace = int(number), int(namespace)
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{where}: page {title!r} has <id> {number!r} and <ns> {namespace!r}; expected two "
            "integers, as in exports since version 0.6: take a newer export"
        ) from error
    model = text = None
    if revisions := element.findall("{*}revision"):
        model, text = (revisions[-1].findtext(f"{{*}}{tag}") for tag in ("model", "text"))
    is_redirect = element.find("{*}redirect") is not None
    return Page(number, title, namespace, is_redirect, model or WIKITEXT, text or "")


def _forget(page: etree._Element) -> None:
    """Free a page and what is before it; the one after it may be half parsed: hands off."""
    page.clear()
    root = page.getparent()
    while page.getprevious() is not None:
        del root[0]


def cirrus_pages(stream: BinaryIO, where: str) -> Iterator[Page]:
    """Pages of a CirrusSearch index: two JSON lines a record, plain text, no redirects.

    A lone surrogate or a NUL, which cannot be stored, becomes U+FFFD.

    Args:
        stream: the index from its beginning.
        where: the file's name, for messages.

    Raises:
        TruncatedError: the last record is incomplete; all others have been given.
        UserError: with the line: not JSON, or not such a record.
    """
    done = 0
    title = ""
    try:
        for number, (head, record) in _records(stream, where):
            page = _cirrus_page(head, record, f"{where}, line {number}")
            yield page
            done, title = done + 1, page.title
    except TruncatedError as error:
        raise _after(error, done, title) from error
    if not done:
        raise UserError(f"{where}: no record in it; expected a CirrusSearch index")


def _records(stream: BinaryIO, where: str) -> Iterator[tuple[int, tuple[Any, Any]]]:
    """The number of the second line, and both lines of a record."""
    head = None
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                raise _cut_off(where) from error
            raise UserError(
                f"{where}, line {number}: not JSON ({error}); the file is damaged: {renewal(where)}"
            ) from error
        if head is None:
            head = value
        else:
            yield number, (head, value)
            head = None
    if head is not None:
        raise _cut_off(where)


def _cut_off(where: str) -> TruncatedError:
    return TruncatedError(f"{where}: the last record is incomplete: {renewal(where)}")


def _cirrus_page(head: Any, record: Any, where: str) -> Page:
    try:
        identifier = record.get("page_id") or head["index"]["_id"]
        qid = record.get("wikibase_item")
        return Page(
            int(identifier),
            UNSTORABLE.sub("\ufffd", record["title"]),
            int(record["namespace"]),
            False,
            record.get("content_model") or WIKITEXT,
            UNSTORABLE.sub("\ufffd", record.get("text") or ""),
            qid if isinstance(qid, str) and QID.fullmatch(qid) else None,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"{where}: not a record of a CirrusSearch index ({error!r}); expected an object with "
            "page_id, title, namespace and text, after a line with the page's id"
        ) from error
