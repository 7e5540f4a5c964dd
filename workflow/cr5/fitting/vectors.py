"""Monolingual word vectors: trained by gensim's skip-gram, kept in a parquet file."""

import logging
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.artefact import Artefact, making
from cr5.base.errors import UserError
from cr5.fitting.options import VectorOptions

log = logging.getLogger(__name__)

KIND, FILE = "word vectors", "vectors.parquet"


def train(
    sentences: Iterable[list[str]], options: VectorOptions, seed: int
) -> tuple[list[str], np.ndarray]:
    """Train skip-gram vectors with negative sampling (Mikolov et al. 2013, Bojanowski et al. 2017).

    On one thread the bytes are the same each time, and on every processor for which OpenBLAS uses
    the same kernels (`base/processor.py`). Several threads race for the shared matrices, so the
    bytes differ each time.

    Args:
        sentences: token lists; iterated `epochs` + 1 times, so a list or a re-iterable.
        options: fastText has n-grams of 3 to 6 characters, the rate 0.05, and noise by the square
            root of a word's frequency; word2vec 0.025, and noise by its power 0.75.
        seed: of the initial vectors, the subsampling, the windows and the noise.

    Returns:
        The n words, most frequent first, ties by string; and n x d float32.

    Raises:
        UserError: no word occurs `min_count` times.
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
    model.train(
        sentences,
        total_examples=model.corpus_count,
        epochs=options.epochs,
        callbacks=[_Progress(options.epochs)],
    )
    return _by_frequency(model.wv)


class _Progress:
    """Logs a line after each epoch; gensim calls the methods by name."""

    def __init__(self, epochs: int):
        self.done, self.epochs = 0, epochs

    def on_epoch_end(self, model) -> None:
        self.done += 1
        log.info("epoch %d of %d", self.done, self.epochs)

    def _nothing(self, model) -> None: ...

    on_train_begin = on_train_end = on_epoch_begin = _nothing


def _untrained(options: VectorOptions, seed: int):
    from gensim import models  # slow to import, and only this function needs it

    new_model = {
        "word2vec": models.Word2Vec,
        # n-grams, rate and noise as in fastText itself; gensim has word2vec's rate and noise
        "fasttext": partial(
            models.FastText,
            min_n=3,
            max_n=6,
            bucket=options.buckets,
            alpha=0.05,
            ns_exponent=0.5,
        ),
    }[options.algorithm]
    return new_model(
        vector_size=options.dimension,
        window=options.window,
        epochs=options.epochs,
        negative=options.negative,
        min_count=options.min_count,
        sample=options.sample,
        sg=1,
        seed=seed,
        workers=options.threads,
    )


def _by_frequency(keyed) -> tuple[list[str], np.ndarray]:
    words = sorted(keyed.index_to_key, key=lambda w: (-keyed.get_vecattr(w, "count"), w))
    rows = [keyed.key_to_index[word] for word in words]
    return words, keyed.vectors[rows].astype(np.float32)


def save(
    path: str | Path,
    words: Sequence[str],
    vectors: np.ndarray,
    language: str | None = None,
) -> None:
    """Write words and vectors (n x d) to a parquet file: columns `word` and `vector`.

    Args:
        path: of the folder.
        words: n strings.
        vectors: n x d.
        language: of the words.
    """
    flat = pa.array(np.ascontiguousarray(vectors, np.float32).ravel())
    columns = {
        "word": pa.array(words, pa.string()),
        "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
    }
    with making(path, KIND, language=language) as part:
        pq.write_table(pa.table(columns), part / FILE)


def load(path: str | Path, **subject: str) -> tuple[list[str], np.ndarray]:
    """Read what `save` wrote: the words and n x d float32.

    Args:
        path: of the folder.
        subject: what they must be of, such as `language="en"`.

    Raises:
        UserError: the file is missing, incomplete, changed or of another language.
    """
    table = pq.read_table(Artefact(path, KIND, **subject).file(FILE), columns=["word", "vector"])
    column = table["vector"].combine_chunks()
    flat = column.flatten().to_numpy(zero_copy_only=False).astype(np.float32)
    return table["word"].to_pylist(), flat.reshape(len(column), column.type.list_size)


def align(words: Sequence[str], vectors: np.ndarray, vocabulary: Sequence[str]) -> np.ndarray:
    """Put vectors (n x d) in the order of a vocabulary.

    Returns:
        len(vocabulary) x d float32; a word without a vector has a row of zeros.
    """
    row_of = {word: row for row, word in enumerate(words)}
    found = [(i, row_of[word]) for i, word in enumerate(vocabulary) if word in row_of]
    out = np.zeros((len(vocabulary), vectors.shape[1]), np.float32)
    if found:
        targets, rows = map(list, zip(*found, strict=True))
        out[targets] = vectors[rows]
    return out
