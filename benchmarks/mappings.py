"""How well mapped word vectors translate: P@1 of every mapping, by cosine and by CSLS.

.venv/bin/python -m benchmarks.mappings --vectors "VECTORS/word2vec.{language}.xz" \
    --dictionary en it DICTIONARIES/en-it.txt --dictionary it en DICTIONARIES/it-en.txt

Of the source words of each dictionary, in its order, the first `--train` are trained on and the
next `--test` are tested, as far as both vocabularies have them and a translation. A hit is any
translation that is listed; candidates are all words of the other language.
"""

import argparse
import csv
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks import mapping_methods
from cr5.base.text_files import open_stream
from cr5.fitting import vectors
from cr5.systems.maps import search
from cr5.systems.maps.family import identical, rows_of
from tests.kit.run import KEYS

COLUMNS = [*KEYS, "repetition", "value"]
MEASURES = {"CSLS": 10, "cosine": 0}  # neighbours
Pairs = list[tuple[str, str]]
Language = tuple[list[str], np.ndarray]  # words, most frequent first; vectors of their own length


def read_language(path: Path, first: int | None) -> Language:
    """Read word2vec's text, whose words stand in order of frequency; `first` of them."""
    return vectors.read(path, first)


def read_dictionary(path: Path) -> Pairs:
    """Read pairs, source first: lines of MUSE (`source target`), or `target @ source`."""
    with open_stream(path) as file:
        lines = file.read().decode("utf-8").splitlines()
    return [_pair(line) for line in lines if line.strip()]


def _pair(line: str) -> tuple[str, str]:
    target, at, source = line.partition(" @ ")
    return (source, target) if at else tuple(line.split())


def parts(pairs: Pairs, sizes: Sequence[int]) -> Iterator[Pairs]:
    """Split a dictionary by distinct source words, in its order: so many to each part."""
    number = {}
    for word, _ in pairs:
        number.setdefault(word, len(number))
    ends = np.cumsum([0, *sizes])
    for start, end in itertools.pairwise(ends):
        yield [pair for pair in pairs if start <= number[pair[0]] < end]


def measure(
    methods: Mapping[str, Callable], source: Language, target: Language, train: Pairs, test: Pairs
) -> Iterator[tuple[str, str, float]]:
    """Print a line for each mapping; give its name, the measure and P@1."""
    (source_words, source_rows), (target_words, target_rows) = source, target
    rows = [rows_of(part, source_words, target_words) for part in (train, test)]
    sizes = [f"{len(np.unique(pairs[:, 0])):,} words" for pairs in rows]
    print("trained on {}, tested on {}".format(*sizes))
    print(f"{'':<24}", *(f"{name:>8}" for name in MEASURES), "  seconds")
    for name, method in methods.items():
        start = time.perf_counter()
        X, Y = method(source_rows, target_rows, rows[0])
        found = [search.precision(X, Y, rows[1], neighbours=k) for k in MEASURES.values()]
        took = time.perf_counter() - start
        print(f"{name:<24}", *(f"{100 * x:8.1f}" for x in found), f"{took:9.1f}", flush=True)
        yield from ((name, x, y) for x, y in zip(MEASURES, found, strict=True))


def main() -> None:
    """Print a table for each dictionary."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vectors", required=True, help="files, {language} in the place of it")
    parser.add_argument(
        "--dictionary", nargs=3, action="append", required=True, metavar=("FROM", "TO", "FILE")
    )
    parser.add_argument("--first", type=int, help="most frequent words to read")
    parser.add_argument("--train", type=int, default=5000)
    parser.add_argument("--test", type=int, default=1500)
    parser.add_argument("--identical", action="store_true", help="train on identical strings too")
    every = [*mapping_methods.METHODS, *mapping_methods.UNSUPERVISED]
    parser.add_argument("--methods", nargs="+", default=every, choices=every)
    parser.add_argument("--seeds", type=int, default=5, help="of methods without a dictionary")
    parser.add_argument("--csv", type=Path, help="to write too, as tables/scores.csv of a run")
    given = parser.parse_args()
    rows = []
    for source, target, file in given.dictionary:
        spaces = [
            read_language(Path(given.vectors.format(language=x)), given.first)
            for x in (source, target)
        ]
        print(f"\n{source}-{target}: ", end="")
        train, test = parts(read_dictionary(Path(file)), (given.train, given.test))
        if given.identical:
            asked = {word for word, _ in test}
            same = identical(spaces[0][0], spaces[1][0])
            train += [pair for pair in same if pair[0] not in asked]
        methods = mapping_methods.methods(given.methods, given.seeds)
        for name, similarity, value in measure(methods, *spaces, train, test):
            where = f"{source}-{target}", name, "lexicon_induction", source, target
            rows.append([*where, similarity.lower(), "P@1", "mean", value])
    if given.csv:
        with given.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
