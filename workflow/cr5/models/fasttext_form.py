"""fastText's own format (dictionary.cc, matrix.cc of its source), checked before it is read.

gensim's reader never returns if a word is cut off, and it trusts the sizes that a file claims.

    magic, version     2 int32
    settings           12 int32, a double; the first is the dimension
    words              numbers of entries, words, labels: 3 int32; of tokens, pruned: 2 int64
    each               UTF-8, a zero; its count: int64; its kind: a byte
    each pruned one    2 int32
    matrix             quantised: a byte; rows, columns: 2 int64; float32
"""

import struct
from pathlib import Path
from typing import BinaryIO

from cr5.base.limits import check_numbers

SETTINGS, SIZES, MATRIX = struct.Struct("<2i12id"), struct.Struct("<3i2q"), struct.Struct("<?2q")
ENTRY = struct.Struct("<qb")
LONGEST = 1 << 16  # bytes of a word
LONGEST_NGRAM = 100  # letters; 6 in the vectors that fastText offers


def check(path: Path) -> None:
    """Compare what a file claims with what it contains.

    Raises:
        UserError: vectors are too long.
        ValueError: the file is cut off or damaged.
    """
    with path.open("rb") as file:
        size = path.stat().st_size
        settings = _read(file, SETTINGS)
        dimension, buckets, (shortest, longest) = settings[2], settings[10], settings[11:13]
        check_numbers(dimension, str(path))
        if buckets < 0 or not 0 <= shortest <= LONGEST_NGRAM or not 0 <= longest <= LONGEST_NGRAM:
            raise ValueError(f"n-grams of {shortest} to {longest} letters in {buckets} buckets")
        if longest and shortest <= longest and not buckets:
            raise ValueError("n-grams without a bucket")
        n_entries, n_words, n_labels, _, n_pruned = _read(file, SIZES)
        if n_labels or n_entries != n_words or n_words < 0:
            raise ValueError(f"{n_entries} entries, {n_words} words and {n_labels} labels")
        _check_words(file, n_words)
        file.seek(8 * max(0, n_pruned), 1)
        quantised, rows, columns = _read(file, MATRIX)
        if quantised or columns != dimension or rows != n_words + buckets:
            raise ValueError(f"a matrix of {rows} rows and {columns} columns for {n_words} words")
        if (missing := file.tell() + 4 * rows * columns - size) > 0:
            raise ValueError(f"{missing} bytes are missing")


def _check_words(file: BinaryIO, n_words: int) -> None:
    """Go through the words; the file is read in pieces that split no word."""
    piece, start = b"", 0
    for number in range(n_words):
        if len(piece) - start < LONGEST + ENTRY.size:
            piece, start = piece[start:] + file.read(16 * LONGEST), 0
        end = piece.find(b"\0", start, start + LONGEST)
        if end < 0 or len(piece) < end + 1 + ENTRY.size:
            raise ValueError(f"word {number + 1} of {n_words} does not end")
        start = end + 1 + ENTRY.size
    file.seek(start - len(piece), 1)


def _read(file: BinaryIO, form: struct.Struct) -> tuple:
    data = file.read(form.size)
    if len(data) < form.size:
        raise ValueError("it is cut off")
    return form.unpack(data)
