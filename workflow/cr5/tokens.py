"""From text to tokens: runs of letters and combining marks, normalised and lower-cased."""

import unicodedata

import regex

WORD = regex.compile(r"[\p{L}\p{M}]+")
SOFT_HYPHEN = "\u00ad"
DOTLESS = str.maketrans({"I": "ı", "İ": "i"})


def tokenise(text: str, language: str) -> list[str]:
    r"""Return the words of a text, lower-cased, in canonical composition (NFC).

    `\w+` would break words at combining marks; letters and marks together do not. Turkish and
    Azeri need their own lower case of I.

    Args:
        text: any text.
        language: ISO 639-1 code.
    """
    text = unicodedata.normalize("NFC", text).replace(SOFT_HYPHEN, "")
    if language in ("tr", "az"):
        text = text.translate(DOTLESS)
    # Lower-casing can decompose: İ becomes i and a combining dot.
    return WORD.findall(unicodedata.normalize("NFC", text.lower()))
