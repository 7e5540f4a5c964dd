"""Speeches of the European Parliament, from Europarl's source release (Koehn 2005)."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from cr5.base.errors import UserError
from cr5.base.losses import Losses
from cr5.base.text_files import read_lines
from cr5.contracts.keys import Codes, Encoding, PathText
from cr5.contracts.source import Document, Paragraph, Reading, Record, Source

SITTING = re.compile(r"(ep-\d\d-\d\d-\d\d[^.]*)\.txt(\.(gz|xz|bz2|zst|zip))?")
TAG = re.compile(r"<(/?[A-Za-z]+)\b([^<>]*)>")
BEFORE_TAG = re.compile(r"(?=<(?:CHAPTER|SPEAKER)\b)", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""\b([A-Za-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")

log = logging.getLogger(__name__)


class Speech(NamedTuple):
    """What one speaker said in one go."""

    chapter: str  # its number
    number: str  # of the speaker in the chapter
    name: str  # of the speaker; may be empty
    paragraphs: list[list[str]]  # the lines of each; may be empty

    @property
    def text(self) -> str:
        """Its lines."""
        return "\n".join(chain.from_iterable(self.paragraphs))

    def parallel(self, concept: str) -> Iterator[Paragraph]:
        """Yield its paragraphs that are not empty; the id is the number of how many there are."""
        texts = [" ".join(lines) for lines in self.paragraphs if lines]
        for number, text in enumerate(texts, start=1):
            yield Paragraph(concept, f"{number} of {len(texts)}", text)


class Europarl(Source):
    """Speeches of the European Parliament, from Europarl's source release (Koehn 2005).

    A folder for each language has a file per sitting, `ep-YY-MM-DD.txt` or with more before `.txt`,
    in UTF-8; in releases 1 and 2 in Latin-1:

        <CHAPTER ID=2>
        Agenda
        <SPEAKER ID=1 NAME="President">
        The next item is the debate.
        <P>
        I give the floor to the rapporteur.

    A speech is a document; its concept is the file's name, the chapter and the speaker's number,
    which languages share. Files may be compressed with gzip, xz, bzip2, zstd or zip. Paragraphs of
    a speech are parallel where languages have the same number of them, as Koehn (2005) aligns them
    before sentences.
    """

    name = "Europarl's speeches"
    parallel = True
    licence = (
        "other",
        "The texts are proceedings of the European Parliament, from Europarl (statmt.org/europarl),"
        " which knows of no copyright restrictions.",
    )

    path: PathText
    """The folder of each language, with `{language}` in it."""
    codes: Codes = Field(default_factory=dict)
    """What folders call a language."""
    encoding: Encoding = "utf-8"
    """Of the files; `latin-1` in releases 1 and 2."""

    def check_texts(self, path: Path | None, language: str) -> None:
        """Refuse a folder without sittings."""
        if path:
            _sittings(path)

    def records(self, reading: Reading) -> Iterator[Record]:
        """Read the speeches of one language, sitting by sitting, each behind its paragraphs.

        A speech without text is no document. Speeches that share a number in a chapter cannot be
        told apart in other languages, so they are left out; the log counts both.
        """
        n_doubtful = 0
        n_silent = 0
        n_documents = 0
        losses = Losses()
        for sitting, path in _sittings(reading.path):
            all_speeches = list(speeches(path, self.encoding))
            with_text = [speech for speech in all_speeches if any(speech.paragraphs)]
            n_silent += len(all_speeches) - len(with_text)
            times = Counter((speech.chapter, speech.number) for speech in with_text)
            for speech in with_text:
                if times[speech.chapter, speech.number] > 1:
                    n_doubtful += 1
                    continue
                n_documents += 1
                losses.count(speech.text, str(path))
                concept = f"{sitting}/{speech.chapter}/{speech.number}"
                yield from speech.parallel(concept)
                yield Document(concept, speech.name or concept, speech.text)
        if not n_documents:
            raise UserError(f"{reading.path}: no speech; expected lines such as <SPEAKER ID=1>")
        log.info("%s: %d speeches", reading.path, n_documents)
        log.info("left out: %d of doubtful number, %d without text", n_doubtful, n_silent)
        losses.tell(reading.path)


def speeches(path: Path, encoding: str) -> Iterator[Speech]:
    """Read the speeches of a file; lines before the first speaker of a chapter are its heading."""
    chapter = "0"
    speech: Speech | None = None
    for place, line in _divided(read_lines(path, encoding)):
        tag = TAG.match(line)
        name = ""
        if tag:
            name = tag[1].upper()
        if name in ("CHAPTER", "SPEAKER") and speech:
            yield speech
        if name == "CHAPTER":
            chapter = _number(tag, place)
            speech = None
        elif name == "SPEAKER":
            speaker = _attributes(tag).get("NAME", "").strip()
            speech = Speech(chapter, _number(tag, place), speaker, [[]])
        if speech:
            if name == "P":
                speech.paragraphs.append([])
            text = TAG.sub(" ", line).strip()
            if text:
                speech.paragraphs[-1].append(text)
    if speech:
        yield speech


def _divided(lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield lines that have the tags of chapters and speakers at their beginning, if any."""
    for place, line in lines:
        for part in BEFORE_TAG.split(line):
            yield place, part.strip()


def _sittings(folder: Path) -> list[tuple[str, Path]]:
    """Return name and file of each sitting in a folder; UserError if there is none."""
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    sittings = []
    for path in files:
        name = SITTING.fullmatch(path.name)
        if name:
            sittings.append((name[1], path))
    if not sittings:
        raise UserError(
            f"{folder}: expected a folder with files such as ep-00-01-17.txt, as in the directory "
            "`txt` of Europarl's source release; correct `corpus.path` or `corpus.codes`"
        )
    return sittings


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    """Return the values of a tag's attributes, by their names in capitals."""
    attributes = {}
    for match in ATTRIBUTE.finditer(tag[2]):
        name, in_double_quotes, in_single_quotes, bare = match.groups(default="")
        attributes[name.upper()] = in_double_quotes or in_single_quotes or bare
    return attributes


def _number(tag: re.Match[str], place: str) -> str:
    """Return the ID of a tag; UserError if it has none."""
    number = _attributes(tag).get("ID", "").strip()
    if not number:
        raise UserError(f"{place}: <{tag[1]}> has no ID; expected such as <{tag[1]} ID=1>")
    return number
