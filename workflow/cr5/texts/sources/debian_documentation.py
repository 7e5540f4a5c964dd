"""Debian's documentation: the help pages of LibreOffice, beside text of one language alone."""

import gzip
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from cr5.base.languages import SHORT
from cr5.base.text_files import naming_file
from cr5.contracts.keys import PathText
from cr5.contracts.source import Document, Reading, Record
from cr5.texts import debian
from cr5.texts.sources.libreoffice_help import LibreofficeHelp, root_of

log = logging.getLogger(__name__)

PACKAGES = (  # of one language each
    "aptitude-doc",
    "debian-faq",
    "debian-reference",
    "developers-reference",
    "gimp-help",
    "lilypond-doc-html",
    "maint-guide",
    "manpages",
)
SHARED = ("debian-handbook", "installation-guide-amd64")  # of all languages
BLOCKS = ("p", "div", "li", "dd", "dt", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6")
LEAST = 4  # words of a paragraph
MAN = re.compile(r"usr/share/man/.*\.gz")
ESCAPE = re.compile(r"\\(?:[f*](?:\(..|\[[^]]*\]|.)|\(..|\[[^]]*\]|s[-+]?\d|.)")
REQUEST = re.compile(r"[.'](\w*)\s*(.*)")
FONTS = {"B", "I", "BI", "BR", "IB", "IR", "RB", "RI", "SH", "SM", "SS"}  # whose arguments are text
WITHIN = FONTS - {"SH", "SS"} | {""}  # requests that end no paragraph

Page = tuple[str, Iterable[str]]  # name, paragraphs


class DebianDocumentation(LibreofficeHelp):
    """Debian's documentation: the help pages of LibreOffice, beside text of one language alone.

    The help pages are those of `libreoffice_help`, and the only concepts that languages share.
    Manuals, manual pages and package descriptions in the language give millions of words more for
    word vectors: their documents are named after their language, so they are never queries and
    never the answer to one. Most of that text is translated from English, too, and some of it is
    left in English, in all languages: two languages are nearer to each other here than in
    Wikipedia.
    """

    name = "Debian's documentation"
    parallel = False
    licence = (
        "other",
        "The texts are LibreOffice's help (MPL 2.0), manuals, manual pages and package descriptions"
        " of Debian, under as many free licences (https://www.debian.org/legal/licenses/).",
    )

    path: PathText = ""
    """A folder with the packages and the files `Translation-da` and so on; none fetches them by
    apt-get."""
    paragraphs: Literal["comparable", "all"] = "comparable"
    """Of the help pages; `comparable` keeps each in one language only, `all` is parallel text."""

    def fetch(self, languages: Iterable[str], folder: Path) -> None:
        """Fetch help pages, descriptions and those of the other packages that this release has."""
        languages = list(languages)
        super().fetch(languages, folder)
        packages: set[str] = set()
        for language in languages:
            packages.update(_packages(language))
        debian.download(packages, folder, if_there=True, descriptions=languages)

    def find(self, path: Path, language: str) -> list[Path]:
        """Return the files of a language: of its help, its other packages and its descriptions."""
        paths = super().find(path, language)
        for name in _packages(language):
            paths += debian.package(path, name)
        return paths + debian.descriptions_in(path, language)

    def records(self, reading: Reading) -> Iterator[Record]:
        """Yield the documents of a language: help pages, then those that no other language has.

        Of equal paragraphs outside of the help only the first is kept, if it has `LEAST` words. The
        concept of a page that is not the help's begins with its language.
        """
        yield from super().records(reading)
        kept_paragraphs: set[str] = set()
        _, *files = self.find(reading.path, reading.language)  # the help comes first
        for name, paragraphs in _pages(files, reading.language):
            new = []
            for paragraph in paragraphs:
                words = paragraph.split()
                text = " ".join(words)
                if len(words) >= LEAST and text not in kept_paragraphs:
                    new.append(text)
                    kept_paragraphs.add(text)
            if new:
                yield Document(f"{reading.language}/{name}", name, "\n".join(new))
        log.info("%d paragraphs besides the help pages", len(kept_paragraphs))


def _packages(language: str) -> list[str]:
    """Return the names of packages that may have text of a language."""
    code = _code(language)
    names = [f"{name}-{code}" for name in PACKAGES]
    names.append(f"manpages-{code}-dev")
    names.extend(SHARED)
    return names


def _code(language: str) -> str:
    """Return what Debian's packages call a language: `pt-br` for pt_br."""
    base, hyphen, variant = language.replace("_", "-").lower().partition("-")
    return SHORT.get(base, base) + hyphen + variant


def _pages(files: Iterable[Path], language: str) -> Iterator[Page]:
    """Yield the pages of packages and of files of descriptions."""
    for file in files:
        if file.suffix == ".deb":
            yield from of_package(file, language)
        else:
            for checksum, sentences in debian.descriptions(file):
                yield f"{file.name}/{checksum}", sentences


def of_package(package: Path, language: str) -> Iterator[Page]:
    """Yield the pages of a package in a language, by name."""
    name = package.name.partition("_")[0]
    wanted = re.compile(f"[./-]{_code(language)}[./-]" if name in SHARED else "")
    for path, content in debian.unpack(package):
        name_of_page = f"{name}/{path}"
        place = f"{package}: {path}"
        if MAN.fullmatch(path):
            with naming_file(place):
                unpacked = gzip.decompress(content)
            page = unpacked.decode("utf-8", "replace")
            yield name_of_page, of_man_page(page)
        elif path.endswith(".html") and wanted.search(path.lower()):
            yield name_of_page, of_html(content, place)


def of_html(page: bytes, place: str) -> Iterator[str]:
    """Yield the texts of a page's innermost blocks."""
    for block in root_of(page, place).iter(BLOCKS):
        inner_blocks = block.iterdescendants(BLOCKS)
        if next(inner_blocks, None) is None:
            yield str(block.xpath("string()"))


def of_man_page(page: str) -> Iterator[str]:
    """Yield the paragraphs of a page in roff, see man(7), without its markup."""
    lines: list[str] = []
    for line in page.splitlines():
        request = REQUEST.fullmatch(line)
        name = ""
        text = line
        if request:
            name, text = request.groups()
        if name not in WITHIN or not text.strip():
            yield " ".join(lines)
            lines = []
        if not request or name in FONTS:
            text = text.replace(r"\-", "-").replace('"', "")
            lines.append(ESCAPE.sub("", text))
    yield " ".join(lines)
