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
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from cr5.base.rows import unit_rows
from cr5.base.text_files import open_stream
from cr5.contracts.catalogue import SYSTEMS
from cr5.contracts.training import Seeds
from cr5.fitting import vectors
from cr5.systems.maps.family import OntoPivot, rows_of
from cr5.systems.maps.refinement import best_of
from cr5.systems.maps.spaces import Space, space_of
from cr5.systems.maps.translation import precision
from tests.kit.run import KEYS

COLUMNS = [*KEYS, "repetition", "value"]
MEASURES = {"CSLS": 10, "cosine": 0}  # neighbours
Pairs = list[tuple[str, str]]
Language = tuple[list[str], np.ndarray]  # words, most frequent first; vectors of their own length
Mapped = tuple[np.ndarray, np.ndarray]  # n x d and m x d; what is mapped has unit rows
# Of vectors n x d and m x d, float32, most frequent word first, and pairs of rows, p x 2.
Method = Callable[[np.ndarray, np.ndarray, np.ndarray], Mapped]

# A system, and its keys beside the defaults.
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "least_squares": ("least_squares", {}),
    "procrustes": ("procrustes", {"rounds": 0}),
    "procrustes, own lengths": ("procrustes", {"rounds": 0, "own_lengths": True}),
    "procrustes, refined": ("procrustes", {"mutual": True}),
    "procrustes, refined, own lengths": ("procrustes", {"mutual": True, "own_lengths": True}),
    "cca": ("word_cca", {}),
    "cca, all dimensions": ("word_cca", {"share": 1.0}),
    "self_learning": ("vecmap_self_learning", {}),
    "multistep": ("vecmap_supervised", {}),
    "rcsls": ("rcsls", {}),
    "rcsls, frobenius": ("rcsls", {"constraint": "frobenius"}),
    "rcsls, none": ("rcsls", {"constraint": "none"}),
    "rcsls, seeds": ("rcsls", {"neighbourhoods": "seeds"}),
    "rcsls, rounded": ("rcsls", {"rounded": True}),
    "rcsls, centred": ("rcsls", {"centre": True}),
    "rcsls, epochs": ("rcsls", {"epochs": [1, 2, 5, 10]}),
}
UNSUPERVISED: dict[str, tuple[str, dict[str, Any]]] = {
    # smaller and less patient than published
    "similarity": ("vecmap_unsupervised", {"learning_words": 2000, "patience": 10}),
    "wasserstein": ("wasserstein", {}),
    "icp": ("icp", {}),
    # The discriminator is narrower and the game shorter than published: minutes instead of hours.
    "advrefine": ("advrefine", {"hidden": 256, "epochs": 4, "samples": 200_000}),
}


def seeded(source: np.ndarray, target: np.ndarray, pairs: np.ndarray, name: str) -> Mapped:
    """Map by pairs of words."""
    part, given = METHODS[name]
    system = SYSTEMS.part(part, given)
    spaces = _spaces(source, target, system)
    dictionary = Seeds({("s", "t"): [(str(i), str(j)) for i, j in pairs]})
    training = SimpleNamespace(seed=0, threads=1, languages=("s", "t"), seeds=dictionary)
    found = system.map(*spaces, training)
    return unit_rows(found.source), spaces[1].vectors if found.target is None else found.target


def unsupervised(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, name: str, seed: int
) -> Mapped:
    """A start without a dictionary, and the refinement that all of them have."""
    part, given = UNSUPERVISED[name]
    system = SYSTEMS.part(part, given | {"starts": 1})
    spaces = _spaces(source, target, system)
    found = best_of(system.begin(*spaces, seed), *spaces, system)
    return found.source, spaces[1].vectors


def _spaces(source: np.ndarray, target: np.ndarray, system: OntoPivot) -> tuple[Space, Space]:
    """Return the spaces of both languages, whose words are their numbers."""
    vectors = {"s": source, "t": target}
    words = {language: [str(row) for row in range(len(rows))] for language, rows in vectors.items()}
    training = SimpleNamespace(words=words, vectors=vectors)
    options = {"keep_lengths": system.keeps_lengths, "centre": system.centre}
    return space_of(training, "s", **options), space_of(training, "t", **options)


def methods(names: Sequence[str], seeds: int) -> dict[str, Method]:
    """Give the methods of some names; those that are random once for each seed."""
    found = {}
    for name in names:
        if name in METHODS:
            found[name] = partial(seeded, name=name)
        else:
            found |= {f"{name} {x}": partial(unsupervised, name=name, seed=x) for x in range(seeds)}
    return found


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
    methods: dict[str, Method], source: Language, target: Language, train: Pairs, test: Pairs
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
        found = [precision(X, Y, rows[1], neighbours=k) for k in MEASURES.values()]
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
    every = [*METHODS, *UNSUPERVISED]
    parser.add_argument("--methods", nargs="+", default=every, choices=every)
    parser.add_argument("--seeds", type=int, default=5, help="of methods without a dictionary")
    parser.add_argument("--csv", type=Path, help="to write too, as tables/scores.csv of a run")
    given = parser.parse_args()
    rows = []
    for source, target, file in given.dictionary:
        spaces = [
            vectors.read(Path(given.vectors.format(language=x)), given.first)
            for x in (source, target)
        ]
        print(f"\n{source}-{target}: ", end="")
        train, test = parts(read_dictionary(Path(file)), (given.train, given.test))
        if given.identical:
            asked = {word for word, _ in test}
            shared = set(spaces[1][0]) - asked
            train += [(word, word) for word in spaces[0][0] if word in shared]
        asked_for = methods(given.methods, given.seeds)
        for name, similarity, value in measure(asked_for, *spaces, train, test):
            where = f"{source}-{target}", name, "lexicon_induction", source, target
            rows.append([*where, similarity.lower(), "P@1", "mean", value])
    if given.csv:
        with given.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
