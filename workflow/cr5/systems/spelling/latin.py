"""Words of other scripts in Latin letters.

Letters follow the tables of AnyAscii, an optional dependency (ISC licence). They map single
characters, so some rules come before: Greek digraphs (ELOT 743), the inherent vowel of Devanagari
consonants, letters that a language reads differently; and small kana after.
"""

import unicodedata
from collections.abc import Callable
from functools import cache

import regex

from cr5.base.extras import needed

# From a letter of another script on; Chinese characters, which carry meaning, stay.
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
    ("\u092b\u093c", "f"),  # the nukta, which Unicode does not compose with letters
    ("\u091c\u093c", "z"),
    ("\u093c", ""),
    ("[\u0901\u0902](?=[\u092a-\u092e])", "\u092e\u094d"),  # anusvara is m before labials, else n
    ("[\u0901\u0902]", "\u0928\u094d"),
    # a consonant has the vowel a, except at the end of a word or with another vowel or none
    (f"({CONSONANT}|[fz])(?=[\u0904-\u0939fz])", r"\1a"),
)
# For words with letters of a script: the rules that come before.
BEFORE = {regex.compile(r"\p{Greek}"): GREEK, regex.compile(r"\p{Devanagari}"): DEVANAGARI}
SMALL_KANA = _rules(  # comes after
    ("(?<=sh|ch|j)iy(?=[aou])", ""),
    ("(?<=[kgnhbpmr])iy(?=[aou])", "y"),
    ("(?<=[fv])u(?=[aeio])", ""),
    ("(?<=[td])ei$|(?<=[td])ei(?=i)", "i"),
)


def in_latin(word: str, language: str) -> str:
    """Write a word in Latin letters, except Chinese characters.

    Args:
        word: lower case, NFC.
        language: ISO 639-1 code; Ukrainian, Belarusian and Bulgarian read some letters differently.

    Returns:
        The word itself if all of it is Latin, else letters a to z instead of the others; unknown
        characters stay.

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
    """Import an optional dependency when a word needs it."""
    otherwise = "set `scripts: own` for cr5_spelling and prefix_overlap"
    with needed("scripts", "writing words of other scripts in Latin letters", otherwise):
        from anyascii import anyascii
    return anyascii
