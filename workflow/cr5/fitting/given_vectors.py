"""Published word vectors, in the file formats of fastText and word2vec.

.vec, .txt      text: a word and its numbers on each line, most frequent word first; optionally, a
                first line with the number of words and of dimensions
.bin            word2vec's binary format, or fastText's own
Any of them may be compressed with gzip, xz or bzip2, except fastText's own.
"""

import logging
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from cr5.base import limits
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.limits import DIGITS, check_numbers
from cr5.base.refusals import pass_on
from cr5.models import fasttext_form, vector_binary, vector_text
from cr5.models.formats.word2vec import header, once

log = logging.getLogger(__name__)

Entry = tuple[str, np.ndarray, str]
FASTTEXT = (793712314).to_bytes(4, "little")
BOM = "\ufeff"
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
        return _text(path)
    if is_fasttext(path):
        return _fasttext(path)
    return vector_binary.entries(path, *header(path))


def is_fasttext(path: str | Path) -> bool:
    """Whether a file is in fastText's own format, which is read as a whole; see `read`."""
    with open_stream(path) as file:
        return file.read(len(FASTTEXT)) == FASTTEXT


def _text(path: Path) -> Iterator[Entry]:
    with open_stream(path) as file:
        first = vector_text.decoded(file.readline(limits.LINE), f"{path}, line 1").split()
    if first and first[0].startswith(BOM):
        raise UserError(f"{path}, line 1: it begins with a byte order mark; remove it")
    has_header = len(first) == 2 and all(x.isascii() and x.isdigit() for x in first)
    has_header = has_header and max(map(len, first)) <= DIGITS
    n_words, dimension = map(int, first) if has_header else (None, len(first) - 1)
    check_numbers(dimension, f"{path}, line 1")
    n, advice = 0, "Line 1 says so: get a whole copy, or correct it."
    for word, fields, where in vector_text.entries(path, dimension, has_header, advice):
        n += 1
        if " " in word:
            raise UserError(
                f"{where}: more than a word and the {dimension} numbers that line 1 has or says"
            )
        yield word, vector_text.numbers_of(fields, where), where
    if n_words is not None and n != n_words:
        raise UserError(
            f"{path}: line 1 says {n_words} words, but {n} follow: the file is cut off or was put "
            "together; get a whole copy"
        )


def _fasttext(path: Path) -> Iterator[Entry]:
    """Read fastText's own format: a word's vector is the mean of its own and its n-grams'."""
    if path.suffix != ".bin":
        raise UserError(f"{path}: fastText's own form cannot be read compressed; unpack it")
    from gensim.models.fasttext import load_facebook_vectors  # slow to import

    try:
        fasttext_form.check(path)
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
