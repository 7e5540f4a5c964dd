"""Your own documents: a file for each language, or one with a column for each."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import regex
from pydantic import Field

from cr5.base.errors import UserError
from cr5.base.parts import Source
from cr5.corpora.formats.rows import Column, named, rows
from cr5.corpora.reading import Reading, Record, file_of

log = logging.getLogger(__name__)

REMEDY = "a language may have one document per concept: join them or remove one"
PROGRESS = 100_000  # documents
CAPITALISED = regex.compile(r"(?<![\p{L}\p{M}])[\p{Lu}\p{Lt}][\p{L}\p{M}]*")


class Files(Source):
    """Your own documents: a file for each language, or one with a column for each.

        {"concept": "Q64", "title": "Berlin", "text": "Berlin is the capital of Germany ..."}

    `formats.rows` says which formats are read. Documents of different languages about the same
    thing have the same concept, compared without surrounding white space and in Unicode NFC. The
    title is optional; other columns are ignored.
    """

    name = "your own documents"

    path: str
    """The files, with `{language}` in it; without, one file that has all languages."""
    codes: dict[str, str] = Field(default_factory=dict)
    """What files and columns call a language, such as `{en: eng_Latn}`."""
    concept: str = "concept"
    """Column, or key, that documents on the same thing share."""
    title: str = "title"
    """Column of the titles, if there are any."""
    text: str = "text"
    """Column of the texts; where there is none, `text_da` and so on; or with `{language}` in it."""
    capitalised: Literal["keep", "drop"] = "keep"
    """`drop` leaves out all words that begin with a capital letter: names, the first word of a
    sentence, German nouns."""

    def records(self, reading: Reading) -> Iterator[Record]:
        """Read the documents of one language, row by row.

        In titles and texts a lone surrogate or a NUL becomes U+FFFD, which no tokeniser treats as a
        letter; in a concept it is an error. In a file of several languages a row without a text in
        this one is no document.

        Yields:
            (concept, title, text), the concept stripped and in NFC; the title defaults to the
            concept.

        Raises:
            UserError: with file and line: unreadable, in no known format, a column missing or not
                of text, a repeated concept, no documents; or the same text for several languages.
        """
        path = reading.path
        if not path.exists():
            raise UserError(
                f"{path}: there is no such file; it should hold the documents of "
                f"language {reading.language!r}: correct `corpus.path` or `corpus.codes`, or add it"
            )
        code = str(self.codes.get(reading.language, reading.language))
        texts, titles = Column(self.text, code), Column(self.title, code)
        found = rows(path, [self.concept, *texts.names, *titles.names])
        with_text = (row for row in map(texts.spread, found) if texts.of(row) is not None)
        sharing, number = _sharing(reading), 0
        for concept, row in named(with_text, self.concept, REMEDY):
            number += 1
            if sharing and texts.is_of_all(row):
                raise UserError(
                    f"{row.where}: the file is that of {', '.join(map(repr, sharing))} too, and "
                    f"its column {self.text!r} would give all of them the same text: write "
                    "`{language}` in `corpus.path`, if each has a file of its own, or in "
                    "`corpus.text`, if each has a column"
                )
            title, text = titles.of(row, needed=False), texts.of(row)
            if self.capitalised == "drop":
                text = CAPITALISED.sub(" ", text)
            yield concept, title if title and title.strip() else concept, text
            if number % PROGRESS == 0:
                log.info("%s: %d documents", path, number)
        if not number:
            raise UserError(
                f"{path}: no document for language {reading.language!r}; expected rows with "
                f"{self.concept!r} and {' or '.join(map(repr, texts.names))}"
            )
        log.info("%s: %d documents in all", path, number)


def _sharing(reading: Reading) -> list[str]:
    """Return the other languages whose texts are in the same file."""
    path, codes = reading.source.path, reading.source.codes
    others = [x for x in reading.languages if x != reading.language]
    return [x for x in others if path and Path(file_of(path, x, codes)) == reading.path]
