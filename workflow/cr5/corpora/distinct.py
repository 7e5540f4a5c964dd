"""Languages of a corpus that are two names of one text."""

from collections.abc import Callable, Iterable

from cr5.base.errors import UserError


def check_distinct(languages: Iterable[str], file: Callable[[str], str], what: str) -> None:
    """Refuse languages that have the same texts: each would be found by its very copy.

    Args:
        languages: of the corpus.
        file: of a language, what its texts are in.
        what: the texts are, in the plural.

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
