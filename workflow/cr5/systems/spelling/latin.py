"""Words of other scripts in Latin letters.

Letters by the tables of AnyAscii, an optional dependency (ISC licence). What they cannot do, for
they know one character alone, is done before: Greek digraphs (ELOT 743), the vowel that is in a
consonant of Devanagari, letters that a language reads otherwise; and after: small kana.
"""

import unicodedata
from collections.abc import Callable
from functools import cache

import regex

from cr5.base.errors import UserError

# From a letter of another script on; Chinese characters, which mean something, stay.
OTHER = regex.compile(r"[^\p{Latin}\p{Han}\p{Common}\p{Inherited}][^\p{Latin}\p{Han}]*")
KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")

CYRILLIC = {"ц": "c", "ъ": "", "ь": "", "й": "i"}
OF_LANGUAGE = {
    "be": CYRILLIC | {"г": "h", "ў": "u"},
    "bg": CYRILLIC | {"щ": "sht", "ъ": "a"},
    "uk": CYRILLIC | {"г": "h", "и": "y", "і": "i", "ї": "i", "є": "ie"},
}
Rules = tuple[tuple[regex.Pattern, str], ...]


def _rules(*pairs: tuple[str, str]) -> Rules:
    return tuple((regex.compile(pattern), by) for pattern, by in pairs)


GREEK = _rules(
    ("^μπ", "b"),
    ("^ντ", "d"),
    ("^γκ", "g"),
    ("γ(?=[γξχ])", "n"),
    ("(?<=n)γ", "g"),
    ("ο[υύ]", "u"),
    ("(?<=[αεη])[υύ]", "u"),
)
CONSONANT = "[\u0915-\u0939]"
DEVANAGARI = _rules(
    ("\u092b\u093c", "f"),  # the nukta, which Unicode composes with no letter
    ("\u091c\u093c", "z"),
    ("\u093c", ""),
    ("[\u0901\u0902](?=[\u092a-\u092e])", "\u092e\u094d"),  # anusvara is m before labials, else n
    ("[\u0901\u0902]", "\u0928\u094d"),
    # a consonant has the vowel a, but at the end of a word, and where it has another or none
    (f"({CONSONANT}|[fz])(?=[\u0904-\u0939fz])", r"\1a"),
)
# Where a word has letters of a script: what is written otherwise before.
BEFORE = {regex.compile(r"\p{Greek}"): GREEK, regex.compile(r"\p{Devanagari}"): DEVANAGARI}
SMALL_KANA = _rules(  # and this after
    ("(?<=sh|ch|j)iy(?=[aou])", ""),
    ("(?<=[kgnhbpmr])iy(?=[aou])", "y"),
    ("(?<=[fv])u(?=[aeio])", ""),
    ("(?<=[td])ei$|(?<=[td])ei(?=i)", "i"),
)


def in_latin(word: str, language: str) -> str:
    """Write all letters of a word in Latin ones, but for Chinese characters.

    Args:
        word: lower case, NFC.
        language: ISO 639-1 code; Ukrainian, Belarusian and Bulgarian read some letters otherwise.

    Returns:
        The word itself where all of it is Latin, else letters a to z in the place of the others;
        what nobody knows how to write stays.

    Raises:
        UserError: the word needs AnyAscii, which is not installed.
    """
    if word.isascii():
        return word
    return OTHER.sub(lambda found: _letters(found[0], language) or found[0], word)


def _letters(text: str, language: str) -> str:
    text = unicodedata.normalize("NFC", text)
    text = text.translate(_of_language(language))
    for script, rules in BEFORE.items():
        if script.search(text):
            text = _written(text, rules)
    found = "".join(x for x in _anyascii()(text).lower() if x.isalpha())
    return _written(found, SMALL_KANA) if KANA.search(text) else found


def _written(text: str, rules: Rules) -> str:
    for pattern, by in rules:
        text = pattern.sub(by, text)
    return text


@cache
def _of_language(language: str) -> dict[int, str]:
    return str.maketrans(OF_LANGUAGE.get(language, CYRILLIC))


@cache
def _anyascii() -> Callable[[str], str]:
    """An optional dependency, imported when a word needs it."""
    try:
        from anyascii import anyascii
    except ImportError as error:
        raise UserError(
            "Words of other scripts are written in Latin letters by AnyAscii, which is not "
            "installed: install the extra `scripts` of this package (pip install anyascii), or "
            "set `scripts: own` for cr5_spelling and strings"
        ) from error
    return anyascii
