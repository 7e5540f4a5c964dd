"""Published word vectors, in the file formats of fastText and word2vec.

.vec, .txt      text: a word and its numbers on each line, most frequent word first; optionally, a
                first line with the number of words and of dimensions
.bin            word2vec's binary format, or fastText's own
Any of them may be compressed with gzip, xz or bzip2, except fastText's own (dictionary.cc and
matrix.cc of its source). That is

    magic, version     2 int32
    settings           12 int32, a double; the first is the dimension
    words              numbers of entries, words, labels: 3 int32; of tokens, pruned: 2 int64
    each               UTF-8, a zero; its count: int64; its kind: a byte
    each pruned one    2 int32
    matrix             quantised: a byte; rows, columns: 2 int64; float32

and is checked before it is read: gensim's reader never returns if a word is cut off, and it trusts
the sizes that a file claims.
"""

import logging
import struct
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from cr5.base.errors import UserError
from cr5.base.refusals import pass_on
from cr5.base.text_files import open_stream
from cr5.models.vector_readers import Entry, binary_entries, check_numbers, once, text_entries

log = logging.getLogger(__name__)

FASTTEXT = (793712314).to_bytes(4, "little")
SETTINGS, SIZES, MATRIX = struct.Struct("<2i12id"), struct.Struct("<3i2q"), struct.Struct("<?2q")
ENTRY = struct.Struct("<qb")
LONGEST = 1 << 16  # bytes of a word
LONGEST_NGRAM = 100  # letters; 6 in the vectors that fastText offers
PROGRESS = 100_000  # words
ROOM = 1 << 22  # numbers to make room for at first
CAPITALS = 0.1  # share of the words; with more, they are not from lower-cased text


def read(path: str | Path, first: int) -> tuple[list[str], np.ndarray]:
    """Read the first words of a file, most frequent first.

    Args:
        path: its name determines the format, see above.
        first: maximum number of words; the rest is not read.

    Returns:
        The n words in canonical composition (NFC), and n x d float32. If several words become
        equal by NFC, the first counts.

    Raises:
        UserError: with file and line or byte: truncated, wrong dimension, not UTF-8, a repeated
            word, a number that is not finite.
    """
    seen: dict[str, str] = {}
    numbers: dict[str, int] = {}
    rows, n_read = None, 0
    for n_read, (word, row, where) in enumerate(islice(entries(path), first), start=1):
        once(word, where, seen)
        composed = unicodedata.normalize("NFC", word)
        if rows is None:
            rows = np.empty((min(first, 1 + ROOM // len(row)), len(row)), np.float32)
        if composed not in numbers:
            rows = _with_room(rows, len(numbers), first)
            rows[len(numbers)] = row
            numbers[composed] = len(numbers)
        if n_read % PROGRESS == 0:
            log.info("%s: %d words", path, n_read)
    if rows is None:
        raise UserError(f"{path}: there is no word in it; get a whole copy")
    log.info("%s: %d words read, %d of them different", path, n_read, len(numbers))
    if (capitals := sum(word != word.lower() for word in numbers)) > CAPITALS * len(numbers):
        log.warning(
            "%s: %d of %d words have capital letters; texts and dictionaries are lower-cased, "
            "so that these are never found: take vectors of lower-cased words",
            *(path, capitals, len(numbers)),
        )
    return list(numbers), rows[: len(numbers)]


def _with_room(rows: np.ndarray, n: int, most: int) -> np.ndarray:
    """Return the rows with room for twice as many: not for all at once, as a file may have few."""
    if n < len(rows):
        return rows
    more = np.empty((min(most, 2 * len(rows)), rows.shape[1]), np.float32)
    more[:n] = rows
    return more


def entries(path: str | Path) -> Iterator[Entry]:
    """Read each word, its vector (d,) float32, and its place for messages, one at a time."""
    path = Path(path)
    if ".bin" not in path.suffixes[-2:]:
        return text_entries(path)
    if is_fasttext(path):
        return _fasttext(path)
    return binary_entries(path)


def is_fasttext(path: str | Path) -> bool:
    """Whether a file is in fastText's own format, which is read as a whole; see `read`."""
    with open_stream(path) as file:
        return file.read(len(FASTTEXT)) == FASTTEXT


def _fasttext(path: Path) -> Iterator[Entry]:
    """Read fastText's own format: a word's vector is the mean of its own and its n-grams'."""
    if path.suffix != ".bin":
        raise UserError(f"{path}: fastText's own form cannot be read compressed; unpack it")
    from gensim.models.fasttext import load_facebook_vectors  # slow to import

    try:
        _check_fasttext(path)
        found = load_facebook_vectors(str(path))
    except UserError:
        raise
    except Exception as error:  # gensim keeps reading a damaged file: any error is possible
        pass_on(error)
        raise UserError(
            f"{path}: expected vectors as fastText saves them, but: {error}; get a whole copy"
        ) from error
    for number, word in enumerate(found.index_to_key, start=1):
        yield word, found.vectors[number - 1], f"{path}, word {number}"


def _check_fasttext(path: Path) -> None:
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
        _check_fasttext_words(file, n_words)
        file.seek(8 * max(0, n_pruned), 1)
        quantised, rows, columns = _read(file, MATRIX)
        if quantised or columns != dimension or rows != n_words + buckets:
            raise ValueError(f"a matrix of {rows} rows and {columns} columns for {n_words} words")
        if (missing := file.tell() + 4 * rows * columns - size) > 0:
            raise ValueError(f"{missing} bytes are missing")


def _check_fasttext_words(file: BinaryIO, n_words: int) -> None:
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
