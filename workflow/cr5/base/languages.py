"""Map language codes to languages: a variant follows the rules of its language."""

import re
from functools import cache

LONGEST_CODE = 3  # letters of a language, without its variant

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
    """Return the language whose rules a code follows: `zh` for zh, zh_cn, zh-Hant-TW and ZHO.

    It is the ISO 639-1 code, where there is one, of languages that have rules in this package.
    """
    parts = re.split("[_-]", code.lower())
    begins = ("-".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((OTHERWISE[begin] for begin in begins if begin in OTHERWISE), parts[0])


def is_code(name: str) -> bool:
    """Whether a name may be a language's code: known, or of two or three letters."""
    return len(base_language(name)) <= LONGEST_CODE
