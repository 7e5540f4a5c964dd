"""GIMP's help: a source of one's own, for `corpus.source`."""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Literal

import lxml.html

from cr5.base.errors import UserError
from cr5.contracts.source import Reading, Record, Source
from cr5.texts import debian
from cr5.texts.sources.libreoffice_help import Page, documents

PARAGRAPHS = "//*[self::p or self::dt or self::h1 or self::h2 or self::h3 or self::h4]"
OF_THE_TEXT = '[not(ancestor::div[@class="navheader" or @class="navfooter"])]'


class GimpHelp(Source):
    """The manual's pages have the same names in all languages, their paragraphs the same order.

    Pages with as many paragraphs in English and each language of the run are kept, each paragraph
    in one.
    """

    name = "GIMP's help"
    together = True
    licence = ("gfdl", "The texts are GIMP's help, under the GNU Free Documentation License.")

    path: str = ""
    """A folder with the packages `gimp-help-*.deb`; none fetches them by apt-get."""
    paragraphs: Literal["comparable", "all"] = "comparable"
    """As of LibreOffice's help."""

    def fetch(self, languages: Iterable[str], folder: Path) -> None:
        """Fetch the packages of languages, and that of English to detect untranslated text.

        Raises:
            UserError: apt-get, the network or a package is missing.
        """
        debian.download([f"gimp-help-{x}" for x in sorted({*languages, "en"})], folder)

    def find(self, path: Path, language: str) -> list[Path]:
        """Return the package of a language.

        Raises:
            UserError: there is none, or several.
        """
        found = debian.package(path, f"gimp-help-{language}")
        if not found:
            raise UserError(f"{path}: expected gimp-help-{language}_*.deb; correct `corpus.path`")
        return found

    def records(self, reading: Reading) -> Iterator[Record]:
        """Yield a document for each page."""
        pages = {x: dict(_pages(*self.find(reading.path, x))) for x in {*reading.languages, "en"}}
        yield from documents(_aligned(pages, reading), reading)


def _aligned(pages: dict[str, dict], reading: Reading) -> Iterator[Page]:
    """The pages of a language, with what is not left in English."""
    language = reading.language
    for name, (title, texts) in sorted(pages[language].items()):
        found = {x: pages[x].get(name, ("", []))[1] for x in pages}
        if len(set(map(len, found.values()))) > 1:
            continue
        own = [
            (str(i), text)
            for i, (text, english) in enumerate(zip(texts, found["en"], strict=True))
            if language == "en" or text != english
        ]
        yield Page(name, title, len(texts), own)


def _pages(package: Path) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    """Name, title and paragraphs of each page."""
    for path, content in debian.unpack(package):
        if path.endswith(".html") and content.strip():
            root = lxml.html.document_fromstring(content)
            texts = [
                " ".join(x.text_content().split()) for x in root.xpath(PARAGRAPHS + OF_THE_TEXT)
            ]
            yield PurePath(path).stem, (" ".join((root.findtext(".//title") or "").split()), texts)
