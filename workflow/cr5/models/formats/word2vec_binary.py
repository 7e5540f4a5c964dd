"""word2vec's binary form: the same header, then a word, a space and float32 numbers each."""

import unicodedata
from pathlib import Path

import numpy as np

from cr5.models.formats import text_lines
from cr5.models.formats.vector_files import Part
from cr5.models.vector_binary import entries

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
    seen: dict[str, str] = {}
    rows = []
    for word, row, where in entries(path, n_words, found):
        text_lines.check_word(word, where)
        text_lines.once(unicodedata.normalize("NFC", word), where, seen)
        rows.append(row)
    return list(seen), np.array(rows, np.float32).reshape(len(rows), found)
