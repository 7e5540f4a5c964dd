"""Word vectors word by word: as text, and in word2vec's binary form.

TEXT       a word and its numbers on each line; word2vec's has a header, with the number of words
           and the dimension, and no word with a space; that of Cr5's authors has neither
BINARY     the header, then for each word: the word, a space, float32 numbers
"""

import logging
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from cr5.base.errors import UserError
from cr5.base.text_files import decode, open_stream

log = logging.getLogger(__name__)

Entry = tuple[str, np.ndarray, str]  # a word, its vector (d,) float32, and its place for messages

LONGEST = 1 << 16  # bytes of a word
MOST = 1 << 16  # numbers of a vector: 300 in most files, 16,384 in the largest language models
MOST_DIGITS = 18  # of a number of words
LINE_1 = "Line 1 says so: get a whole copy, or correct it."
DIMENSION = "If vectors are of another length, say so in the option `dimension`."


def check_numbers(dimension: int, where: str) -> None:
    """Reject vectors that are empty or longer than `MOST`: it is no file of vectors."""
    if not 0 < dimension <= MOST:
        raise UserError(
            f"{where}: expected vectors of 1 to {MOST} numbers, found {dimension}; is it a file "
            "of word vectors? Then get a whole copy"
        )


@dataclass(frozen=True)
class Found:
    """The part of a vocabulary found in a file.

    Attributes:
        table: words of the vocabulary x n, float32; zeros for missing words.
        has: for each word of the vocabulary, whether the file has it.
        n_words: number of words in the file.
    """

    table: np.ndarray
    has: np.ndarray
    n_words: int


def read_vectors(path: str | Path, words: Sequence[str], dimension: int) -> Found:
    """Read the vectors of a vocabulary's words.

    Args:
        path: UTF-8, plain, .gz, .xz or .bz2; lines of a word and n numbers, a space before each,
            with word2vec's header or without. The word is everything before the last n fields and
            may have spaces. If a word is repeated, the first one counts.
        words: the vocabulary, in canonical composition (NFC); the file's words are normalised to
            NFC, but not lower-cased.
        dimension: n.

    Raises:
        UserError: with file and line, or the file has no word of the vocabulary.
    """
    numbers = {word: i for i, word in enumerate(words)}
    table, has = np.zeros((len(words), dimension), np.float32), np.zeros(len(words), bool)
    n_words = 0
    for word, fields, where in released_entries(path, dimension):
        n_words += 1
        row = numbers.get(unicodedata.normalize("NFC", word))
        if row is not None and not has[row]:
            table[row], has[row] = numbers_of(fields, where), True
    log.info("%s: %d of its %d words are of the vocabulary", path, has.sum(), n_words)
    if not has.any():
        raise UserError(
            f"{path}: none of its {n_words} words is one of the {len(words)} of the vocabulary; is "
            f"it of another language, are its words not lower-cased, or has it not {dimension} "
            "numbers a line (`dimension`)?"
        )
    return Found(table, has, n_words)


def released_entries(path: str | Path, dimension: int) -> Iterator[tuple[str, list[str], str]]:
    """Read what follows word2vec's header, if there is one that says this dimension.

    Raises:
        UserError: with file and line.
    """
    n_words, found = header(path)
    yield from entries(path, dimension, n_words is not None and found == dimension)


def entries(
    path: str | Path, dimension: int, header_lines: int = 0, advice: str = DIMENSION
) -> Iterator[tuple[str, list[str], str]]:
    """Read the word of each line, its last fields as text, and file and line for messages.

    Args:
        path: of the file.
        dimension: how many fields are numbers.
        header_lines: before the first word.
        advice: what to do if a line has too few numbers.

    Raises:
        UserError: with file and line.
    """
    check_numbers(dimension, str(path))
    with open_stream(path) as file:
        for number, line in enumerate(file, start=1):
            if number <= header_lines:
                continue
            where = f"{path}, line {number}"
            word, *fields = decode(line, where).rstrip("\r\n ").rsplit(" ", dimension)
            if len(fields) < dimension:
                raise UserError(
                    f"{where}: expected a word and {dimension} numbers with spaces between, found "
                    f"{len(fields) + 1} fields. {advice}"
                )
            yield word, fields, where


def header(path: str | Path) -> tuple[int | None, int]:
    """Read from line 1 how many words there are, None if it has a word; and the dimension.

    Raises:
        UserError: it is not UTF-8, or the dimension is beyond the limit.
    """
    where = f"{path}, line 1"
    with open_stream(path) as file:
        fields = decode(file.readline(), where).split()
    if len(fields) == 2 and all(map(_is_number, fields)):
        n_words, dimension = map(int, fields)
    else:
        n_words, dimension = None, len(fields) - 1
    check_numbers(dimension, where)
    return n_words, dimension


def _is_number(field: str) -> bool:
    return field.isascii() and field.isdigit() and len(field) <= MOST_DIGITS


def text_entries(path: str | Path) -> Iterator[Entry]:
    """Read text in which no word has a space; line 1 is a header, or says the dimension.

    Raises:
        UserError: with file and line; or other than the header's number of words follow it.
    """
    n_words, dimension = header(path)
    n = 0
    for word, fields, where in entries(path, dimension, n_words is not None, LINE_1):
        n += 1
        if " " in word:
            raise UserError(
                f"{where}: more than a word and the {dimension} numbers expected by line 1"
            )
        yield word, numbers_of(fields, where), where
    if n_words is not None and n != n_words:
        raise UserError(
            f"{path}: line 1 says {n_words} words, but {n} follow: the file is cut off or was put "
            "together; get a whole copy"
        )


def numbers_of(fields: list[str], where: str) -> np.ndarray:
    """Read fields as float32; UserError with the place if one is not a finite number."""
    try:
        with np.errstate(over="ignore"):
            found = np.array(fields, np.float64).astype(np.float32)
    except ValueError as error:
        raise UserError(f"{where}: expected {len(fields)} numbers at its end: {error}") from error
    if not np.isfinite(found).all():
        raise UserError(f"{where}: a number is nan, infinite or too large; remove the line")
    return found


def binary_entries(path: str | Path) -> Iterator[Entry]:
    """Read the binary form, as many words as its header says; the place is file and byte.

    Raises:
        UserError: with the place: there is no header; it is cut off, not UTF-8, a number is not
            finite, or bytes follow the last word.
    """
    n_words, dimension = header(path)
    check_header(path, n_words)
    with open_stream(path) as file:
        place = len(file.readline(LONGEST))
        for number in range(1, n_words + 1):
            where = f"{path}, byte {place + 1}, word {number} of {n_words}"
            word = _word(file, where)
            data = file.read(4 * dimension)
            if len(data) < 4 * dimension:
                raise UserError(f"{where}: the file ends within its numbers: get a whole copy")
            place += len(word) + 1 + len(data)
            yield decode(word.lstrip(b"\n"), where), _finite(data, where), where
        is_more = any(part.strip() for part in iter(partial(file.read, LONGEST), b""))
    if is_more:
        raise UserError(
            f"{path}: more bytes follow the last of the {n_words} words that line 1 says; correct "
            "it, or get a whole copy"
        )


def check_header(path: str | Path, n_words: int | None) -> None:
    """Raise `UserError` for a file without word2vec's header."""
    if n_words is None:
        raise UserError(
            f"{path}, line 1: expected the header of word2vec, two numbers: how many words there "
            "are, and how many numbers each has"
        )


def once(word: str, where: str, seen: dict[str, str]) -> None:
    """Remember the place of a word; UserError if it is repeated."""
    if word in seen:
        raise UserError(
            f"{where}: the word {word!r} is there twice, first in {seen[word]}; keep one"
        )
    seen[word] = where


def _word(file: BinaryIO, where: str) -> bytes:
    """Read up to the next space; a leading line end belongs to the previous vector."""
    found = bytearray()
    while (byte := file.read(1)) != b" ":
        if not byte or len(found) > LONGEST:
            raise UserError(
                f"{where}: no space ends this word: the file is cut off, or of another dimension "
                "than it says; get a whole copy"
            )
        found += byte
    return bytes(found)


def _finite(data: bytes, where: str) -> np.ndarray:
    row = np.frombuffer(data, "<f4")
    if not np.isfinite(row).all():
        raise UserError(f"{where}: a number is nan or infinite; get a whole copy")
    return row
