"""Word vectors, one file per language, as word2vec's text.

A header has the number of words and the dimension; then a line per word follows.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from cr5.base.errors import UserError
from cr5.models.formats.vector_files import Form, Part
from cr5.models.vector_readers import (
    Entry,
    check_header,
    header,
    once,
    text_entries,
)

CHUNK = 1024
ENDS = re.compile("[\0\t-\r ]")  # fastText's words may contain a no-break space


def write_text(path: Path, part: Part) -> None:
    """Write one language as text."""
    _check_words(part.words, "word2vec")
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("{} {}\n".format(*part.table.shape))
        _write_lines(file, part)


def read_text(
    path: Path, dimension: int | None, weights: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """Read one language.

    Raises:
        UserError: with file and line.
    """
    n_words, found = header(path)
    check_header(path, n_words)
    if weights is not None:
        check_dimension(path, found, dimension)
    return _all(_checked(text_entries(path)), found)


def _checked(entries: Iterable[Entry]) -> Iterator[Entry]:
    for word, row, where in entries:
        _check_word(word, where)
        yield word, row, where


def _all(entries: Iterable[Entry], dimension: int) -> tuple[list[str], np.ndarray]:
    """Words in canonical composition (NFC), each once, and their vectors, float32."""
    seen: dict[str, str] = {}
    rows = []
    for word, row, where in entries:
        once(unicodedata.normalize("NFC", word), where, seen)
        rows.append(row)
    return list(seen), np.array(rows, np.float32).reshape(len(rows), dimension)


def _write_lines(file: TextIO, part: Part) -> None:
    """Write a line per word: the word and its numbers, with the digits that float32 needs."""
    for start in range(0, len(part.words), CHUNK):
        numbers = part.table[start : start + CHUNK].astype(str).tolist()
        words = part.words[start : start + CHUNK]
        file.writelines(
            f"{word} {' '.join(row)}\n" for word, row in zip(words, numbers, strict=True)
        )


def check_dimension(path: Path, found: int, expected: int) -> None:
    """Raise `UserError` unless a file has the dimension given in cr5.json."""
    if found != expected:
        raise UserError(
            f"{path}: its vectors have {found} numbers, and cr5.json says {expected}: they are of "
            "different exports; export the model again"
        )


def _check_word(word: str, where: str) -> None:
    """Raise `UserError` for a word that word2vec cannot have written."""
    if not word or ENDS.search(word):
        raise UserError(
            f"{where}: the word {word!r} is empty, or has white space or NUL within; remove it, or "
            "get a whole copy"
        )


def _check_words(words: list[str], kind: str) -> None:
    """Raise `UserError` for words that cannot be written before a space."""
    for word in words:
        if not word or "\0" in word or any(character.isspace() for character in word):
            raise UserError(
                f"the word {word!r} cannot be written as {kind}, where a space ends a word: "
                "export the model as safetensors or packed"
            )


TEXT = Form(".vec", write_text, read_text)
