"""The language in whose space all others meet."""

from collections.abc import Sequence

from cr5.base.errors import UserError
from cr5.base.languages import base_language


def choose_pivot(languages: Sequence[str], wanted: str | None) -> str:
    """Return the pivot asked for; by default English, or else the first language."""
    if wanted is None:
        if "en" in languages:
            return "en"
        variants = [language for language in languages if base_language(language) == "en"]
        return variants[0] if variants else languages[0]
    if wanted not in languages:
        raise UserError(
            f"option pivot: {wanted!r} is not a language of this setting "
            f"({', '.join(languages)}); choose one of them, or null."
        )
    return wanted
