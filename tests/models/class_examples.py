"""A small model of each of our classes, with words that are hard to store."""

import numpy as np
from scipy import sparse

from cr5.models.autoencoder import Autoencoder
from cr5.models.bm25_tables import Bm25Tables
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import DirectedWordTables, WordTables

ODD = [
    "",
    " ",
    "b c",
    "ñandú",
    "東京",
    "δ\n",
    "a\tb",
    "нет",
    '"',
    "\\",
    "'",
    "{}",
    "नमस्ते",
    "\u200b",
]
WORDS = {"en": ODD, "zh-classical": [f"{word}{i}" for i in range(3) for word in ODD]}


def table(language, r=6):
    generator = np.random.default_rng([1, len(language)])
    shape = len(WORDS[language]), r
    return (generator.normal(size=shape) * (generator.random(shape) < 0.4)).astype(np.float32)


def dense(**changes):
    weights = {x: np.random.default_rng(2).random(len(words)) for x, words in WORDS.items()}
    return WordTables(
        **{"words": WORDS, "tables": {x: table(x) for x in WORDS}, "weights": weights, **changes}
    )


def directed():
    tables = {
        x: {y: sparse.csr_matrix(table(x, 4 if y == "en" else 5)) for y in WORDS} for x in WORDS
    }
    return DirectedWordTables(WORDS, tables, dense().weights, term_frequency="log")


def bm25():
    tables = {
        x: {y: sparse.csr_matrix(table(x, len(words))) for y, words in WORDS.items()} for x in WORDS
    }
    lengths = dict.fromkeys(WORDS, 3.5)
    return Bm25Tables(WORDS, tables, dense().weights, lengths=lengths, k1=0.9, b=0.4)


def joined():
    beside = {x: sparse.csr_matrix(table(x, 9)) for x in WORDS}
    weights = {x: np.random.default_rng(5).random(len(words)) for x, words in WORDS.items()}
    return JoinedTables(
        **vars(dense()),
        beside=beside,
        beside_weights=weights,
        beside_term_frequency="sqrt",
        beta=0.25,
    )


def autoencoder():
    generator = np.random.default_rng(6)
    layers = {"2": generator.normal(size=(6, 4)), "3": generator.normal(size=(4, 3))}
    biases = {"2": generator.normal(size=4), "3": generator.normal(size=3)}
    weights = {x: np.arange(len(words)) % 5 > 0 for x, words in WORDS.items()}
    weights = {x: each.astype(float) for x, each in weights.items()}
    tables = {x: table(x) for x in WORDS}
    return Autoencoder(WORDS, tables, weights, generator.normal(size=6), layers, biases)


MODELS = {
    "autoencoder": autoencoder(),
    "dense": dense(),
    "float64": dense(tables={x: table(x).astype(float) / 3 for x in WORDS}),
    "sparse": dense(tables={x: sparse.csr_matrix(table(x)) for x in WORDS}, input_norm="l2"),
    "csc": dense(tables={x: sparse.csc_matrix(table(x)) for x in WORDS}),
    "offsets": dense(
        offsets={x: np.full(6, 1 / 3) for x in WORDS}, norm="l1", measures=("l1", "dot")
    ),
    "directed": directed(),
    "bm25": bm25(),
    "joined": joined(),
}
