"""A weight for each word, as lines of word, tab and number."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.lines import BOM, bounded
from cr5.models.vector_text import decoded

MARK = BOM.decode()


def name(stem: str, language: str) -> str:
    """Name of the file of a language."""
    return f"{stem}_{language}.weights.tsv"


def write(path: Path, words: Sequence[str], weights: np.ndarray) -> None:
    """Write words and weights; the number has as many digits as tell it from all others.

    Raises:
        UserError: a word has a tab or the end of a line in it, or the first one a byte order mark,
            which a reader would leave out.
    """
    if words and words[0].startswith(MARK):
        raise UserError(f"the word {words[0]!r} cannot begin {path.name}: export as safetensors")
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for word, weight in zip(words, weights.tolist(), strict=True):
            if set("\t\r\n") & set(word):
                raise UserError(f"the word {word!r} cannot stand in a line of {path.name}")
            file.write(f"{word}\t{weight!r}\n")


def read(path: Path) -> tuple[list[str], np.ndarray]:
    """Read what `write` wrote.

    Raises:
        UserError: with file and line.
    """
    words, weights = [], []
    with open_stream(path) as file:
        for number, line in enumerate(bounded(file, str(path)), start=1):
            where = f"{path}, line {number}"
            word, tab, weight = decoded(line, where).rstrip("\r\n").rpartition("\t")
            words.append(word)
            weights.append(_number(weight, where, bool(tab)))
    return words, np.array(weights)


def check_same(words: Sequence[str], expected: Sequence[str], path: Path, beside: Path) -> None:
    """Raise `UserError` unless a file of vectors has the words that have weights."""
    if len(words) != len(expected):
        raise UserError(
            f"{path} has {len(words)} words and {beside} has {len(expected)}: one of them is cut "
            "off or of another export; export the model again"
        )
    for number, (word, other) in enumerate(zip(words, expected, strict=True), start=1):
        if word != other:
            raise UserError(
                f"{path}: word {number} is {word!r}, but {beside}, line {number}, has {other!r}: "
                "they are of different exports; export the model again"
            )


def _number(text: str, where: str, is_entry: bool) -> float:
    try:
        number = float(text) if is_entry else np.nan
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise UserError(f"{where}: expected a word, a tab and a number")
    return number
