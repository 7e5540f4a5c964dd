"""A small model of each of our classes, with words that are hard to store; and plain ones.

The rows of the plain ones are worked out from the drawn numbers, by the formula, without cr5.
"""

import numpy as np
from scipy import sparse

from cr5.models.autoencoder import Autoencoder
from cr5.models.word_tables import Bm25Tables, JoinedTables, WordTables

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
    return WordTables(WORDS, tables, dense().weights, term_frequency="log")


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


PLAIN_WORDS = {
    "da": ["æble", "ø", "å", "hus", "the", "blå", "and", "ko", "hund", "by"],
    "el": ["σπίτι", "μπλε", "οδός", "γάτα", "the", "σκύλος", "πόλη"],
    "en": ["the", "house", "é", "cat", "dog", "town", "blue", "rare", "word"],
}
ABOUT = {
    "system": "cr5",
    "setting": "joint",
    "repetition": "1",
    "corpus": {"name": "small", "source": "wikipedia"},
    "languages": list(PLAIN_WORDS),
    "options": {"rank": 5},
    "seed": 3,
}


def drawn(language):
    """Vectors, weights, offset of a language, such that decimal digits of few do not do."""
    generator = np.random.default_rng([7, *language.encode()])
    n = len(PLAIN_WORDS[language])
    scale = 10.0 ** generator.integers(-2, 1, (n, 1))
    table = (generator.standard_normal((n, 5)) * scale).astype(np.float32)
    weights = generator.random(n) * 5
    weights[1] = 0
    return table, weights, generator.standard_normal(5)


def plain(offset=False, **settings):
    tables, weights, offsets = ({x: drawn(x)[i] for x in PLAIN_WORDS} for i in range(3))
    if offset:
        settings["offsets"] = offsets
    return WordTables(PLAIN_WORDS, tables, weights, **settings)


def counts_of(language, n=40, seed=5):
    generator = np.random.default_rng([seed, *language.encode()])
    counts = generator.poisson(3, (n, len(PLAIN_WORDS[language])))
    counts[:, 0] += 1
    counts[:, 1] = 0  # a word of weight zero: texts that differ in it alone would be equally near
    assert len(np.unique(counts, axis=0)) == n
    return sparse.csr_matrix(counts.astype(np.int32))


def by_hand(language, counts, frequency=lambda c: c, inner=False, offset=False):
    """Rows of documents by the formula, from the numbers that were drawn."""
    table, weights, b = drawn(language)
    weighted = frequency(counts.toarray().astype(float)) * weights
    if inner:
        weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
    rows = weighted @ table.astype(float) + (b if offset else 0)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


MODELS = {
    "plain": plain(),
    "settings": plain(offset=True, term_frequency="log", input_norm="l2"),
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
