"""word2vec's binary form: the same header, then a word, a space and float32 numbers each."""

import unicodedata
from pathlib import Path

import numpy as np

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.models.formats import text_lines
from cr5.models.formats.vector_files import Part
from cr5.models.vector_text import decoded

ENDING = ".bin"


def write_vectors(path: Path, part: Part) -> None:
    """Write one language."""
    text_lines.check_words(part.words, "word2vec")
    table = part.table.astype("<f4")
    with path.open("wb") as file:
        file.write("{} {}\n".format(*table.shape).encode())
        for word, row in zip(part.words, table, strict=True):
            file.write(word.encode() + b" " + row.tobytes() + b"\n")


def read_vectors(
    path: Path, dimension: int | None, weights: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """Read one language; the end of line after each vector may be missing.

    Raises:
        UserError: with file and byte.
    """
    n_words, found = text_lines.header(path)
    if weights is not None:
        text_lines.check_dimension(path, found, dimension)
    with open_stream(path) as file:
        data = file.read()
    if len(data) < n_words * (4 * found + 2):
        raise UserError(
            f"{path}: line 1 says {n_words} words of {found} numbers, too many for its "
            f"{len(data)} bytes: it is cut off; get a whole copy"
        )
    place, seen, table = data.find(b"\n") + 1, {}, np.zeros((n_words, found), np.float32)
    for row in range(n_words):
        word, place, where = _word(data, place, path, row, n_words)
        text_lines.once(word, where, seen)
        table[row] = _vector(data, place, found, where)
        place += 4 * found
    if data[place:].strip():
        raise UserError(f"{path}: {len(data) - place} bytes follow the last of its {n_words} words")
    return list(seen), table


def _word(data: bytes, place: int, path: Path, row: int, n_words: int) -> tuple[str, int, str]:
    """A word, where its numbers begin, and its place for messages."""
    place += data[place : place + 1] == b"\n"
    end = data.find(b" ", place)
    where = f"{path}, byte {place + 1}, word {row + 1} of {n_words}"
    if end < 0:
        raise UserError(f"{where}: the file ends: it is cut off; get a whole copy")
    return unicodedata.normalize("NFC", decoded(data[place:end], where)), end + 1, where


def _vector(data: bytes, place: int, dimension: int, where: str) -> np.ndarray:
    if len(data) < place + 4 * dimension:
        raise UserError(f"{where}: the file ends within its numbers: get a whole copy")
    row = np.frombuffer(data, "<f4", dimension, place)
    if not np.isfinite(row).all():
        raise UserError(f"{where}: a number is nan or infinite; the file is damaged")
    return row
