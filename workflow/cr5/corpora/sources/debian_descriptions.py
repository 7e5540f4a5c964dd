"""Descriptions of Debian's packages: short texts, parallel sentence by sentence."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cr5.base.errors import UserError
from cr5.base.parts import Source
from cr5.corpora import translations
from cr5.corpora.comparable import Page, documents
from cr5.corpora.reading import Reading, Record
from cr5.corpora.translations import code, entries, find
from cr5.counts.tokens import WORD

log = logging.getLogger(__name__)

LEAST = 3  # sentences
NEW = 4  # at least one in this many sentences is new to the descriptions chosen before
ITEM = re.compile(r"\s*[-*+•·–—]+\s+")
END = re.compile(r"[.!?…][\"')\]»”]*\s+|[。！？।]\s*")


@dataclass(frozen=True)
class Description:
    """The description of a concept in one language.

    Attributes:
        package: the first by name of the packages it describes.
        summary: one line, not part of the sentences.
        sentences: the rest.
    """

    package: str
    summary: str
    sentences: tuple[str, ...]


def descriptions(folder: str | Path, language: str) -> dict[str, Description]:
    """Read all descriptions of a language, keyed by the checksum of their English text.

    Raises:
        UserError: as for `translations.find` and `translations.entries`.
    """
    found: dict[str, Description] = {}
    for file in find(folder, language):
        for entry in entries(file):
            known = found.get(entry.checksum)
            if known is None or entry.package < known.package:
                text = tuple(sentences(entry.lines))
                found[entry.checksum] = Description(entry.package, entry.summary, text)
    return found


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """Split the lines of a description into sentences.

    A paragraph ends at a line `.`, and before a list item. A sentence ends with its paragraph, or
    at a full stop, question mark or exclamation mark, unless a lower-case letter follows.
    """
    for paragraph in _paragraphs(lines):
        start = 0
        for end in END.finditer(paragraph):
            if not paragraph[end.end() : end.end() + 1].islower():
                yield paragraph[start : end.end()].strip()
                start = end.end()
        if rest := paragraph[start:].strip():
            yield rest


def chosen(english: Mapping[str, Description], lengths: Sequence[Mapping[str, int]]) -> list[str]:
    """Choose the concepts of a corpus.

    Args:
        english: descriptions in English.
        lengths: for each language, the number of sentences by concept.

    Returns:
        Concepts that all languages have with the same number of sentences, at least `LEAST`, and
        that are `unlike`.
    """
    shared = set(english).intersection(*lengths)
    equal = [x for x in shared if lengths[0][x] >= LEAST and len({y[x] for y in lengths}) == 1]
    return unlike({x: english[x] for x in equal})


def unlike(described: Mapping[str, Description]) -> list[str]:
    """Choose descriptions that do not repeat each other, in package order.

    A description is skipped if fewer than one in `NEW` of its sentences is new; the others occur,
    compared by letters only, in descriptions chosen before it.
    """
    seen: set[tuple[str, ...]] = set()
    found = []
    for concept in sorted(described, key=lambda x: (described[x].package, x)):
        own = [tuple(WORD.findall(x.lower())) for x in described[concept].sentences]
        if NEW * sum(x not in seen for x in own) >= len(own):
            seen.update(own)
            found.append(concept)
    return found


class DebianDescriptions(Source):
    """Descriptions of Debian's packages: short texts, parallel sentence by sentence.

    A description is a concept, identified by the checksum of its English text. A description is
    used if English and all configured languages have it, the latter with the same number of
    sentences, at least `LEAST`: then sentence k of one is the translation of sentence k of another.
    Many packages have nearly the same text (foo, foo-dev, foo-doc): repetitions are left out, see
    `unlike`. Sentences left in English are dropped. Sentences may be kept in only one language
    each, like the paragraphs of help pages.
    """

    name = "descriptions of Debian's packages"
    fetches = "the descriptions"
    together = True  # each paragraph is kept in one of the languages
    licence = (
        "other",
        "The texts are descriptions of Debian's packages and their translations, which come under "
        "as many terms as there are packages (https://www.debian.org/legal/licenses/).",
    )

    path: str = ""
    """A folder with files `Translation-da` and so on of a release, always `Translation-en` among
    them, plain or `.bz2`, `.gz`, `.xz`; none fetches them by apt-get."""
    paragraphs: Literal["comparable", "all"] = "comparable"
    """`comparable` keeps each sentence in one language only; `all` is parallel text."""

    def fetch(self, languages: Iterable[str], folder: Path) -> None:
        """Fetch the files of languages, and that of English to detect untranslated text.

        Raises:
            UserError: apt-get, the network or the file of a language is missing.
        """
        for path in translations.fetch([*languages, "en"], folder):
            log.info("%s: %d bytes", path.name, path.stat().st_size)

    def find(self, path: Path, language: str) -> list[Path]:
        """Return the file of a language."""
        return find(path, language)

    def records(self, reading: Reading) -> Iterator[Record]:
        """The documents of a language, sorted by concept.

        A sentence is dropped if the English description has the same one. Nothing is dropped from
        English. A description with nothing left is not a document.

        Yields:
            (concept, title, text): the title is package and summary, the text has a sentence per
            line.

        Raises:
            UserError: a file is missing or damaged, or the languages have no description in common.
        """
        yield from documents(_pages(reading), reading)


def _pages(reading: Reading) -> Iterator[Page]:
    folder, language, languages = reading.path, reading.language, sorted(reading.languages)
    english = descriptions(folder, "en")
    own = english if code(language) == "en" else descriptions(folder, language)
    known = {"en": english, code(language): own}
    every = [known.get(code(x)) or descriptions(folder, x) for x in languages]
    concepts = chosen(english, [{x: len(y.sentences) for x, y in of.items()} for of in every])
    if not concepts:
        raise UserError(
            f"{folder}: English and {', '.join(languages)} have no description of {LEAST} or more "
            "sentences in common; leave a language out, or take the files of one release"
        )
    for concept in sorted(concepts):
        its = own[concept]
        left_over = frozenset() if own is english else frozenset(english[concept].sentences)
        ours = [(str(k), x) for k, x in enumerate(its.sentences) if x not in left_over]
        title = f"{english[concept].package}: {its.summary}"
        yield Page(concept, title, len(its.sentences), ours)


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    paragraph: list[str] = []
    for line in lines:
        is_end, item = line.strip() in ("", "."), ITEM.match(line)
        if is_end or item:
            yield " ".join(paragraph)
            paragraph = []
        if not is_end:
            paragraph += line[item.end() if item else 0 :].split()
    yield " ".join(paragraph)
