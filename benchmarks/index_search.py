"""Time and memory of an index: building, opening, exact search; from process start to an answer.

.venv/bin/python -m benchmarks.index_search                        # 1,000,000 texts of 300 numbers
.venv/bin/python -m benchmarks.index_search --texts 100000
.venv/bin/python -m benchmarks.index_search --texts 100000 --length 100 --rerank 0.5

Texts are made up: words after Zipf's law, of a table of random vectors.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import cr5
from benchmarks.measure import measured
from cr5.models import store
from cr5.models.word_tables import WordTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.index import Index

WORDS = 20_000


def spelled(number: int) -> str:
    """A word of letters alone."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:06}")


def made_up_model(dimensions: int, rerank: float = 0.0) -> Embedder:
    """Random vectors for made-up words, the same in both languages."""
    table = np.random.default_rng(0).standard_normal((WORDS, dimensions), np.float32)
    words = [spelled(number) for number in range(WORDS)]
    both = ("en", "it")
    tables = [dict.fromkeys(both, part) for part in (words, table, np.ones(WORDS))]
    return Embedder(WordTables(*tables, rerank=rerank), {"system": "made_up"}, "made up")


def save_model(folder: Path, dimensions: int, rerank: float) -> Embedder:
    """The same, stored and loaded."""
    made = made_up_model(dimensions, rerank)
    store.save(folder, made.model, made.about)
    return cr5.load(folder)


def texts(n: int, seed: int, length: int) -> list[str]:
    """Texts of that many words."""
    generator = np.random.default_rng([7, seed])
    shares = 1 / np.arange(1, WORDS + 1)
    words = np.array([spelled(number) for number in range(WORDS)])
    numbers = generator.choice(WORDS, (n, length), p=shares / shares.sum())
    return [" ".join(row) for row in words[numbers].tolist()]


def queries(n: int, length: int) -> list[str]:
    """Half of the words of the first texts, and others."""
    pairs = zip(texts(n, 0, length), texts(n, 10**9, length), strict=True)
    return [" ".join(pair) for pair in pairs]


def build(model: Embedder, path: Path, given: list[str]) -> None:
    """Embed and write."""
    titles = (f"Title of {number}" for number in range(len(given)))
    with Index(model).writing(path) as folder:
        folder.add(range(len(given)), given, "it", titles)


def answer(index: Path) -> None:
    """Print how long a process takes to one answer, three times."""
    text = " ".join(spelled(number) for number in (5, 17, 300, 4000))
    command = [sys.executable, "-m", "cr5", "search", str(index), "--from", "en", text]
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wall = time.perf_counter() - wall
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        load = os.getloadavg()[0]
        print(f"process to answer  {wall:8.2f} s wall {cpu:8.2f} s CPU   load {load:.1f}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--length", type=int, default=20, help="words of a text")
    parser.add_argument("--rerank", type=float, default=0.0, help="weight of a second stage")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = save_model(Path(folder) / "model", options.dimensions, options.rerank)
        path = Path(folder) / "index"
        made = texts(options.texts, 0, options.length)
        _, cost = measured(lambda: build(model, path, made))
        print(f"build {options.texts:>12,}", cost, flush=True)
        index, cost = measured(lambda: cr5.open_index(path))
        print(f"open               {1000 * cost.wall:8.1f} ms wall {1000 * cost.cpu:8.1f} ms CPU")
        given = queries(512, options.length)
        index.search(given[:1], "en")  # reads the files once
        for n in (1, 10, 100, 512):
            several = [given[i : i + n] for i in range(0, min(50 * n, 513 - n), n)]
            _, cost = measured(
                lambda several=several: [
                    index.search(each, "en", 10, target_language="it") for each in several
                ]
            )
            each = [1000 * total / n / len(several) for total in (cost.wall, cost.cpu)]
            print(
                f"{n:>4} at once   {each[0]:8.1f} ms wall {each[1]:8.1f} ms CPU a query", flush=True
            )
        answer(path)


if __name__ == "__main__":
    main()
