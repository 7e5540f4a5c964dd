"""Characters that are not seen, and other forms of a letter: words and ids do not differ by them.

Unicode calls the former default ignorable: soft hyphens, joiners, marks of direction, selectors of
variants, byte order marks. Of the latter PDF and old encodings are full: letters of full and half
width, ligatures (ﬁ, և), Arabic letters by position, mathematical alphabets, ª, º, µ, ſ, and Chinese
radicals in place of letters. Each is written as its letters alone, not by NFKC of a whole text,
which makes letters of signs too (℃, №, ㍿, ™) and takes apart Thai's SARA AM, which ICU's
dictionary needs.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import chain

import regex

# The first ends a word (UAX #29), in Thai or Khmer text above all; the others are blank letters.
ZERO_WIDTH_SPACE = "\u200b"
BLANK = "\u3164\uffa0"
# Parts of emoji that Unicode counts among marks and letters: a keycap, and an i in a square.
KEYCAP = "\u20e3"
INFORMATION = "\u2139"
IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")

OTHER_FORMS = regex.compile(r"\p{NFKC_Quick_Check=No}")
RADICALS = range(0x2E80, 0x2FE0)
# Raised and lowered letters are letters of their own in phonetics and in some languages: Taiwanese
# siaⁿ is not sian.
RAISED = {"<super>", "<sub>"}
ORDINALS = "ªº"
JAMO = range(0x3131, 0x318F)  # Hangul's single letters: the normal form would join them
# Lao's and Thai's SARA AM, and Lao's HO NO and HO MO, which ICU's dictionary has so; a sigma whose
# form does not tell whether it ends a word
ITSELF = "\u0e33\u0eb3\u0edc\u0edd\u03f2\u03f9"

# Code points but for surrogates, private ones, and Chinese beyond the basic plane
CHARACTERS = (range(0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE1000))
BEYOND = "\U00010000-\U0010ffff"  # the basic plane, to be put in brackets
ASCII = bytes(range(128))


def visible(text: str) -> str:
    """Leave out what is not seen; blank letters become spaces."""
    if text.isascii():
        return text
    for letter in BLANK:
        text = text.replace(letter, " ")
    return IGNORABLE.sub("", text)


def plain(text: str, others: str | None = None) -> str:
    """Leave out what is not seen within words, and write other forms of letters as letters.

    A zero-width space becomes a space. The result may have to be composed (NFC). `others` are the
    text's characters `beyond_ascii`, if these are known.
    """
    if others is None:
        others = beyond_ascii(text)
    for character in set(_special().findall(others)):
        text = text.replace(character, replacements().get(character, character))
    return text


def plain_word(word: str) -> str:
    """Write a word as texts have it, but for its case: plain, and in NFC."""
    return unicodedata.normalize("NFC", plain(word))


def beyond_ascii(text: str) -> str:
    """Return the characters that are not ASCII: few in most texts, and so they are looked through.

    `re` and a set take ten times as long for a whole text.
    """
    if text.isascii():
        return ""
    encoded = text.encode("utf-8", "surrogatepass")
    return encoded.translate(None, ASCII).decode("utf-8", "surrogatepass")


def in_brackets(characters: Iterable[str]) -> str:
    """Return the characters of the basic plane as `re` has them in brackets.

    It is slow if there are several beyond this, but not with a range or two of them.
    """
    basic = [character for character in characters if character <= "\uffff"]
    return re.escape("".join(basic))


@cache
def assigned() -> str:
    """Return all characters that can matter here."""
    return "".join(map(chr, chain(*CHARACTERS)))


@cache
def replacements() -> dict[str, str]:
    """Return what `plain` writes for each character that it replaces."""
    written: dict[str, str] = {}
    for character in OTHER_FORMS.findall(assigned()):
        letters = _letters(character)
        if letters != character:
            written[character] = letters
    for character in IGNORABLE.findall(assigned()):
        written[character] = ""
    written[KEYCAP] = ""
    for character in ZERO_WIDTH_SPACE + BLANK + INFORMATION:
        written[character] = " "
    return written


def unseen() -> list[str]:
    """Return the characters that words do not have."""
    return [character for character, letters in replacements().items() if not letters]


def blanks_and_signs() -> list[str]:
    """Return what ends a word: blanks, and signs of which the normal form NFKC has letters."""
    ends = [character for character, letters in replacements().items() if letters == " "]
    for character in OTHER_FORMS.findall(assigned()):
        if character not in replacements() and _is_sign_of_letters(character):
            ends.append(character)
    return sorted(ends)


def _is_sign_of_letters(character: str) -> bool:
    letters = unicodedata.normalize("NFKC", character)
    if _is_letter(character) or letters == unicodedata.normalize("NFC", character):
        return False
    return any(map(_is_letter, letters))


@cache
def _special() -> re.Pattern[str]:
    return re.compile(f"[{in_brackets(replacements())}{BEYOND}]")


def _letters(character: str) -> str:
    """Return the letters that a letter, digit or radical is another form of, or itself."""
    if not (_is_letter(character) or ord(character) in RADICALS):
        return character
    form, _, points = unicodedata.decomposition(character).partition(" ")
    if form in RAISED and character not in ORDINALS:
        return character
    if character in ITSELF or ord(character) in JAMO:
        return character
    letters = unicodedata.normalize("NFKC", character)
    if letters == unicodedata.normalize("NFC", character):
        return character
    if form == "<narrow>":  # of Hangul, too: half of a single letter's width
        letters = chr(int(points, 16))
    return letters if all(map(_is_letter, letters)) else character


def _is_letter(character: str) -> bool:
    """Whether it is a letter, a mark on one, or a decimal digit."""
    category = unicodedata.category(character)
    return category[0] in "LM" or category == "Nd"
