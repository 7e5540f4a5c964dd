"""Words without their accents."""

import unicodedata

ACCENTS = 200  # canonical combining classes from here on: marks above, below or through a letter


def folded(word: str) -> str:
    """Drop accents, which differ between languages (México, Mexico); composed otherwise (NFC).

    Other marks stay, such as the vowels of Devanagari and the voicing of kana. Unicode does not
    decompose letters such as ø and đ, so they stay too.
    """
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    kept = (x for x in decomposed if unicodedata.combining(x) < ACCENTS)
    return unicodedata.normalize("NFC", "".join(kept))
