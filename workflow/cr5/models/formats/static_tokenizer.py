r"""tokenizer.json of the library tokenizers, which finds the words that `counts.tokens` finds.

Two things are other there, and made good: the library's lower case of a Greek sigma does not look
whether a word ends, and Turkish needs its own. Left are code points that one of both takes for
unassigned, as each has the tables of its own version of Unicode.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.languages import base_language
from cr5.base.refusals import DAMAGED, pass_on
from cr5.counts.tokens import DOTLESS, SOFT_HYPHEN, WITHOUT_SPACES

UNKNOWN = "[UNK]"  # with brackets, so that no text has it for a word
LETTER = r"[\p{L}\p{M}]"
WITHIN = "['’.:·]"  # marks of punctuation that end no word for Unicode's Final_Sigma, some of them
FINAL_SIGMA = rf"(?<={LETTER}|{LETTER}{WITHIN})Σ(?!(?:\p{{M}}|{WITHIN})*\p{{L}})"


def check(language: str) -> None:
    """Raise `UserError` for a language whose words a pattern cannot find."""
    if base_language(language) in WITHOUT_SPACES:
        raise UserError(
            f"{language!r} is written without spaces, and its words are found by a dictionary "
            "that a tokenizer.json cannot hold: export the model in another format"
        )


def of(language: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the contents of tokenizer.json: `UNKNOWN` is 0, the words follow in their order."""
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


def words(path: Path) -> list[str]:
    """Read the words of a tokenizer.json that `of` made.

    Raises:
        UserError: it is missing, damaged or of another kind.
    """
    try:
        vocabulary = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
        found = sorted(vocabulary, key=vocabulary.__getitem__)
        if found[:1] != [UNKNOWN] or list(vocabulary.values()) != list(range(len(found))):
            raise ValueError(f"its first word is not {UNKNOWN}, or its numbers have gaps")
    except DAMAGED as error:
        pass_on(error)
        raise UserError(
            f"{path}: not the tokenizer of an exported model ({error}); export the model again"
        ) from error
    return found[1:]


def _replace(kind: str, pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}
