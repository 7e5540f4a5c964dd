"""Your own documents: a file for each language, or one with a column for each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import regex
from pydantic import Field

from cr5.base.characters import plain
from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, folded_code
from cr5.contracts.keys import A_PATH, Codes, Encoding
from cr5.contracts.source import Document, Reading, Source
from cr5.texts.columns import Column, with_texts
from cr5.texts.rows import Names, rows

CAPITALISED = regex.compile(r"(?<![\p{L}\p{M}])[\p{Lu}\p{Lt}][\p{L}\p{M}]*")


class Files(Source):
    """Your own documents: a file for each language, or one with a column for each.

        {"concept": "Q64", "title": "Berlin", "text": "Berlin is the capital of Germany ..."}

    `texts.rows` says which formats are read. Documents of different languages about the same
    thing have the same concept, compared without surrounding white space and characters that are
    not seen, and in Unicode NFC. The title is optional; other columns are ignored.
    """

    name = "your own documents"

    path: Annotated[str, Field(pattern=r"^([^{}]|\{language\})+$"), A_PATH]
    """The files, with `{language}` in it; without, one file that has all languages."""
    codes: Codes = Field(default_factory=dict)
    """What files and columns call a language, such as `{en: eng_Latn}`."""
    concept: str = "concept"
    """Column, or key, that documents on the same thing share."""
    title: str = "title"
    """Column of the titles, if there are any."""
    text: str = "text"
    """Column of the texts, unless there is `text_da` and so on; or with `{language}` in it. In
    objects `body.text`."""
    encoding: Encoding = "utf-8"
    """Of the files; Parquet has its own."""
    capitalised: Literal["keep", "drop"] = "keep"
    """`drop` leaves out all words that begin with a capital letter: names, the first word of a
    sentence, German nouns."""

    def check_texts(self, path: Path | None, language: str) -> None:
        """Refuse a file whose first text cannot be read: of another format, or of other columns."""
        if path and path.is_dir():
            raise UserError(
                f"{path}: expected a file, found a folder; folders of pages are read by "
                "`corpus.source: folders`"
            )
        if path and path.is_file():
            documents = self.records(Reading(self, path, language))
            next(documents, None)

    def records(self, reading: Reading) -> Iterator[Document]:
        """Read the documents of one language, row by row; the title defaults to the concept.

        In titles and texts a lone surrogate or a NUL becomes U+FFFD, which no tokeniser treats as a
        letter; in a concept it is an error. A row without a text in this language is no document;
        both are counted and told.
        """
        code = self._code(reading.language)
        texts = Column(self.text, code)
        titles = Column(self.title, code)
        columns = [self.concept, *texts.to_read, *titles.names]
        all_rows = rows(reading.path, columns, encoding=self.encoding)
        filled = (row for row in all_rows if not row.is_blank)
        concepts = Names(self.concept)
        is_shared = self._is_shared(reading)
        for row, text in with_texts(filled, texts, reading.path):
            if text is None:
                continue
            concept = concepts.of(row)
            if is_shared and texts.has_shared_text(row):
                raise UserError(
                    f"{row.where}: the file is that of several languages, and its column "
                    f"{self.text!r} would give all of them the same text; write {{language}} in "
                    "`corpus.path` or `corpus.text`"
                )
            if self.capitalised == "drop":
                text = CAPITALISED.sub(" ", plain(text))
            yield Document(concept, titles.text_of(row) or concept, text)

    def _code(self, language: str) -> str:
        """Return what files call a language."""
        return str(self.codes.get(language, language))

    def _is_shared(self, reading: Reading) -> bool:
        """Whether other languages read this file; a job may not be told which there are."""
        if LANGUAGE not in self.path:
            return len(reading.languages) != 1
        code = folded_code(self._code(reading.language))
        for language in reading.languages or self.codes:
            if language != reading.language and folded_code(self._code(language)) == code:
                return True
        return False
