"""Words of all scripts as they are compared: as written, in Latin letters, or by their sounds.

Languages of different scripts share no spelling, but names and loans: компьютер, κομπιούτερ and
कंप्यूटर are computers. `latin` writes the letters of other scripts as Latin ones. Spellings of a
sound still differ (центр, centro; फ़ोन, phone), above all of vowels: `sounds` and `consonants` fold
these differences, also in words of Latin letters. Chinese characters stay: they carry meaning, and
sound different in each language.
"""

from collections.abc import Callable, Mapping, Sequence

import regex

from cr5.base.folding import folded
from cr5.base.languages import base_language
from cr5.systems.spelling.latin import in_latin

OWN, AUTO = "own", "auto"
OTHER = regex.compile(r"[^\p{Latin}\p{Common}\p{Inherited}]")
MOSTLY = 0.8  # of a vocabulary; those of all languages contain names in Latin letters
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
VOWELS = regex.compile("(?<!^)[aeiou]")
FEW = 3  # consonants; so few alone are not distinctive


def sounds(word: str) -> str:
    """Unify spellings of a sound: c, k and q, f and ph, y and i, single and double letters."""
    for pattern, by in SOUNDS:
        word = pattern.sub(by, word)
    return word


def consonants(word: str) -> str:
    """Its sounds without vowels except an initial one; l as r, which Japanese does not distinguish.

    If few consonants are left, the vowels stay.
    """
    word = sounds(word).replace("l", "r")
    kept = VOWELS.sub("", word)
    return kept if len(kept) > FEW else word


KINDS: dict[str, Callable[[str], str]] = {
    "latin": lambda word: word,
    "sounds": lambda word: sounds(folded(word)),
    "consonants": lambda word: consonants(folded(word)),
}


def compared(words: Mapping[str, Sequence[str]], scripts: str) -> Mapping[str, Sequence[str]]:
    """Write words as they are compared.

    Args:
        words: per language.
        scripts: `own`, as they are; one of `KINDS`; or `auto`: `sounds` where one language
            is mostly written in Latin letters and another one is not, else `own`.

    Raises:
        UserError: words are in another script, and the package to transliterate it is missing.
    """
    if scripts == AUTO:
        scripts = "sounds" if len({_is_latin(each) for each in words.values()}) > 1 else OWN
    if scripts == OWN:
        return words
    write = KINDS[scripts]
    return {x: [write(in_latin(w, base_language(x))) for w in words[x]] for x in words}


def _is_latin(words: Sequence[str]) -> bool:
    return sum(OTHER.search(word) is None for word in words) >= MOSTLY * len(words)
