"""Does AdvRefine find the map between two languages, and with how much text?

.venv/bin/python -m benchmarks.advrefine_size it fr --dictionary it-fr.txt --sizes 0.25 0.5 1 2 4 \
    --text "results/advrefine/documents/{language}.parquet"

The text is that of a run, such as of config/advrefine.yaml. For each size, in millions of words of
each language, word vectors are trained on random paragraphs. They are mapped from two thirds of the
dictionary's words, from identical strings, from random rotations, and by adversarial games, each
with a seed of its own; then every map is refined. A row has the unsupervised criterion, and how
many of the dictionary's other words are translated right (P@1 by CSLS), before and after. Pairs of
identical strings do not count. Vectors keep their lengths, as in the authors' code.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from cr5.base.options import complete
from cr5.base.rows import unit_rows
from cr5.corpora import dictionaries
from cr5.counts import documents
from cr5.counts.tokens import WORD
from cr5.fitting import vectors
from cr5.fitting.vector_options import VectorOptions
from cr5.systems import advrefine
from cr5.systems.mapping import csls
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.mapping.refinement import refine, score
from cr5.systems.mapping.seeded import identical, rows_of

MAPS = {"dictionary_words": 8000, "criterion_words": 5000, "rounds": 10}
GAME = {"frequent_words": 10_000, "epochs": 2}  # short: the paper's takes hours
FREQUENT = 20_000  # words of each language that are translated, and translations
ROTATIONS = 2
FIELDS = ["words", "map", "seed", "criterion", "start", "refined", "CPU seconds"]

Text = list[list[str]]
Row = dict[str, str | float]


def read_text(path: Path) -> Text:
    """The different paragraphs of documents as lower-cased words, in random order."""
    texts = (text for (text,) in documents.stream(path, ["text"]))
    lines = sorted({line for text in texts for line in text.splitlines()})
    order = np.random.default_rng(0).permutation(len(lines))
    return [words for row in order if (words := WORD.findall(lines[row].lower()))]


def beginning(text: Text, words: float) -> Text:
    """As many paragraphs as have so many words."""
    ends = np.cumsum([len(x) for x in text])
    return text[: int(np.searchsorted(ends, words)) + 1]


def parts(path: Path, source: Sequence[str], target: Sequence[str]) -> tuple[np.ndarray, ...]:
    """Pairs of a dictionary to train on, and to test with a third of the words; rows, p x 2."""
    lowered = ((x.lower(), y.lower()) for x, y in dictionaries.entries(path))
    pairs = rows_of([(x, y) for x, y in lowered if x != y], source, target)
    words = np.random.default_rng(0).permutation(np.unique(pairs[:, 0]))
    tested = np.isin(pairs[:, 0], words[: len(words) // 3])
    return pairs[~tested], pairs[tested]


def starts(
    words: Sequence[Sequence[str]],
    own: Sequence[np.ndarray],
    train: np.ndarray,
    seeds: int,
    options,
) -> Iterator[tuple[str, int, np.ndarray]]:
    """Yield each start's kind, seed and map."""
    X, Y = own
    same = rows_of(identical(*(x[:FREQUENT] for x in words), 1), *words)
    for kind, pairs in (("dictionary", train), ("identical strings", same)):
        yield kind, 0, orthogonal_map(X[pairs[:, 0]], Y[pairs[:, 1]])
    for seed in range(ROTATIONS):
        normal = np.random.default_rng(seed).normal(size=(X.shape[1],) * 2)
        yield "random rotation", seed, np.linalg.qr(normal)[0].astype(np.float32)
    criterion = partial(score, unit_rows(X), unit_rows(Y), options=options)
    for seed in range(seeds):
        yield "AdvRefine", seed, advrefine.train(X, Y, criterion, options, seed).W


def rows(
    texts: Sequence[Text], dictionary: Path, seeds: int, trained: VectorOptions, options: Mapping
) -> Iterator[Row]:
    """Train vectors, map them in each way, and measure."""
    words, own = zip(*(vectors.train(x, trained, 1) for x in texts), strict=True)
    X, Y = map(unit_rows, own)
    train, test = parts(dictionary, *(x[:FREQUENT] for x in words))

    def precision(W: np.ndarray) -> float:
        return 100 * csls.precision(apply_map(X[:FREQUENT], W), Y[:FREQUENT], test)

    since = time.process_time()
    for kind, seed, W in starts(words, own, train, seeds, options):
        found = refine(X, Y, W, options, own)
        cost = time.process_time() - since
        measured = found.criterion, precision(W), precision(found.W), cost
        yield dict(zip(FIELDS[1:], (kind, seed, *(round(x, 3) for x in measured)), strict=True))
        since = time.process_time()


def main() -> None:
    """Print a row for each size and map."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("languages", nargs=2)
    parser.add_argument("--text", required=True)
    parser.add_argument("--dictionary", type=Path, required=True)
    parser.add_argument("--sizes", nargs="+", type=float, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--dimension", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=10, help="of word vectors")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--samples", type=int, default=240_000)
    given = parser.parse_args()
    trained = VectorOptions("word2vec", given.dimension, epochs=given.epochs)
    game = {"hidden": given.hidden, "samples": given.samples}
    options = complete(advrefine.OPTIONS, {**MAPS, **GAME, **game})
    every = [read_text(Path(given.text.replace("{language}", x))) for x in given.languages]
    table = csv.DictWriter(sys.stdout, FIELDS)
    table.writeheader()
    for size in given.sizes:
        texts = [beginning(x, size * 1e6) for x in every]
        words = min(sum(map(len, x)) for x in texts)
        for found in rows(texts, given.dictionary, given.seeds, trained, options):
            table.writerow({"words": words, **found})
            sys.stdout.flush()


if __name__ == "__main__":
    main()
