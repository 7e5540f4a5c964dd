"""The columns of a table that have the texts of a language."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, folded_code, is_code
from cr5.base.text_files import Losses
from cr5.texts.rows import Row

log = logging.getLogger(__name__)
TEXT = "text"
TRANSLATION = "translation."  # before the language
LANGUAGES = ("language", "lang")  # columns that say which language the text of a row is in
SHOWN = 3


class Column:
    """Texts of one language: the column `text_da`, or else `text`; or named with `{language}`.

    Of `text` it may also be `translation.da`, as hubs of data sets have pairs of sentences.

    A language's code is compared without case and hyphens. Of rows with a column `text` and one
    `language`, or `lang`, those of another language have no text.
    """

    def __init__(self, name: str, code: str):
        self.code = code
        if LANGUAGE in name:
            pattern = name
            self._of_all = []  # the columns with texts of all languages
        else:
            pattern = f"{name}_{LANGUAGE}"
            self._of_all = [name]
        prefix, _, suffix = pattern.partition(LANGUAGE)
        self._around = [(prefix, suffix)]  # what is before and behind a language
        self._code = folded_code(code)
        self.names = [*self._of_all, pattern.replace(LANGUAGE, code)]
        self.wanted = self.names.copy()
        self.wanted.extend(LANGUAGES)
        if name == TEXT:
            self._around.append((TRANSLATION, ""))
            self.wanted.append(f"{TRANSLATION}{code}")

    def of(self, row: Row) -> str | None:
        """Return the text of a row, None if it is missing; UserError if two columns have it."""
        column = self._of_language(row)
        columns = [column] if column in row.fields else self._of_all
        for name in columns:
            text = row.text(name)
            if text is not None:
                return text
        return None

    def other_language(self, row: Row) -> str:
        """Return the language of a row's text if it says another than this; empty if not."""
        column = row.column(LANGUAGES)
        if column is None or self._of_language(row) in row.fields:
            return ""
        language = str(row.fields[column])
        if folded_code(language) == self._code:
            return ""
        return language

    def _of_language(self, row: Row) -> str:
        """Return the name of the language's own column in a row; UserError if two have its code."""
        columns = []
        for column in row.fields:
            if self._code in self._codes(column):
                columns.append(column)
        if len(columns) > 1:
            raise UserError(
                f"{row.where}: {columns[0]!r} and {columns[1]!r} are the same language, "
                f"{self._code!r}; rename one"
            )
        return columns[0] if columns else self.names[-1]

    def may_name(self, column: str) -> bool:
        """Return whether a column has texts of this kind, in whichever language."""
        if column in self._of_all:
            return True
        return any(is_code(code) for code in self._codes(column))

    def _codes(self, column: str) -> list[str]:
        """Return the languages that the name of a column may say, folded."""
        codes = []
        for prefix, suffix in self._around:
            code = column.removeprefix(prefix).removesuffix(suffix)
            if column == f"{prefix}{code}{suffix}":
                codes.append(folded_code(code))
        return codes

    def is_of_all(self, row: Row) -> bool:
        """Return whether a row's text would be that of every language."""
        if row.column(LANGUAGES) or self._of_language(row) in row.fields:
            return False
        return any(name in row.fields for name in self._of_all)


def with_texts(
    all_rows: Iterable[Row], column: Column, source: str | Path, is_told: bool = True
) -> Iterator[tuple[Row, str | None]]:
    """Yield rows with their texts, None for those that are missing, which are counted and told.

    Unless somebody else tells it. Rows of other languages are left out, and told. UserError if no
    row has a text.
    """
    losses = Losses()
    first: Row | None = None
    n_of_language: Counter[str] = Counter()  # rows that are left out
    for row in all_rows:
        first = first or row
        language = column.other_language(row)
        if language:
            n_of_language[language] += 1
            continue
        text = column.of(row)
        losses.count(text, row.where)
        yield row, text
    if losses.missing == losses.texts:
        expected = " or ".join(repr(name) for name in column.names)
        message = f"{source}: there is no text in {column.code!r}; expected it in {expected}"
        if first is None or first.is_blank:
            message += "; is the file empty?"
        else:
            message += f"; {first.where} has {first.columns}"
        if n_of_language:
            message += (
                f"; rows are in {_numbers(n_of_language)} by their column: rename that, or these"
            )
        raise UserError(message)
    if n_of_language:
        log.warning(
            "%s, language %r: rows of other languages are left out: %s",
            source, column.code, _numbers(n_of_language),
        )  # fmt: skip
    if is_told:
        losses.tell(f"{source}, language {column.code!r}")


def _numbers(n_of_language: Counter[str]) -> str:
    """Say which languages most rows have, and how many."""
    largest = n_of_language.most_common(SHOWN)
    return ", ".join(f"{language!r} ({number})" for language, number in largest)
