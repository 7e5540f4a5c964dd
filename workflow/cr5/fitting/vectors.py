"""Monolingual word vectors: trained by gensim's skip-gram, or published."""

import logging
import re
import struct
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.characters import plain_word
from cr5.base.errors import UserError, pass_on
from cr5.base.files import scratch
from cr5.base.text_files import open_stream, read_lines
from cr5.contracts.training import Coverage
from cr5.counts.tokens import Tokens
from cr5.fitting.options import VectorOptions

log = logging.getLogger(__name__)

KIND = "word vectors"
WORDS = "words.parquet"
VECTORS = "vectors.npy"

ENDS_WITH_NUMBER = re.compile(r"\s[+-]?[0-9]*[.,]?[0-9]+(e[+-]?[0-9]+)?\Z", re.IGNORECASE)
# the number of words, and the dimension
TEXT_HEADER = re.compile(r"(\d{1,18}) (\d{1,18})", re.ASCII)
BLOCK_SIZE = 2**20  # bytes
FASTTEXT_MAGIC = (793712314).to_bytes(4, "little")
# The start of fastText's own form (its args.cc and dictionary.cc): twelve settings, of which the
# first is the dimension and the ninth the number of n-grams' buckets; the numbers of entries and of
# words.
FASTTEXT_HEADER = struct.Struct("<8x12i8x2i20x")
MIN_ENTRY_SIZE = 10  # bytes: of a word without letters its NUL, its count and its type
MATRIX_HEADER_SIZE = 17  # bytes: whether it is quantised, its numbers of rows and columns


class Entry(NamedTuple):
    """A word of a file, with its vector."""

    word: str
    vector: np.ndarray  # (d,) float32
    where: str  # its place, for messages


@contextmanager
def sentences(
    texts: Iterable[tuple[str | None, str]],
    held_out: Collection[str],
    language: str,
    tokens: Tokens,
    beside: str | Path,
) -> Iterator[Iterable[list[str]]]:
    """Give the words of each paragraph, except of concepts held out.

    They are read from a temporary file next to `beside`: a token takes about 108 bytes in a Python
    list, and on disk its letters and a space.
    """
    from gensim.models.word2vec import LineSentence

    with scratch(f"{beside}.sentences") as path:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for concept, text in texts:
                if concept in held_out:
                    continue
                for paragraph in text.splitlines():
                    words = tokens(paragraph, language)
                    if words:
                        file.write(" ".join(words) + "\n")
        yield LineSentence(str(path), max_sentence_length=sys.maxsize)


def train(
    sentences: Iterable[list[str]], options: VectorOptions, seed: int
) -> tuple[list[str], np.ndarray]:
    """Train skip-gram vectors with negative sampling (Mikolov et al. 2013, Bojanowski et al. 2017).

    Several threads race for the shared matrices, so the bytes differ each time. Returns the words,
    most frequent first, ties by string; and words x d float32.
    """
    model = _untrained(options, seed)
    model.build_vocab(sentences)
    if not len(model.wv):
        raise UserError(
            f"word vectors: no word occurs {options.min_count} times in the text; "
            "give more text or lower min_count."
        )
    log.info("vocabulary of %d words; training starts", len(model.wv))
    if options.threads > 1:
        log.warning(
            "trained on %d threads: faster, but no other run gives the same vectors, nor the same "
            "results of the systems that start from them (vectors.threads)",
            options.threads,
        )
    model.train(sentences, total_examples=model.corpus_count, epochs=options.epochs)
    counts = {word: model.wv.get_vecattr(word, "count") for word in model.wv.index_to_key}
    words = sorted(counts, key=lambda word: (-counts[word], word))
    rows = [model.wv.key_to_index[word] for word in words]
    return words, model.wv.vectors[rows].astype(np.float32)


def _untrained(options: VectorOptions, seed: int):
    from gensim import models  # slow to import, and only this function needs it

    shared = {
        "sg": 1,
        "vector_size": options.dimension,
        "window": options.window,
        "epochs": options.epochs,
        "negative": options.negative,
        "min_count": options.min_count,
        "sample": options.sample,
        "seed": seed,
        "workers": options.threads,
    }
    if options.algorithm == "word2vec":
        return models.Word2Vec(**shared)
    # n-grams, rate and noise as in fastText itself; gensim has word2vec's rate and noise
    return models.FastText(
        **shared,
        min_n=3,
        max_n=6,
        bucket=options.buckets,
        alpha=0.05,
        ns_exponent=0.5,
    )


def read(
    path: str | Path, max_words: int | None = None, dimension: int | None = None
) -> tuple[list[str], np.ndarray]:
    """Read published word vectors, the most frequent word first; of equal words the first counts.

    A .bin file has word2vec's binary form or fastText's own, a .bin.gz file has word2vec's. All
    other files are text, with a word and its numbers on each line. The first line may give the
    number of words and the dimension instead; then no word may have a space. At most the first
    `max_words` words are read. Returns the words as texts have them except for their case
    (`base.characters`), and words x d float32.
    """
    path = Path(path)
    is_binary = ".bin" in path.suffixes[-2:]
    all_entries = _read_binary(path, max_words) if is_binary else _read_text(path, dimension)
    entries = islice(all_entries, max_words)
    first = next(entries, None)
    if first is None or not len(first.vector):
        raise UserError(f"{path}: there is no word in it; get a whole copy")
    words: dict[str, None] = {}
    row_type = np.dtype((np.float32, len(first.vector)))
    table = np.fromiter(_new_vectors(chain([first], entries), words), row_type)
    log.info("%s: %d different words read", path, len(words))
    zero_rows = np.flatnonzero(~table.any(axis=1))
    if len(zero_rows) == len(words):
        raise UserError(f"{path}: all of its vectors are zero; get a whole copy")
    if len(zero_rows):
        log.warning(
            "%s: %d of %d vectors are zero, such as that of %r: they count as missing",
            path, len(zero_rows), len(words), list(words)[zero_rows[0]],
        )  # fmt: skip
    return list(words), table


def _new_vectors(entries: Iterable[Entry], words: dict[str, None]) -> Iterator[np.ndarray]:
    """Yield the vector of each word that is not in `words` yet, and add it there."""
    for entry in entries:
        if not np.isfinite(entry.vector).all():
            raise UserError(
                f"{entry.where}: a number is nan, infinite or too large; remove the word"
            )
        word = plain_word(entry.word)
        if word and word not in words:
            words[word] = None
            yield entry.vector


def _read_text(path: Path, dimension: int | None) -> Iterator[Entry]:
    """Read a word and its numbers from each line; a first line may say how many there are."""
    n_words = None
    n_read = 0
    for number, (where, text) in enumerate(read_lines(path), start=1):
        line = text.rstrip(" ")
        if "\t" in line:
            raise UserError(
                f"{where}: there is a tab; expected a word and numbers with spaces between: put a "
                "space for each tab of the file"
            )
        if number == 1:
            header = TEXT_HEADER.fullmatch(line)
            if header and dimension in (None, int(header[2])):
                n_words = int(header[1])
                dimension = int(header[2])
                continue
            dimension = dimension or line.count(" ")
        n_read += 1
        yield _read_entry(line, where, dimension, may_have_spaces=n_words is None)
    if n_words is not None and n_words != n_read:
        raise UserError(
            f"{path}: line 1 says {n_words} words, but {n_read} follow: the file is cut off or was "
            "put together; get a whole copy"
        )


def _read_entry(line: str, where: str, dimension: int, may_have_spaces: bool) -> Entry:
    """Read the word and the numbers of a line."""
    word, *fields = line.rsplit(" ", max(dimension, 1))
    try:
        with np.errstate(over="ignore"):
            vector = np.array(fields, np.float64).astype(np.float32)
        has_all_numbers = len(vector) > 0 and len(vector) == dimension
        if not has_all_numbers or (" " in word and not may_have_spaces):
            raise ValueError(f"{line.count(' ')} spaces")
        if ENDS_WITH_NUMBER.search(word) or "_" in "".join(fields):
            raise ValueError("more numbers, or one with `_` in it")
    except ValueError as error:
        raise UserError(
            f"{where}: expected a word and {dimension} numbers with spaces between, found "
            f"{error}; get a whole copy, or correct the line"
        ) from error
    return Entry(word, vector, where)


def _read_binary(path: Path, max_words: int | None) -> Iterator[Entry]:
    """Read what word2vec or fastText wrote; fastText's vectors are means with the n-grams."""
    from gensim.models import KeyedVectors
    from gensim.models.fasttext import load_facebook_vectors

    with open_stream(path) as file:
        start = file.read(FASTTEXT_HEADER.size)
    try:
        # gensim makes room for what a file says, and never returns if a word is cut off
        if path.suffix == ".bin" and _min_size(start) > path.stat().st_size:
            raise ValueError("it is shorter than it says")
        if start.startswith(FASTTEXT_MAGIC):
            vectors = load_facebook_vectors(str(path))
        else:
            vectors = KeyedVectors.load_word2vec_format(str(path), binary=True, limit=max_words)
            is_read_whole = max_words is None or len(vectors) < max_words
            if is_read_whole and _is_longer(path, start, vectors.index_to_key):
                raise ValueError("it is longer than it says")
    except Exception as error:  # gensim keeps reading a damaged file: any error is possible
        pass_on(error)
        raise UserError(
            f"{path}: not word2vec's binary form nor fastText's own ({error}); get a whole copy"
        ) from error
    for number, word in enumerate(vectors.index_to_key):
        yield Entry(word, vectors.vectors[number], f"{path}, word {number + 1}")


def _is_longer(path: Path, start: bytes, words: Sequence[str]) -> bool:
    """Return whether a file in word2vec's form goes on after `words`, all that it announces."""
    header = start.partition(b"\n")[0]
    n_words, dimension = map(int, header.split())
    if len(words) < n_words:  # gensim dropped repeated words, whose length is not known
        return False
    max_size = len(header) + 1
    for word in words:
        max_size += len(word.encode()) + 4 * dimension + 2  # with a space and perhaps a line end
    size = 0
    with open_stream(path) as file:
        while block := file.read(BLOCK_SIZE):
            size += len(block)
    return size > max_size


def _min_size(start: bytes) -> int:
    """Return the least number of bytes that a binary file can have, by what its start announces."""
    if start.startswith(FASTTEXT_MAGIC):
        settings = FASTTEXT_HEADER.unpack(start)
        dimension = settings[0]
        n_buckets = settings[8]
        n_entries = settings[12]
        size_of_entries = MIN_ENTRY_SIZE * n_entries
        n_rows = 2 * n_entries + n_buckets  # of the input and the output matrix
        size_of_matrices = 2 * MATRIX_HEADER_SIZE + 4 * dimension * n_rows
        return FASTTEXT_HEADER.size + size_of_entries + size_of_matrices
    n_words, dimension = map(int, start.splitlines()[0].split())
    return n_words * (4 * dimension + 2)


def save(
    path: str | Path,
    words: Sequence[str],
    vectors: np.ndarray,
    language: str | None = None,
    job: Job = NO_JOB,
) -> None:
    """Write a folder with words and vectors, words x d."""
    with job.making(path, KIND, language=language) as part:
        pd.DataFrame({"word": words}, dtype=str).to_parquet(part / WORDS, index=False)
        np.save(part / VECTORS, vectors.astype(np.float32, copy=False))


def load(path: str | Path, **subject: str) -> tuple[list[str], np.ndarray]:
    """Read the words and words x d float32 that `save` wrote.

    `subject` is what they should be of, such as `language="en"`.
    """
    artefact = Artefact(path, KIND, **subject)
    words = pd.read_parquet(artefact.file(WORDS))["word"].tolist()
    return words, np.load(artefact.file(VECTORS))


def align(words: Sequence[str], vectors: np.ndarray, vocabulary: Sequence[str]) -> np.ndarray:
    """Put vectors (words x d) in the order of a vocabulary; zeros for a word without one."""
    rows = pd.Index(words).get_indexer(vocabulary)
    aligned = vectors[rows].astype(np.float32, copy=False)
    aligned[rows < 0] = 0
    return aligned


def coverage(
    language: str, words: Sequence[str], vectors: np.ndarray, vocabulary: Sequence[str]
) -> Coverage:
    """Count the words of a vocabulary that have a vector other than zero."""
    has_vector = align(words, vectors, vocabulary).any(axis=1)
    in_lower_case = {word.lower() for word in words if word != word.lower()}
    missing = [vocabulary[number] for number in np.flatnonzero(~has_vector)]
    counted = Coverage(
        language,
        n_words=len(vocabulary),
        n_with_vector=int(has_vector.sum()),
        n_other_case=sum(word in in_lower_case for word in missing),
    )
    log.info(
        "%s: %d of %d words of the vocabulary (%.1f %%) have a vector",
        language, counted.n_with_vector, counted.n_words, 100 * counted.share,
    )  # fmt: skip
    return counted
