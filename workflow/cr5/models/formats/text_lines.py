"""Files of vectors as text, with a header (word2vec) or without (Cr5's authors)."""

import re
import unicodedata
from pathlib import Path
from typing import TextIO

import numpy as np

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.limits import DIGITS, check_numbers
from cr5.base.lines import BOM
from cr5.models.formats.vector_files import Part
from cr5.models.vector_text import decoded, entries, numbers_of

CHUNK = 1024
ENDS = re.compile("[\0\t-\r ]")  # a no-break space may stand within words of fastText


def write(file: TextIO, part: Part) -> None:
    """Write a line per word: the word and its numbers, with as many digits as float32 needs."""
    for start in range(0, len(part.words), CHUNK):
        numbers = part.table[start : start + CHUNK].astype(str).tolist()
        words = part.words[start : start + CHUNK]
        file.writelines(
            f"{word} {' '.join(row)}\n" for word, row in zip(words, numbers, strict=True)
        )


def read(path: Path, dimension: int, header_lines: int = 0) -> tuple[list[str], np.ndarray]:
    """Read all lines.

    Args:
        path: UTF-8, plain or compressed.
        dimension: of vectors.
        header_lines: before the first word.

    Returns:
        Words in canonical composition (NFC), and their vectors, float32.

    Raises:
        UserError: with file and line; also where a word is there twice.
    """
    seen: dict[str, str] = {}
    rows = []
    for word, fields, where in entries(path, dimension, header_lines):
        once(unicodedata.normalize("NFC", word), where, seen)
        rows.append(numbers_of(fields, where))
    return list(seen), np.array(rows, np.float32).reshape(len(rows), dimension)


def once(word: str, where: str, seen: dict[str, str]) -> None:
    """Remember where a word is; UserError if it was there before."""
    if word in seen:
        raise UserError(f"{where}: the word {word!r} is there twice, first in {seen[word]}")
    seen[word] = where


def header(path: Path) -> tuple[int, int]:
    """Read how many words there are, and of which dimension.

    Raises:
        UserError: the first line says something else.
    """
    with open_stream(path) as file:
        fields = decoded(file.readline(200).removeprefix(BOM), f"{path}, line 1").split()
    if len(fields) != 2 or not all(map(_is_number, fields)):
        raise UserError(
            f"{path}, line 1: expected the header of word2vec, two numbers: how many words there "
            "are, and how many numbers each has; without a header it may be the format released"
        )
    check_numbers(int(fields[1]), f"{path}, line 1")
    return int(fields[0]), int(fields[1])


def _is_number(field: str) -> bool:
    return field.isascii() and field.isdigit() and len(field) <= DIGITS


def check_dimension(path: Path, found: int, expected: int) -> None:
    """Raise `UserError` unless a file is of the dimension that cr5.json says."""
    if found != expected:
        raise UserError(
            f"{path}: its vectors have {found} numbers, and cr5.json says {expected}: they are of "
            "different exports; export the model again"
        )


def check_word(word: str, where: str) -> None:
    """Raise `UserError` for a word that was read and that no word2vec could have written."""
    if not word or ENDS.search(word):
        raise UserError(
            f"{where}: the word {word!r} is empty, or has white space or NUL within; remove it, or "
            "get a whole copy"
        )


def check_words(words: list[str], kind: str) -> None:
    """Raise `UserError` for words that cannot stand before a space."""
    for word in words:
        if not word or "\0" in word or any(character.isspace() for character in word):
            raise UserError(
                f"the word {word!r} cannot be written as {kind}, where a space ends a word: "
                "export the model as safetensors or packed"
            )
