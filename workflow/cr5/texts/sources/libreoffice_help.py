"""The help pages of LibreOffice: parallel pages with the same paths and paragraph ids."""

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal

import lxml.etree
import lxml.html

from cr5.base.errors import UserError
from cr5.base.languages import base_language
from cr5.contracts.keys import PathText
from cr5.contracts.source import Document, Note, Paragraph, Reading, Record, Source
from cr5.texts import debian

log = logging.getLogger(__name__)

Element = tuple[str | None, str]
"""The id of an element, if it has one, and the text of the paragraph in it."""
Text = tuple[lxml.etree._Element, str]
"""A text of a page, with its innermost block element."""
PAGE = re.compile(r"usr/share/libreoffice/help/([^/]+)/text/(.+)\.html")
BLOCKS = frozenset(("blockquote", "caption", "dd", "div", "dl", "dt", "li", "ol", "p", "pre", "ul"))
BLOCKS |= {"h1", "h2", "h3", "h4", "h5", "h6"}
BLOCKS |= {"table", "tbody", "td", "tfoot", "th", "thead", "tr"}
# Variants with their own pages; all others use those of their language.
VARIANTS = {"bn-in", "ca-valencia", "en-gb", "en-us", "en-za", "pt-br", "sr-latn", "zh-cn", "zh-tw"}
STANDARD = {"en": "en-us", "zh": "zh-cn"} | dict.fromkeys(("zh-hant", "zh-hk", "zh-mo"), "zh-tw")
COUNTED = ("pages", "documents", "paragraphs", "kept", "dropped", "apart")
SILENT = {"meta", "noscript", "script", "style"}
SILENT |= {lxml.etree.Comment, lxml.etree.ProcessingInstruction}


@dataclass(frozen=True)
class Page:
    """A page of one language."""

    concept: str  # the same in all languages
    title: str
    n_paragraphs: int  # with English left-overs
    translated: Sequence[Element]  # the paragraphs without them
    parallel: Sequence[Paragraph] = ()  # the same, with ids that translations share


class LibreofficeHelp(Source):
    """The help pages of LibreOffice: parallel pages with the same paths and paragraph ids.

    A page is a concept ("swriter/guide/pagenumbers"). A page that is not fully translated has
    English text for the rest; those paragraphs are dropped, as retrieval would otherwise compare
    English with English. Paragraphs may be kept in only one language each: then the pages of two
    languages are about the same thing but share no sentence, like Wikipedia articles.
    """

    name = "LibreOffice's help"
    parallel = True
    together = True  # each paragraph is kept in one of the languages
    licence = (
        "mpl-2.0",
        "The texts are LibreOffice's help, under the Mozilla Public License 2.0 "
        "(https://www.mozilla.org/MPL/2.0/).",
    )

    path: PathText = ""
    """A folder with the packages `libreoffice-help-*.deb`; none fetches them by apt-get."""
    paragraphs: Literal["comparable", "all", "documents"] = "comparable"
    """`comparable` keeps each paragraph in one language only, so that the text is comparable, as
    Wikipedia is; `all` is parallel text, which is far easier; `documents` makes each paragraph a
    document, once."""

    def fetch(self, languages: Iterable[str], folder: Path) -> None:
        """Fetch the packages of languages, and that of English to detect untranslated text."""
        packages = {package(language) for language in languages}
        packages.add(package("en"))
        debian.download(sorted(packages), folder)

    def find(self, path: Path, language: str) -> list[Path]:
        """Find the package of a language in a folder; UserError if there is none."""
        packages = debian.package(path, package(language))
        if not packages:
            raise UserError(
                f"{path}: expected {package(language)}_*.deb, help pages in {language!r}; correct "
                "`corpus.path` or the list of languages"
            )
        return packages

    def records(self, reading: Reading) -> Iterator[Record]:
        """Yield the documents of a language, sorted by concept, each behind its paragraphs.

        A paragraph is dropped if the English page has one with the same id (or both have none) and
        the same text. Nothing is dropped from English. A page with nothing left is not a document;
        a title, which is not part of the text, is kept even if it is in English. Paragraphs whose
        id is not unique on their page get one that no other language has.
        """
        if self.paragraphs == "documents":
            yield from _paragraphs(_pages(reading), reading.language)
        else:
            yield from documents(_pages(reading), reading)


def help_code(language: str) -> str:
    """Return the code of a language's pages: `en-us` for en, `pt-br` for pt_br, `de` for deu_at."""
    code = language.lower().replace("_", "-")
    if code not in STANDARD and code not in VARIANTS:
        code = base_language(code)
    return STANDARD.get(code, code)


def package(language: str) -> str:
    """Return the name of Debian's package with the help of a language, such as `da` or `pt_br`."""
    return f"libreoffice-help-{help_code(language)}"


def pages(deb: Path, language: str) -> Iterator[tuple[str, bytes]]:
    """Yield path within text/, without .html, and HTML of a language's pages in a package."""
    for name, content in debian.unpack(deb):
        match = PAGE.fullmatch(name)
        if match and match[1].lower() == help_code(language):
            yield match[2], content


def parse(html: bytes, place: str) -> tuple[str, list[Element]]:
    """Return title and paragraphs of a page, in order: each visible text once, on one line.

    A paragraph is text with the same innermost block element. Mac variants of key names are left
    out, and so are empty paragraphs.
    """
    root = root_of(html, place)
    areas = root.findall('.//*[@id="DisplayArea"]')
    if len(areas) != 1:
        raise UserError(f'{place}: expected one element with id="DisplayArea"')
    [area] = areas
    texts: list[Text] = []
    _gather(area, area, texts)
    paragraphs = []
    for block, run in groupby(texts, key=itemgetter(0)):
        pieces = [piece for _, piece in run]
        text = " ".join("".join(pieces).split())
        if text:
            paragraphs.append((block.get("id"), text))
    title = root.findtext(".//title") or ""
    return " ".join(title.split()), paragraphs


def root_of(page: bytes, place: str) -> lxml.etree._Element:
    """Return the root of a page's elements; `place` names the page in messages.

    They are plain elements: making those of `lxml.html` takes as long as parsing.
    """
    parser = lxml.etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        return lxml.html.document_fromstring(page, parser=parser)
    except (lxml.etree.LxmlError, ValueError) as error:
        raise UserError(f"{place}: no HTML ({error}); fetch the package again") from error


def documents(pages: Iterable[Page], reading: Reading) -> Iterator[Record]:
    """Yield the documents of pages, a paragraph per line; pages with nothing left are none.

    The note at the end has counts, where paragraphs = kept + dropped (English left-overs) + apart
    (kept only in another language).
    """
    language = reading.language
    languages: Sequence[str] = ()  # that share the paragraphs
    if reading.source.paragraphs == "comparable":
        languages = reading.languages
    counts = Counter(dict.fromkeys(COUNTED, 0))
    for page in pages:
        yield from page.parallel
        texts = _kept(page, language, languages)
        n_kept = len(texts)
        n_translated = len(page.translated)
        counts["pages"] += 1
        counts["paragraphs"] += page.n_paragraphs
        counts["kept"] += n_kept
        counts["dropped"] += page.n_paragraphs - n_translated
        counts["apart"] += n_translated - n_kept
        if texts:
            counts["documents"] += 1
            yield Document(page.concept, page.title, "\n".join(texts))
    note = Note("paragraphs", {"language": language, **counts})
    log.info("%s", note.value)
    yield note


def _kept(page: Page, language: str, languages: Collection[str]) -> list[str]:
    """Return the paragraphs of a page that a language keeps of those shared among languages."""
    texts = []
    for identity, text in page.translated:
        if not languages or owner(page.concept, identity, languages) == language:
            texts.append(text)
    return texts


def owner(page: str, identity: str | None, languages: Collection[str]) -> str:
    """Return the language that keeps a paragraph: drawn by hash, independent of their order.

    Ids are trusted: on real pages a translation has the id of its original, equally often.
    Positions are not, because some pages sort their sections by translated headings. So all
    paragraphs of a page without an id go to the same language.
    """
    name = f"{page}\n{identity or ''}"
    digest = hashlib.sha256(name.encode()).digest()
    number = int.from_bytes(digest) % len(languages)
    return sorted(languages)[number]


def _paragraphs(pages: Iterable[Page], language: str) -> Iterator[Record]:
    """Yield each paragraph as a document with the title of its page; of equal texts the first."""
    texts: set[str] = set()
    for page in pages:
        for _, identity, text in page.parallel:
            if text not in texts:
                texts.add(text)
                concept = f"{page.concept}#{identity}"
                yield Paragraph(concept, "", text)
                yield Document(concept, page.title, text)
    log.info("%s: %d different paragraphs, a document each", language, len(texts))


def _pages(reading: Reading) -> Iterator[Page]:
    """Yield the pages of a language, sorted by concept."""
    language = reading.language
    is_english = help_code(language) == help_code("en")
    english: dict[str, tuple[str, list[Element]]] = {}
    if not is_english:
        english = _parsed(reading, "en")
    parsed = _parsed(reading, language)
    for concept, (title, paragraphs) in sorted(parsed.items()):
        _, english_paragraphs = english.get(concept, ("", []))
        left_over = frozenset(english_paragraphs)
        translated = [paragraph for paragraph in paragraphs if paragraph not in left_over]
        n_with_id = Counter(identity for identity, _ in paragraphs)
        parallel = []
        for number, (identity, text) in enumerate(translated):
            if not identity or n_with_id[identity] > 1:
                identity = f"{language}:{number}"
            parallel.append(Paragraph(concept, identity, text))
        yield Page(concept, title or concept, len(paragraphs), translated, parallel)


def _parsed(reading: Reading, language: str) -> dict[str, tuple[str, list[Element]]]:
    """Return title and paragraphs by page."""
    [deb] = LibreofficeHelp.find(reading.source, reading.path, language)
    return {name: parse(html, f"{deb}, page {name}") for name, html in pages(deb, language)}


def _gather(element: lxml.etree._Element, block: lxml.etree._Element, texts: list[Text]) -> None:
    """Append all texts of an element in document order, with their innermost block elements."""
    texts.append((block, element.text or ""))
    for child in element:
        tag = child.tag
        if tag == "br":
            texts.append((block, " "))
        elif tag not in SILENT and child.get("class") != "MAC":
            child_block = child if tag in BLOCKS else block
            _gather(child, child_block, texts)
        texts.append((block, child.tail or ""))
