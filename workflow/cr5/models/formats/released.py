"""Vectors as Cr5's authors released theirs: {model}_{language}.txt.gz, without a header."""

import gzip
import io
from pathlib import Path

import numpy as np

from cr5.base.errors import UserError
from cr5.models.formats import text_lines
from cr5.models.formats.vector_files import Part

ENDING = ".txt.gz"


def write_vectors(path: Path, part: Part) -> None:
    """Write one language; words may have spaces. The same vectors give the same bytes."""
    if bad := [word for word in part.words if not word or set("\r\n") & set(word)]:
        raise UserError(f"the word {bad[0]!r} cannot stand in a line: export as safetensors")
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as file,
    ):
        text_lines.write(file, part)


def read_vectors(
    path: Path, dimension: int, weights: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """Read one language.

    Raises:
        UserError: with file and line.
    """
    words, table = text_lines.read(path, dimension)
    if words and all(map(_ends_in_number, words)):
        raise UserError(
            f"{path}: after {dimension} numbers are taken from the end of its lines, all words end "
            f"in one, such as {words[0]!r}: its vectors are longer; say how long (dimension)"
        )
    return words, table


def _ends_in_number(word: str) -> bool:
    try:
        float(word.rsplit(" ", 1)[1])
    except (ValueError, IndexError):
        return False
    return True
