"""Given features of words, instead of their spelling.

A line has a word, a feature and the feature's weight, separated by tabs; the weight defaults to 1.
Features that languages share, such as subword units, stems or the clusters of an aligned space,
have the same name in all their files.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

from cr5.base import limits
from cr5.base.errors import UserError
from cr5.base.lines import read_lines, without_nul
from cr5.base.rows import unit_rows

Entry = tuple[str, str, float]
SMALLEST, LARGEST = limits.WEIGHTS


def read_features(
    files: Mapping[str, str | Path], words: Mapping[str, Sequence[str]]
) -> dict[str, sparse.csr_matrix]:
    """Make N_l from files.

    Args:
        files: by language.
        words: per language the vocabulary; other words are skipped.

    Returns:
        Per language words x features, float64, rows of unit length, or of zeros for words not in
        the file. Features are in alphabetical order.

    Raises:
        UserError: with file and line; or none of a file's words is in the vocabulary.
    """
    found = {x: list(_of_vocabulary(Path(files[x]), words[x], x)) for x in sorted(words)}
    names = sorted({feature for entries in found.values() for _, feature, _ in entries})
    numbers = {name: i for i, name in enumerate(names)}
    return {x: _rows(entries, numbers, (len(words[x]), len(names))) for x, entries in found.items()}


def entries(path: str | Path) -> Iterator[Entry]:
    """Read word, feature and weight of each line; UserError with file and line."""
    for where, line in read_lines(path):
        if line.strip():
            yield _entry(without_nul(line, where).split("\t"), where)


def _entry(parts: list[str], where: str) -> Entry:
    fields = [unicodedata.normalize("NFC", part.strip()) for part in parts]
    word, feature, *weight = fields if len(fields) > 1 else ("", "")
    try:
        value = float(*weight) if weight else 1.0
    except (TypeError, ValueError):
        value = np.nan
    if not (word and feature and SMALLEST <= value <= LARGEST):
        raise UserError(
            f"{where}: expected a word, a feature and a number above 0 ({SMALLEST} to {LARGEST}), "
            f"with tabs between, found {parts!r}"
        )
    return word, feature, value


def _of_vocabulary(
    path: Path, words: Sequence[str], language: str
) -> Iterator[tuple[int, str, float]]:
    rows, n_lines, n_found = {word: row for row, word in enumerate(words)}, 0, 0
    for word, feature, weight in entries(path):
        n_lines += 1
        if word in rows:
            n_found += 1
            yield rows[word], feature, weight
    if not n_found:
        raise UserError(
            f"{path}: none of the words of its {n_lines} lines is one of the {len(words)} of "
            f"{language!r}; is it of another language, or not lower-cased?"
        )


def _rows(
    found: list[tuple[int, str, float]], numbers: Mapping[str, int], shape: tuple[int, int]
) -> sparse.csr_matrix:
    rows, features, weights = zip(*found, strict=True)
    columns = [numbers[feature] for feature in features]
    return unit_rows(sparse.csr_matrix((weights, (rows, columns)), shape, dtype=np.float64))
