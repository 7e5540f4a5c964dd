"""The columns of a table that have the texts of a language."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, folded_code, is_code
from cr5.base.losses import Losses
from cr5.texts.rows import Row

log = logging.getLogger(__name__)
TEXT = "text"
TRANSLATION = "translation."  # before the language
LANGUAGE_COLUMNS = ("language", "lang")  # say which language the text of a row is in
LANGUAGES_SHOWN = 3


class Column:
    """Where a table has the texts, or the titles, of one language.

    The name `text` stands for the column `text_da` and, in rows without that, for `text`; a name
    with `{language}` in it stands for one column, with the language filled in. `text` also stands
    for `translation.da`, as in many published data sets of sentence pairs.

    Codes are compared without case and hyphens. Where a column `language` or `lang` says that the
    `text` of a row is in another language, the row has no text in this one.

    Attributes:
        names: the columns to name to the user if no text is found; the last is the language's own.
        to_read: the columns to read of a table.
    """

    def __init__(self, name: str, code: str):
        self.code = code
        if LANGUAGE in name:
            pattern = name
            self._shared_columns = []  # those with texts of all languages
        else:
            pattern = f"{name}_{LANGUAGE}"
            self._shared_columns = [name]
        prefix, _, suffix = pattern.partition(LANGUAGE)
        self._affixes = [(prefix, suffix)]  # before and behind the code of a language
        self._folded_code = folded_code(code)
        self.names = [*self._shared_columns, pattern.replace(LANGUAGE, code)]
        self.to_read = self.names.copy()
        self.to_read.extend(LANGUAGE_COLUMNS)
        if name == TEXT:
            self._affixes.append((TRANSLATION, ""))
            self.to_read.append(f"{TRANSLATION}{code}")

    def text_of(self, row: Row) -> str | None:
        """Return a row's text in this language; None if it is missing."""
        column = self._own_column(row)
        columns = [column] if column in row.fields else self._shared_columns
        for name in columns:
            text = row.text(name)
            if text is not None:
                return text
        return None

    def other_language(self, row: Row) -> str:
        """Return the language that a row says its text is in, if it is another one; else empty."""
        column = row.column(LANGUAGE_COLUMNS)
        if column is None or self._own_column(row) in row.fields:
            return ""
        language = str(row.fields[column])
        if folded_code(language) == self._folded_code:
            return ""
        return language

    def _own_column(self, row: Row) -> str:
        """Return the name of the column of this language alone; a row may lack it.

        UserError: a row has two, such as `text_pt-br` and `text_pt_BR`.
        """
        columns = [column for column in row.fields if self._folded_code in self._codes_in(column)]
        if len(columns) > 1:
            raise UserError(
                f"{row.where}: {columns[0]!r} and {columns[1]!r} are the same language, "
                f"{self._folded_code!r}; rename one"
            )
        return columns[0] if columns else self.names[-1]

    def is_text_column(self, column: str) -> bool:
        """Return whether the name of a column fits these texts, in this language or another."""
        if column in self._shared_columns:
            return True
        return any(is_code(code) for code in self._codes_in(column))

    def _codes_in(self, column: str) -> list[str]:
        """Return the codes of languages, folded, that the name of a column may have in it."""
        codes = []
        for prefix, suffix in self._affixes:
            code = column.removeprefix(prefix).removesuffix(suffix)
            if column == f"{prefix}{code}{suffix}":
                codes.append(folded_code(code))
        return codes

    def has_shared_text(self, row: Row) -> bool:
        """Return whether a row has one text and does not say which language it is in."""
        if row.column(LANGUAGE_COLUMNS) or self._own_column(row) in row.fields:
            return False
        return any(name in row.fields for name in self._shared_columns)


def with_texts(
    all_rows: Iterable[Row], column: Column, source: str | Path, tells_losses: bool = True
) -> Iterator[tuple[Row, str | None]]:
    """Yield rows with their texts, None where these are missing.

    How many are missing is logged at the end, unless the caller does so and `tells_losses` is
    false. Rows of other languages are left out, which is logged. UserError: no row has a text.
    """
    losses = Losses()
    first_row: Row | None = None
    n_rows_of: Counter[str] = Counter()  # by another language: they are left out
    for row in all_rows:
        first_row = first_row or row
        language = column.other_language(row)
        if language:
            n_rows_of[language] += 1
            continue
        text = column.text_of(row)
        losses.count(text, row.where)
        yield row, text
    if losses.missing == losses.texts:
        expected = " or ".join(repr(name) for name in column.names)
        message = f"{source}: there is no text in {column.code!r}; expected it in {expected}"
        if first_row is None or first_row.is_blank:
            message += "; is the file empty?"
        else:
            message += f"; {first_row.where} has {first_row.columns}"
            if not any(name in first_row.fields for name in column.names):
                message += "; name another column: --text of a command, `corpus.text` of a "
                message += "configuration"
            if any(folded_code(name) == folded_code(column.code) for name in first_row.fields):
                message += f", as {LANGUAGE} where its name is that of the language"
        if n_rows_of:
            message += (
                f"; rows are in {_most_frequent(n_rows_of)} by their column: rename that, or these"
            )
        raise UserError(message)
    if n_rows_of:
        log.warning(
            "%s, language %r: rows of other languages are left out: %s",
            source, column.code, _most_frequent(n_rows_of),
        )  # fmt: skip
    if tells_losses:
        losses.tell(f"{source}, language {column.code!r}")


def _most_frequent(n_rows_of: Counter[str]) -> str:
    """Name the languages of most rows, and how many rows each has."""
    largest = n_rows_of.most_common(LANGUAGES_SHOWN)
    return ", ".join(f"{language!r} ({number})" for language, number in largest)
