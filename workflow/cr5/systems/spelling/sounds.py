"""Latin letters by their sounds, roughly: what languages write differently becomes the same."""

import regex

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
FEW = 3  # consonants, which alone tell too little


def sounds(word: str) -> str:
    """Write sounds alike: c, k and q, f and ph, y and i, one letter and two."""
    for pattern, by in SOUNDS:
        word = pattern.sub(by, word)
    return word


def consonants(word: str) -> str:
    """Its sounds without vowels but a first one; l as r, which Japanese does not tell apart.

    Where few consonants are left, the vowels stay.
    """
    word = sounds(word).replace("l", "r")
    kept = VOWELS.sub("", word)
    return kept if len(kept) > FEW else word
