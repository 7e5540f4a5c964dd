"""A small model of each of our classes.

The rows of plain ones are worked out from the drawn numbers, by the formula, without cr5.
"""

import numpy as np
from scipy import sparse

from cr5.counts.vocabulary import Fallbacks
from cr5.models.autoencoder import Autoencoder
from cr5.models.word_tables import Bm25Tables, JoinedTables, WordTables

WORDS = {
    "da": ["æble", "ø", "å", "hus", "the", "blå", "and", "ko", "hund", "by"],
    "el": ["σπίτι", "μπλε", "οδός", "γάτα", "the", "σκύλος", "πόλη"],
    "en": ["the", "house", "é", "cat", "dog", "town", "blue", "rare", "word"],
}
ODD = ["", " ", "b c", "東京", "δ\n", "a\tb", '"', "\\", "नमस्ते", "\u200b"]  # hard to store
ABOUT = {
    "system": "cr5",
    "setting": "joint",
    "repetition": "1",
    "corpus": {"name": "small", "source": "wikipedia"},
    "languages": list(WORDS),
    "options": {"rank": 5},
    "seed": 3,
}


def drawn(language):
    """Vectors, weights, offset of a language, such that decimal digits of few do not do."""
    generator = np.random.default_rng([7, *language.encode()])
    n = len(WORDS[language])
    scale = 10.0 ** generator.integers(-2, 1, (n, 1))
    table = (generator.standard_normal((n, 5)) * scale).astype(np.float32)
    weights = generator.random(n) * 5
    weights[1] = 0
    return table, weights, generator.standard_normal(5)


TABLES, WEIGHTS, OFFSETS = ({x: drawn(x)[i] for x in WORDS} for i in range(3))


def plain(**changes):
    return WordTables(**{"words": WORDS, "tables": TABLES, "weights": WEIGHTS, **changes})


def thin(language, width):
    """A sparse table."""
    generator = np.random.default_rng([1, *language.encode()])
    return sparse.random_array(
        (len(WORDS[language]), width), density=0.4, rng=generator, dtype=np.float32, format="csr"
    )


def every(made):
    return {x: made(x) for x in WORDS}


def joined():
    beside = {"beside": every(lambda x: thin(x, 9)), "beside_weights": WEIGHTS}
    return JoinedTables(**vars(plain()), **beside, beside_term_frequency="sqrt", beta=0.25)


def autoencoder():
    generator = np.random.default_rng(6)
    layers = {"2": generator.normal(size=(5, 4)), "3": generator.normal(size=(4, 3))}
    biases = {"2": generator.normal(size=4), "3": generator.normal(size=3)}
    weights = every(lambda x: (WEIGHTS[x] > 1).astype(float))
    return Autoencoder(WORDS, TABLES, weights, generator.normal(size=5), layers, biases)


def counts_of(language, n=40, seed=5):
    generator = np.random.default_rng([seed, *language.encode()])
    counts = generator.poisson(3, (n, len(WORDS[language])))
    counts[:, 0] += 1
    counts[:, 1] = 0  # a word of weight zero: texts that differ in it alone would be equally near
    assert len(np.unique(counts, axis=0)) == n
    return sparse.csr_matrix(counts.astype(np.int32))


def by_hand(language, counts):
    """Rows of documents by the formula, from the numbers that were drawn."""
    table, weights, _ = drawn(language)
    rows = (counts.toarray() * weights) @ table.astype(float)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


FEWER_WORDS = {**WORDS, "da": WORDS["da"][:6]}
FALLBACKS = {"da": Fallbacks(words=["and", "ko"], beginnings=["hund", "byer"])}
TOWARDS = every(lambda x: every(lambda y: thin(x, len(WORDS[y]))))
MODELS = {
    "plain": plain(),
    "settings": plain(offsets=OFFSETS, term_frequency="log", input_norm="l2"),
    "autoencoder": autoencoder(),
    "fallbacks": plain(words=FEWER_WORDS, fallbacks=FALLBACKS),
    "odd": plain(words={**WORDS, "da": ODD}),
    "float64": plain(tables=every(lambda x: TABLES[x].astype(float) / 3)),
    "sparse": plain(tables=every(lambda x: thin(x, 6)), input_norm="l2"),
    "csc": plain(tables=every(lambda x: thin(x, 6).tocsc())),
    "offsets": plain(offsets=OFFSETS, norm="l1", measures=("l1", "dot")),
    "directed": plain(tables=TOWARDS, term_frequency="log"),
    "bm25": Bm25Tables(WORDS, TOWARDS, WEIGHTS, lengths=dict.fromkeys(WORDS, 3.5), k1=0.9, b=0.4),
    "joined": joined(),
}
