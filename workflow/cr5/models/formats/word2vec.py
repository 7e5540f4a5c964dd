"""Word vectors, one file per language: word2vec's formats, and that of Cr5's authors.

TEXT       a header with the number of words and the dimension, then a line per word
BINARY     the same header, then for each word: the word, a space, float32 numbers
RELEASED   {model}_{language}.txt.gz: lines without a header; words may have spaces
"""

import gzip
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

import numpy as np

from cr5.base.errors import UserError
from cr5.models.formats.vector_files import Form, Part
from cr5.models.vector_readers import (
    Entry,
    binary_entries,
    check_header,
    entries,
    header,
    numbers_of,
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


def write_binary(path: Path, part: Part) -> None:
    """Write one language in the binary format."""
    _check_words(part.words, "word2vec")
    table = part.table.astype("<f4")
    with path.open("wb") as file:
        file.write("{} {}\n".format(*table.shape).encode())
        for word, row in zip(part.words, table, strict=True):
            file.write(word.encode() + b" " + row.tobytes() + b"\n")


def _read(
    entries: Callable[[Path], Iterator[Entry]],
    path: Path,
    dimension: int | None,
    weights: np.ndarray | None,
) -> tuple[list[str], np.ndarray]:
    """Read one language; in the binary format the line end after each vector may be missing.

    Raises:
        UserError: with file and line or byte.
    """
    n_words, found = header(path)
    check_header(path, n_words)
    if weights is not None:
        check_dimension(path, found, dimension)
    return _all(_checked(entries(path)), found)


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


def write_released(path: Path, part: Part) -> None:
    """Write one language; words may contain spaces. The same vectors give the same bytes."""
    if bad := [word for word in part.words if not word or set("\r\n") & set(word)]:
        raise UserError(f"the word {bad[0]!r} cannot stand in a line: export as safetensors")
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as file,
    ):
        _write_lines(file, part)


def read_released(
    path: Path, dimension: int, weights: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """Read one language.

    Raises:
        UserError: with file and line.
    """
    lines = ((x, numbers_of(y, where), where) for x, y, where in entries(path, dimension))
    words, table = _all(lines, dimension)
    if weights is None:
        _check_length(path, words, dimension)
    return words, table


def _check_length(path: Path, words: list[str], dimension: int) -> None:
    """Refuse longer vectors; some phrases end in a number, but never half of those in a file."""
    longer = [i for i, word in enumerate(words) if _ends_in_number(word)]
    if longer and 2 * len(longer) >= len(words):
        first = longer[0]
        raise UserError(
            f"{path}, line {first + 1}: after {dimension} numbers are taken from the end of its "
            f"lines, {len(longer)} of {len(words)} words end in one, such as {words[first]!r}: "
            "vectors are longer; say how long (dimension), or get a whole copy"
        )
    if dimension == 1 and words and words[0] == str(len(words) - 1):
        raise UserError(
            f"{path}, line 1: it says how many words follow, as the header of word2vec does; "
            "remove it, or read the file as word2vec"
        )


def _ends_in_number(word: str) -> bool:
    try:
        float(word.rsplit(" ", 1)[1])
    except (ValueError, IndexError):
        return False
    return True


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


TEXT = Form(".vec", write_text, partial(_read, text_entries))
BINARY = Form(".bin", write_binary, partial(_read, binary_entries))
RELEASED = Form(".txt.gz", write_released, read_released)
