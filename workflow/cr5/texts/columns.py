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
LANGUAGES = ("language", "lang")  # columns that say which language the text of a row is in
SHOWN = 3


class Column:
    """Texts of one language: the column `text_da`, or else `text`; or named with `{language}`.

    A language's code is compared without case and hyphens. Of rows with a column `text` and one
    `language`, or `lang`, those of another language have no text.
    """

    def __init__(self, name: str, code: str):
        self.code = code
        pattern = name if LANGUAGE in name else f"{name}_{LANGUAGE}"
        self._of_all = [] if LANGUAGE in name else [name]
        self._prefix, _, self._suffix = pattern.partition(LANGUAGE)
        self._code = folded_code(code)
        self.names = [*self._of_all, pattern.replace(LANGUAGE, code)]
        self.wanted = [*self.names, *LANGUAGES]

    def of(self, row: Row) -> str | None:
        """Return the text of a row, None if it is missing; UserError if two columns have it."""
        own = self._of_language(row)
        names = [own] if own in row.fields else self._of_all
        texts = (row.text(name) for name in names)
        return next((text for text in texts if text is not None), None)

    def other_language(self, row: Row) -> str:
        """Return the language of a row's text if it says another than this; empty if not."""
        column = row.column(LANGUAGES)
        if column is None or self._of_language(row) in row.fields:
            return ""
        language = str(row.fields[column])
        return "" if folded_code(language) == self._code else language

    def _of_language(self, row: Row) -> str:
        """Return the name of the language's own column in a row; UserError if two have its code."""
        found = []
        for column in row.fields:
            if column.startswith(self._prefix) and column.endswith(self._suffix):
                code = column.removeprefix(self._prefix).removesuffix(self._suffix)
                if folded_code(code) == self._code:
                    found.append(column)
        if len(found) > 1:
            raise UserError(
                f"{row.where}: {found[0]!r} and {found[1]!r} are the same language, "
                f"{self._code!r}; rename one"
            )
        return found[0] if found else self.names[-1]

    def may_name(self, column: str) -> bool:
        """Return whether a column has texts of this kind, in whichever language."""
        if column in self._of_all:
            return True
        code = column.removeprefix(self._prefix).removesuffix(self._suffix)
        return column == f"{self._prefix}{code}{self._suffix}" and is_code(code)

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
    others: Counter[str] = Counter()
    for row in all_rows:
        first = first or row
        if other := column.other_language(row):
            others[other] += 1
            continue
        text = column.of(row)
        losses.count(text, row.where)
        yield row, text
    if losses.missing == losses.texts:
        expected = " or ".join(map(repr, column.names))
        message = f"{source}: there is no text in {column.code!r}; expected it in {expected}"
        if first is None or first.is_blank:
            message += "; is the file empty?"
        else:
            message += f"; {first.where} has {first.columns}"
        if others:
            message += f"; rows are in {_numbers(others)} by their column: rename that, or these"
        raise UserError(message)
    if others:
        log.warning(
            "%s, language %r: rows of other languages are left out: %s",
            source, column.code, _numbers(others),
        )  # fmt: skip
    if is_told:
        losses.tell(f"{source}, language {column.code!r}")


def _numbers(languages: Counter[str]) -> str:
    """Say which languages most rows have, and how many."""
    return ", ".join(f"{language!r} ({n})" for language, n in languages.most_common(SHOWN))
