"""Time and memory of training word vectors: from a list, from a file as we do, gensim's own way.

.venv/bin/python -m benchmarks.vectors
.venv/bin/python -m benchmarks.vectors --algorithm word2vec --tokens 20000000

Each way has a process of its own. Equal checksums are equal vectors, byte for byte.
"""

import argparse
import hashlib
import logging
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import gensim
import numpy as np

from benchmarks.measure import Cost, measured
from cr5.fitting import sentences, vectors
from cr5.fitting.vector_options import VectorOptions

WORDS = 200_000
LENGTH = 25  # words of a sentence


def made_up(tokens: int) -> Iterator[list[str]]:
    """Sentences of words after Zipf's law; each word an object of its own, as of a tokeniser."""
    generator = np.random.default_rng(0)
    shares = 1 / np.arange(1, WORDS + 1)
    words = np.array([f"word{i}" for i in range(WORDS)])
    for _ in range(tokens // LENGTH // 1000):
        chosen = words[generator.choice(WORDS, (1000, LENGTH), p=shares / shares.sum())]
        yield from (" ".join(row).split() for row in chosen)


def from_list(tokens: int, options: VectorOptions) -> np.ndarray:
    """Hold all sentences."""
    return vectors.train(list(made_up(tokens)), options, 0)[1]


def from_file(tokens: int, options: VectorOptions) -> np.ndarray:
    """Write the sentences down first."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sentences.on_disk(made_up(tokens), Path(folder) / "x") as stored,
    ):
        return vectors.train(stored, options, 0)[1]


def from_corpus_file(tokens: int, options: VectorOptions) -> np.ndarray:
    """Let gensim read the file itself, without Python objects."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sentences.on_disk(made_up(tokens), Path(folder) / "x") as stored,
    ):
        model = vectors._untrained(options, 0)
        file = {"corpus_file": str(stored.path)}
        model.build_vocab(**file)
        sizes = {"total_examples": model.corpus_count, "total_words": model.corpus_total_words}
        model.train(**file, **sizes, epochs=options.epochs)
        return vectors._by_frequency(model.wv)[1]


WAYS = {"list": from_list, "file": from_file, "gensim's corpus_file": from_corpus_file}


def cost(way: str, tokens: int, options: VectorOptions) -> tuple[str, Cost]:
    """Train in one way; the checksum of the vectors comes with what it took."""
    logging.disable(logging.INFO)
    found, cost = measured(lambda: WAYS[way](tokens, options))
    return hashlib.sha256(found.tobytes()).hexdigest()[:12], cost


def main() -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tokens", type=int, default=5_000_000)
    parser.add_argument("--algorithm", choices=["word2vec", "fasttext"], default="word2vec")
    parser.add_argument("--dimension", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=1)
    given = parser.parse_args()
    options = VectorOptions(given.algorithm, dimension=given.dimension, epochs=given.epochs)
    print(f"gensim {gensim.__version__}, {options}, {given.tokens:,} tokens")
    for way in WAYS:
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            checksum, took = process.submit(cost, way, given.tokens, options).result()
        print(f"{way:<22}{took}   {checksum}", flush=True)


if __name__ == "__main__":
    main()
