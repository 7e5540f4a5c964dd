"""Speeches of the European Parliament, from Europarl's source release (Koehn 2005)."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from cr5.base.errors import UserError
from cr5.base.parts import Codes, Source
from cr5.base.text_files import read_lines
from cr5.texts.reading import Reading, Record

SITTING = re.compile(r"(ep-\d\d-\d\d-\d\d[^.]*)\.txt(\.(gz|xz|bz2))?")
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
    which languages share. Files may be compressed with gzip, xz or bzip2. Paragraphs of a speech
    are parallel where languages have the same number of them, as Koehn (2005) aligns them before
    sentences.
    """

    name = "Europarl's speeches"
    parallel = True
    licence = (
        "other",
        "The texts are proceedings of the European Parliament, from Europarl (statmt.org/europarl),"
        " which knows of no copyright restrictions.",
    )

    path: str
    """The folder of each language, with `{language}` in it."""
    codes: Codes = Field(default_factory=dict)
    """What folders call a language."""
    encoding: Literal["utf-8", "latin-1"] = "utf-8"
    """Of the files; `latin-1` in releases 1 and 2."""

    def check_texts(self, path: Path | None, language: str) -> None:
        """Refuse a folder without sittings."""
        if path:
            _sittings(path)

    def records(self, reading: Reading) -> Iterator[Record]:
        """Read the speeches of one language, sitting by sitting.

        A speech without text is no document. Speeches that share a number in a chapter cannot be
        told apart in other languages, so they are left out; the log counts both.
        """
        doubtful = 0
        silent = 0
        found = 0
        for sitting, path in _sittings(reading.path):
            all_speeches = list(speeches(path, self.encoding))
            every = [x for x in all_speeches if any(x.paragraphs)]
            silent += len(all_speeches) - len(every)
            times = Counter((x.chapter, x.number) for x in every)
            for speech in every:
                if times[speech.chapter, speech.number] > 1:
                    doubtful += 1
                    continue
                concept = f"{sitting}/{speech.chapter}/{speech.number}"
                found += 1
                own = [" ".join(lines) for lines in speech.paragraphs if lines]
                ids = (f"{k} of {len(own)}" for k in range(1, len(own) + 1))
                reading.parallel.extend((concept, *each) for each in zip(ids, own, strict=True))
                lines = chain.from_iterable(speech.paragraphs)
                yield concept, speech.name or concept, "\n".join(lines)
        if not found:
            raise UserError(f"{reading.path}: no speech; expected lines such as <SPEAKER ID=1>")
        log.info("%s: %d speeches", reading.path, found)
        log.info("left out: %d of doubtful number, %d without text", doubtful, silent)


def speeches(path: Path, encoding: str) -> Iterator[Speech]:
    """Read the speeches of a file; lines before the first speaker of a chapter are its heading."""
    chapter, speech = "0", None
    for where, line in _divided(read_lines(path, encoding)):
        tag = TAG.match(line)
        name = tag[1].upper() if tag else ""
        if name in ("CHAPTER", "SPEAKER") and speech:
            yield speech
        if name == "CHAPTER":
            chapter, speech = _number(tag, where), None
        elif name == "SPEAKER":
            speaker = _attributes(tag).get("NAME", "").strip()
            speech = Speech(chapter, _number(tag, where), speaker, [[]])
        if speech:
            if name == "P":
                speech.paragraphs.append([])
            if text := TAG.sub(" ", line).strip():
                speech.paragraphs[-1].append(text)
    if speech:
        yield speech


def _divided(lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield lines that have the tags of chapters and speakers at their beginning, if any."""
    for where, line in lines:
        for part in BEFORE_TAG.split(line):
            yield where, part.strip()


def _sittings(folder: Path) -> list[tuple[str, Path]]:
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [(name[1], path) for path in files if (name := SITTING.fullmatch(path.name))]
    if not found:
        raise UserError(
            f"{folder}: expected a folder with files such as ep-00-01-17.txt, as in the directory "
            "`txt` of Europarl's source release; correct `corpus.path` or `corpus.codes`"
        )
    return found


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    found = ATTRIBUTE.finditer(tag[2])
    return {x[1].upper(): x[2] or x[3] or x[4] or "" for x in found}


def _number(tag: re.Match[str], where: str) -> str:
    number = _attributes(tag).get("ID", "").strip()
    if not number:
        raise UserError(f"{where}: <{tag[1]}> has no ID; expected such as <{tag[1]} ID=1>")
    return number
