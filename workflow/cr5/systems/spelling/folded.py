"""Words without their accents, which languages put differently: México and Mexico."""

import unicodedata

ACCENTS = 200  # canonical combining classes from here on: marks above, below or through a letter


def folded(word: str) -> str:
    """Drop accents; composed otherwise (NFC).

    Marks of other kinds stay, such as the vowels of Devanagari and the voicing of kana. Letters
    such as ø and đ are not decomposed by Unicode, and stay too.
    """
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    kept = (x for x in decomposed if unicodedata.combining(x) < ACCENTS)
    return unicodedata.normalize("NFC", "".join(kept))
