"""From text to tokens: runs of letters and combining marks, normalised and lower-cased."""

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

import regex

from cr5.base.errors import UserError
from cr5.base.languages import base_language

WORD = regex.compile(r"[\p{L}\p{M}]+")
FEW = 200  # distinct characters outside words; articles have about 50
SOFT_HYPHEN = "\u00ad"
DOTLESS = str.maketrans({"I": "ı", "İ": "i"})
# Written without spaces: Thai, Japanese, Chinese, Khmer, Lao, Burmese. ICU knows their words. Some
# of the other Chinese languages also use Latin letters; those words are left as they are.
WITHOUT_SPACES = {code: code for code in ("th", "ja", "zh", "km", "lo", "my")} | dict.fromkeys(
    ("yue", "lzh", "wuu", "gan", "hak", "nan", "cdo"), "zh"
)


def tokenise(text: str, language: str) -> list[str]:
    r"""Return the words of a text, lower-cased, in canonical composition (NFC).

    `\w+` would break words at combining marks; letters and marks together do not. Turkish and
    Azeri need their own lower case of I. In a language written without spaces a word also ends
    where ICU's dictionary says so.

    Args:
        text: any text.
        language: ISO 639-1 code; a variant, such as zh_tw, has the words of its language.

    Raises:
        UserError: the language is written without spaces and ICU is not installed.
    """
    text = unicodedata.normalize("NFC", text).replace(SOFT_HYPHEN, "")
    base = base_language(language)
    if base in ("tr", "az"):
        text = text.translate(DOTLESS)
    # Lower-casing can decompose: İ becomes i and a combining dot.
    text = unicodedata.normalize("NFC", text.lower())
    if base in WITHOUT_SPACES:
        text = "\n".join(_icu(language)(text, WITHOUT_SPACES[base]))
    return _words(text)


def _words(text: str) -> list[str]:
    """The result of `WORD.findall`, on articles in half the time."""
    others = [character for character in set(text) if not _in_word(character)]
    if len(others) > FEW:
        return WORD.findall(text)
    for character in others:
        text = text.replace(character, " ")
    return text.split()


@cache
def _in_word(character: str) -> bool:
    return WORD.match(character) is not None


@cache
def _icu(language: str) -> Callable[[str, str], Iterable[str]]:
    """ICU's word breaker: an optional dependency, imported when a language needs it."""
    try:
        from icu4py.breakers import WordBreaker
    except ImportError as error:
        raise UserError(
            f"Language {language!r} is written without spaces, and its words are found by ICU, "
            "which is not installed: install the extra `icu` of this package "
            "(pip install icu4py), or leave the language out"
        ) from error
    return WordBreaker
