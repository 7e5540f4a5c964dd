"""word2vec's binary format: a text header, then for each word it, a space, float32 numbers."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.limits import check_numbers
from cr5.models.vector_text import decoded

LONGEST = 1 << 16  # bytes of a word


def entries(
    path: str | Path, n_words: int, dimension: int
) -> Iterator[tuple[str, np.ndarray, str]]:
    """Read as many words as the header says, one at a time.

    Args:
        path: of the file, plain or compressed.
        n_words: from the header.
        dimension: from the header.

    Yields:
        Word, vector (dimension,) float32, and file and byte for messages.

    Raises:
        UserError: with file and byte: it is cut off, not UTF-8, a number is not finite, or bytes
            follow the last word.
    """
    check_numbers(dimension, f"{path}, line 1")
    with open_stream(path) as file:
        place = len(file.readline(LONGEST))
        for number in range(1, n_words + 1):
            where = f"{path}, byte {place + 1}, word {number} of {n_words}"
            word = _word(file, where)
            data = file.read(4 * dimension)
            if len(data) < 4 * dimension:
                raise UserError(f"{where}: the file ends within its numbers: get a whole copy")
            place += len(word) + 1 + len(data)
            yield decoded(word.lstrip(b"\n"), where), _finite(data, where), where
        is_more = any(part.strip() for part in iter(partial(file.read, LONGEST), b""))
    if is_more:
        raise UserError(
            f"{path}: more bytes follow the last of the {n_words} words that line 1 says; correct "
            "it, or get a whole copy"
        )


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
        raise UserError(f"{where}: a number is nan or infinite; the file is damaged")
    return row
