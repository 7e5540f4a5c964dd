"""Words of all scripts as they are compared: as written, in Latin letters, or by their sounds.

Languages of different scripts share no spelling, but names and loans: компьютер, κομπιούτερ and
कंप्यूटर are computers. `latin` writes the letters of other scripts as Latin ones. Spellings of a
sound still differ (центр, centro; फ़ोन, phone), above all of vowels: `sounds` and `consonants` fold
these differences, also in words of Latin letters. Chinese characters stay: they carry meaning, and
sound different in each language.
"""

from collections.abc import Callable, Mapping, Sequence

import regex

from cr5.base.languages import base_language
from cr5.systems.spelling import sounds
from cr5.systems.spelling.folded import folded
from cr5.systems.spelling.latin import in_latin

OWN, AUTO = "own", "auto"
OTHER = regex.compile(r"[^\p{Latin}\p{Common}\p{Inherited}]")
MOSTLY = 0.8  # of a vocabulary; those of all languages contain names in Latin letters

KINDS: dict[str, Callable[[str], str]] = {
    "latin": lambda word: word,
    "sounds": lambda word: sounds.sounds(folded(word)),
    "consonants": lambda word: sounds.consonants(folded(word)),
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
