"""A column of texts: of one language, or one of several that have a language each."""

from collections.abc import Mapping

from cr5.corpora.formats.rows import Row

LANGUAGE = "{language}"


class Column:
    """Texts of one language: a column of its own, or one of several with a language each.

    Args:
        name: `text`, where `text_da` is that of Danish; or with `{language}` in it.
        code: what columns call the language.

    Attributes:
        names: it has the first of these that is there; all but `plain` are of a language.
    """

    def __init__(self, name: str, code: str):
        self._plain = "" if LANGUAGE in name else name
        pattern = name if LANGUAGE in name else f"{name}_{LANGUAGE}"
        self._prefix = pattern.partition(LANGUAGE)[0]
        self._own = pattern.replace(LANGUAGE, code)
        self.names = [x for x in (self._plain, self._own) if x]

    def of(self, row: Row, needed: bool = True) -> str | None:
        """Return the text of a row; None if only other languages have one.

        Raises:
            UserError: it is not text; or it is needed, and there is no such column.
        """
        if self._plain in row.fields:
            return row.text(self._plain) if needed else row.text_or_none(self._plain)
        if needed and not any(x.startswith(self._prefix) for x in row.fields):
            return row.text(self.names[0])  # which says what is missing
        return row.text_or_none(self._own) or None

    def spread(self, row: Row) -> Row:
        """Make columns of a mapping by language, as data sets of translations have it."""
        value = row.fields.get(self._plain)
        if not isinstance(value, Mapping):
            return row
        others = {key: x for key, x in row.fields.items() if key != self._plain}
        return Row(row.where, others | {f"{self._prefix}{key}": x for key, x in value.items()})
