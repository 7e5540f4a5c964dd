"""Text of one language from Debian's documentation, a paragraph per line, for `advrefine_size`.

.venv/bin/python -m benchmarks.debian_text fr --folder debian_text

Fetches by apt-get, without root, the help, manuals, manual pages and package descriptions that
exist in the language, and writes FOLDER/fr.txt. Most of it is translated from the same English
texts, and some is left in English: two languages are nearer to each other than in Wikipedia.
"""

import argparse
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import lxml.html

from cr5.corpora import debian, translations
from cr5.corpora.sources.debian_descriptions import sentences

PACKAGES = (  # of one language each
    "aptitude-doc debian-faq debian-reference developers-reference gimp-help libreoffice-help "
    "lilypond-doc-html maint-guide manpages"
)
SHARED = ("debian-handbook", "installation-guide-amd64")  # of all languages
BLOCKS = ("p", "div", "li", "dd", "dt", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6")
LEAST = 4  # words of a paragraph
MAN = re.compile(r"usr/share/man/.*\.gz")
ESCAPE = re.compile(r"\\(?:[f*](?:\(..|\[[^]]*\]|.)|\(..|\[[^]]*\]|s[-+]?\d|.)")
REQUEST = re.compile(r"[.'](\w*)\s*(.*)")
FONTS = {"B", "I", "BI", "BR", "IB", "IR", "RB", "RI", "SH", "SM", "SS"}  # whose arguments are text
WITHIN = FONTS - {"SH", "SS"} | {""}  # requests that end no paragraph


def fetch(language: str, folder: Path) -> None:
    """Fetch the packages and descriptions."""
    own = (f"{x}-{language}" for x in PACKAGES.split())
    debian.download([*own, f"manpages-{language}-dev", *SHARED], folder, if_there=True)
    translations.fetch([language], folder)


def paragraphs(folder: Path, language: str) -> Iterator[str]:
    """What the packages and descriptions in a folder have in a language."""
    for package in sorted(folder.glob("*.deb")):
        name = package.name.partition("_")[0]
        if re.search(rf"-{language}(-dev)?$", name):
            yield from _of_package(package, "")
        elif name in SHARED:
            yield from _of_package(package, f"[./-]{language}[./-]")
    for file in translations.find(folder, language):
        for entry in translations.entries(file):
            yield entry.summary
            yield from sentences(entry.lines)


def _of_package(package: Path, wanted: str) -> Iterator[str]:
    for path, content in debian.unpack(package):
        if MAN.fullmatch(path):
            yield from of_man_page(gzip.decompress(content).decode("utf-8", "replace"))
        elif path.endswith(".html") and re.search(wanted, path):
            yield from of_html(content)


def of_html(page: bytes) -> Iterator[str]:
    """The texts of a page's innermost blocks."""
    root = lxml.html.document_fromstring(page, parser=lxml.html.HTMLParser(encoding="utf-8"))
    for block in root.iter(*BLOCKS):
        if not any(True for _ in block.iterdescendants(*BLOCKS)):
            yield block.text_content()


def of_man_page(page: str) -> Iterator[str]:
    """The text of a page in roff, see man(7), without its markup."""
    lines: list[str] = []
    for line in page.splitlines():
        request = REQUEST.fullmatch(line)
        name, text = request.groups() if request else ("", line)
        if name not in WITHIN or not text.strip():
            yield " ".join(lines)
            lines = []
        if not request or name in FONTS:
            lines.append(ESCAPE.sub("", text.replace(r"\-", "-").replace('"', "")))
    yield " ".join(lines)


def main() -> None:
    """Fetch what is missing, and write the file of a language."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("language")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--offline", action="store_true", help="read what the folder has")
    given = parser.parse_args()
    if not given.offline:
        fetch(given.language, given.folder)
    found = {" ".join(x.split()) for x in paragraphs(given.folder, given.language)}
    lines = sorted(x for x in found if len(x.split()) >= LEAST)
    text = "\n".join([*lines, ""])
    (given.folder / f"{given.language}.txt").write_text(text, encoding="utf-8")
    print(f"{given.language}: {len(lines)} paragraphs, {len(text.split())} words")


if __name__ == "__main__":
    main()
