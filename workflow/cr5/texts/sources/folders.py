"""Documentation in several languages: a folder for each, a file for each document."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from cr5.base.languages import LANGUAGE
from cr5.contracts.keys import Code, Codes, Encoding, PathText, holding
from cr5.contracts.source import Document, Reading, Source
from cr5.texts.columns import Column, with_texts
from cr5.texts.folders import Pages, divided, files, page_rows
from cr5.texts.markup.page import PageRules


class Folders(Source):
    """Documentation in several languages: a folder for each, a file for each document.

        content/{language}/**/*.md

    Files are Markdown, reStructuredText, HTML, plain text, or catalogues of gettext (PO), as the
    endings of their names say. The path below the language, without the language in `index.de.md`,
    is the concept. Front matter, comments, tags, scripts, styles, navigation, addresses of links
    and shortcodes of site generators are no text. `**` is any number of folders; hidden files and
    folders are passed over.
    """

    path: Annotated[PathText, holding(LANGUAGE)]
    """The files, with `{language}` in it, and wildcards; a folder is all pages in it."""
    codes: Codes = Field(default_factory=dict)
    """What folders and files call a language, such as `{zh_cn: zh}`."""
    code: Literal["keep", "drop"] = "keep"
    """Whether blocks of code are part of the text: fenced ones, literal ones, and `<pre>`."""
    encoding: Encoding = "utf-8"
    """Of the files."""
    source_language: Code = "en"
    """The language of `msgid` in catalogues. Its folder is that of another: `codes: {en: de}`."""
    messages: Literal["together", "apart"] = "together"
    """Whether the messages of a catalogue are one document, or each is one."""

    @property
    def place(self) -> str:
        """The folder of a language, perhaps with `{language}` in it."""
        folder, _ = divided(self.path)
        return folder

    def check_texts(self, path: Path | None, language: str) -> None:
        """Refuse a folder without pages."""
        if path:
            files(self._pages(path, language))

    def records(self, reading: Reading) -> Iterator[Document]:
        """Read the documents of one language, in the order of their paths.

        Pages without a text are no documents; they are counted and told.
        """
        column = Column("text", reading.language)
        rows = page_rows(self._pages(reading.path, reading.language))
        for row, text in with_texts(rows, column, reading.path):
            if text is not None:
                yield Document(row.name("concept"), row.fields["title"], text)

    def _pages(self, folder: Path, language: str) -> Pages:
        _, pattern = divided(self.path)
        rules = PageRules(language, self.code, self.source_language, self.messages)
        code = self.codes.get(language, language)
        return Pages(folder, code, rules, pattern, self.encoding)
