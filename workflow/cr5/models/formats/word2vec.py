"""word2vec's text: how many words and numbers, then a line per word."""

from pathlib import Path

import numpy as np

from cr5.base.errors import UserError
from cr5.models.formats import text_lines
from cr5.models.formats.vector_files import Part

ENDING = ".vec"


def write_vectors(path: Path, part: Part) -> None:
    """Write one language."""
    text_lines.check_words(part.words, "word2vec")
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("{} {}\n".format(*part.table.shape))
        text_lines.write(file, part)


def read_vectors(
    path: Path, dimension: int | None, weights: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """Read one language.

    Raises:
        UserError: with file and line.
    """
    n_words, found = text_lines.header(path)
    if weights is not None:
        text_lines.check_dimension(path, found, dimension)
    words, table = text_lines.read(path, found, header_lines=1)
    if len(words) != n_words:
        raise UserError(
            f"{path}: line 1 says {n_words} words, but {len(words)} follow: the file is cut off "
            "or was put together; get a whole copy"
        )
    spaced = next((i for i, word in enumerate(words, start=2) if " " in word), None)
    if spaced:
        raise UserError(
            f"{path}, line {spaced}: more than a word and the {found} numbers that line 1 says"
        )
    for number, word in enumerate(words, start=2):
        text_lines.check_word(word, f"{path}, line {number}")
    return words, table
