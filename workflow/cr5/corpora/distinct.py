"""Detects languages of a corpus that are two names for the same texts."""

from collections.abc import Callable, Iterable

from cr5.base.errors import UserError


def check_distinct(languages: Iterable[str], file: Callable[[str], str], what: str) -> None:
    """Refuse languages that have the same texts: each text would be found by its own copy.

    Args:
        languages: of the corpus.
        file: returns the file with the texts of a language.
        what: what the texts are called, in the plural.

    Raises:
        UserError: names two of them.
    """
    known: dict[str, str] = {}
    for language in languages:
        if (other := known.setdefault(file(language), language)) != language:
            raise UserError(
                f"languages: {other!r} and {language!r} have the same {what}, {file(language)}; "
                "leave one of them out"
            )
