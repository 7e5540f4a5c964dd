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
    if weights is None:
        _check_length(path, words, dimension)
    return words, table


def _check_length(path: Path, words: list[str], dimension: int) -> None:
    """Refuse vectors that are longer; some phrases end in a number, but never half of a file."""
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
