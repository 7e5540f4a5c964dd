"""Words of different scripts, written so that they can be compared.

Languages of different scripts share no spelling, but names and loans: компьютер, κομπιούτερ and
コンピューター are computers. `latin` writes the letters of other scripts as Latin ones, by
AnyAscii, an optional dependency (ISC licence). Spellings of a sound still differ (центр, centro):
`sounds` folds these differences, also in words of Latin letters. Chinese characters stay: they
carry meaning, and sound different in each language.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import regex

from cr5.base.errors import needed
from cr5.base.languages import folded

Scripts = Literal["own", "latin", "sounds"]

# From a letter of another script on; Chinese characters, which carry meaning, stay.
OTHER = regex.compile(r"[^\p{Latin}\p{Han}\p{Common}\p{Inherited}][^\p{Latin}\p{Han}]*")
SOUNDS = tuple(
    (regex.compile(pattern), by)
    for pattern, by in (
        ("ph", "f"),
        ("tsch|tch", "ch"),
        ("sch", "sh"),
        ("ck|q", "k"),
        ("x", "ks"),
        ("c(?=[eiy])", "ts"),
        ("c(?!h)", "k"),
        ("kh", "h"),
        ("th", "t"),
        ("y", "i"),
        ("j(?=[^aeiou]|$)", "i"),
        ("w", "v"),
        ("ou|oo", "u"),
        ("ae", "e"),
        (r"(.)\1", r"\1"),
    )
)


def sounds(word: str) -> str:
    """Spell sounds in one way: c, k and q, f and ph, y and i, single and double letters."""
    for pattern, by in SOUNDS:
        word = pattern.sub(by, word)
    return word


def compared(words: Mapping[str, Sequence[str]], scripts: str) -> Mapping[str, Sequence[str]]:
    """Write words, by language, as they are compared: see the module's docstring."""
    if scripts == "own":
        return words
    written = {}
    for language, words_of_language in words.items():
        written[language] = [OTHER.sub(_latin_letters, word) for word in words_of_language]
        if scripts == "sounds":
            written[language] = [sounds(folded(word)) for word in written[language]]
    return written


def _latin_letters(match: regex.Match) -> str:
    """Return letters as an optional dependency writes them; unknown ones stay."""
    otherwise = "set `scripts: own` for cr5_spelling and prefix_overlap"
    with needed("scripts", "writing words of other scripts in Latin letters", otherwise):
        from anyascii import anyascii
    transliterated = anyascii(match[0]).lower()
    letters = "".join(character for character in transliterated if character.isalpha())
    return letters or match[0]
