r"""tokenizer.json for the library tokenizers, which finds the same words as `counts.tokens`.

Two differences are corrected: the library lower-cases a Greek sigma without checking whether the
word ends, and Turkish needs its own rule. The remaining differences are code points unassigned in
one of the two Unicode versions.
"""

from collections.abc import Sequence
from typing import Any

from cr5.base.errors import UserError
from cr5.base.languages import base_language
from cr5.counts.tokens import DOTLESS, SOFT_HYPHEN, WITHOUT_SPACES

UNKNOWN = "[UNK]"  # brackets, so that it is never a word of a text
LETTER = r"[\p{L}\p{M}]"
WITHIN = "['’.:·]"  # some punctuation that does not end a word for Unicode's Final_Sigma
FINAL_SIGMA = rf"(?<={LETTER}|{LETTER}{WITHIN})Σ(?!(?:\p{{M}}|{WITHIN})*\p{{L}})"


def check(language: str) -> None:
    """Raise `UserError` for a language whose words no pattern can find."""
    if base_language(language) in WITHOUT_SPACES:
        raise UserError(
            f"{language!r} is written without spaces, and its words are found by a dictionary "
            "that a tokenizer.json cannot hold: export the model in another format"
        )


def of(language: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the contents of tokenizer.json: `UNKNOWN` is 0, the words follow in order."""
    normalizers = [{"type": "NFC"}, _replace("String", SOFT_HYPHEN, "")]
    if base_language(language) in ("tr", "az"):
        normalizers += [_replace("String", chr(x), y) for x, y in DOTLESS.items()]
    normalizers += [_replace("Regex", FINAL_SIGMA, "ς"), {"type": "Lowercase"}, {"type": "NFC"}]
    vocabulary = {word: number for number, word in enumerate([UNKNOWN, *words])}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": rf"[^{LETTER[1:]}+"},
            "behavior": "Removed",
            "invert": False,
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": UNKNOWN},
    }


def _replace(kind: str, pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}
