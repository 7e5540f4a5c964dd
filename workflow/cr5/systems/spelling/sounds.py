"""Latin letters by their approximate sounds: spellings that differ by language become the same."""

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
