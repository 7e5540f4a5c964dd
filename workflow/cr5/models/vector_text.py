"""Word vectors as text: a word and its numbers per line, as released by Cr5's authors."""

import logging
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.limits import check_numbers
from cr5.base.lines import bounded

log = logging.getLogger(__name__)

DIMENSION = "If vectors are of another length, say so in the option `dimension`."


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
            without a header. The word is everything before the last n fields and may have spaces.
            If a word is repeated, the first one counts.
        words: the vocabulary, in canonical composition (NFC); the file's words are normalised to
            NFC, but not lower-cased.
        dimension: n.

    Raises:
        UserError: with file and line, or the file has no word of the vocabulary.
    """
    numbers = {word: i for i, word in enumerate(words)}
    table, has = np.zeros((len(words), dimension), np.float32), np.zeros(len(words), bool)
    n_words = 0
    for word, fields, where in entries(path, dimension):
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
        for number, line in enumerate(bounded(file, str(path)), start=1):
            if number <= header_lines:
                continue
            where = f"{path}, line {number}"
            word, *fields = decoded(line, where).rstrip("\r\n ").rsplit(" ", dimension)
            if len(fields) < dimension:
                hint = " It looks like a header: remove it." if number == 1 else ""
                raise UserError(
                    f"{where}: expected a word and {dimension} numbers with spaces between, found "
                    f"{len(fields) + 1} fields. {advice}{hint}"
                )
            yield word, fields, where


def decoded(line: bytes, where: str) -> str:
    """Decode bytes as UTF-8; UserError with the place."""
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: this is not UTF-8 ({error}); convert the file") from error


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
