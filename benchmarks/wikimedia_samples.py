"""Articles of real dump files, for the benchmarks of wikitext."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cr5.base.compressed import TruncatedError, open_stream
from cr5.corpora.wikimedia.pages import siteinfo, xml_pages
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces

PATTERNS = ("*.xml.*", "*/*.xml.*")
WIKI = re.compile(r"([a-z]{2})\.?wiki")  # dawiki-2026.xml.bz2, da.wiki.xml.bz2


@dataclass(frozen=True)
class Article:
    """One article of a sample, and what its wikitext needs to be understood."""

    language: str
    file: str
    title: str
    text: str
    namespaces: Namespaces


def arguments(description: str) -> argparse.ArgumentParser:
    """A parser that knows where the samples are."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--dumps", type=Path, default="../shared/data/dumps", help="folder of XML dumps"
    )
    return parser


def articles(folder: Path) -> Iterator[Article]:
    """Articles that are no redirects, of all dumps in a folder; a truncated one as far as it goes.

    The language is that of the file's name, as not every sample has its own `<siteinfo>`.
    """
    paths = sorted(path for pattern in PATTERNS for path in folder.glob(pattern))
    if not paths:
        raise SystemExit(f"{folder}: no XML dump; say where they are: --dumps FOLDER")
    for path in paths:
        with open_stream(path) as stream:
            names = siteinfo(stream, path.name)
        match = WIKI.match(path.name)
        language = match[1] if match else "en"
        namespaces = Namespaces.from_siteinfo(names, language)
        with open_stream(path) as stream:
            try:
                for page in xml_pages(stream, path.name):
                    if page.namespace == 0 and not page.is_redirect:
                        yield Article(language, path.name, page.title, page.text, namespaces)
            except TruncatedError as error:
                print(f"# {error}")
