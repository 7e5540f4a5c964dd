"""The language whose rules a code follows, and words as several languages share them."""

import re
import unicodedata
from functools import cache

ACCENTS = 200  # canonical combining classes from here on: marks above, below or through a letter

# Wikipedia's own codes, long codes and Simple English: their first parts mean something else.
OTHERWISE = {
    "als": "gsw",
    "bat-smg": "sgs",
    "fiu-vro": "vro",
    "roa-rup": "rup",
    "simple": "en",
    "zh-classical": "lzh",
    "zh-min-nan": "nan",
    "zh-yue": "yue",
} | {
    long: short
    for short, longs in {
        "az": "aze azj",
        "ja": "jpn",
        "km": "khm",
        "lo": "lao",
        "my": "bur mya",
        "th": "tha",
        "tr": "tur",
        "zh": "chi cmn zho",
    }.items()
    for long in longs.split()
}


@cache
def base_language(code: str) -> str:
    """Return the language whose rules a code follows: `zh` for zh, zh_cn, zh-Hant-TW and ZHO."""
    parts = re.split("[_-]", code.lower())
    begins = ("-".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((OTHERWISE[begin] for begin in begins if begin in OTHERWISE), parts[0])


def folded(word: str) -> str:
    """Drop accents (México, Mexico), but no other marks, nor those of letters such as ø; in NFC."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    kept = (x for x in decomposed if unicodedata.combining(x) < ACCENTS)
    return unicodedata.normalize("NFC", "".join(kept))
