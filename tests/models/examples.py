"""A small model of each of our classes.

The rows of plain ones are worked out from the drawn numbers, by the formula, without cr5.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.contracts.vocabulary import Fallbacks
from cr5.models.autoencoder import Autoencoder
from cr5.models.word_tables import Bm25Tables, JoinedTables, WordTables

WORDS = {
    "da": ["æble", "ø", "å", "hus", "the", "blå", "and", "ko", "hund", "by"],
    "el": ["σπίτι", "μπλε", "οδός", "γάτα", "the", "σκύλος", "πόλη"],
    "en": ["the", "house", "é", "cat", "dog", "town", "blue", "rare", "word"],
}
HARD_TO_STORE = ["", " ", "b c", "東京", "δ\n", "a\tb", '"', "\\", "नमस्ते", "\u200b"]
ABOUT = {
    "system": "cr5",
    "setting": "joint",
    "repetition": "1",
    "corpus": {"name": "small", "source": "wikipedia"},
    "languages": list(WORDS),
    "options": {"rank": 5},
    "seed": 3,
}


@dataclass(frozen=True)
class Drawn:
    """Numbers of a language, such that few decimal digits do not do."""

    table: np.ndarray
    weights: np.ndarray
    offset: np.ndarray


def drawn(language):
    """Draw the numbers of a language, the same each time."""
    generator = np.random.default_rng([7, *language.encode()])
    n_words = len(WORDS[language])
    scale = 10.0 ** generator.integers(-2, 1, (n_words, 1))
    table = (generator.standard_normal((n_words, 5)) * scale).astype(np.float32)
    weights = generator.random(n_words) * 5
    weights[1] = 0
    return Drawn(table, weights, generator.standard_normal(5))


TABLES = {language: drawn(language).table for language in WORDS}
WEIGHTS = {language: drawn(language).weights for language in WORDS}
OFFSETS = {language: drawn(language).offset for language in WORDS}


def plain(**changes):
    """Return word tables, with other values of some fields."""
    return WordTables(**{"words": WORDS, "tables": TABLES, "weights": WEIGHTS, **changes})


def sparse_table(language, width):
    """Return a sparse table, words x width."""
    generator = np.random.default_rng([1, *language.encode()])
    shape = (len(WORDS[language]), width)
    return sparse.random_array(shape, density=0.4, rng=generator, dtype=np.float32, format="csr")


def sparse_tables(width):
    """Return a sparse table of each language."""
    return {language: sparse_table(language, width) for language in WORDS}


def tables_towards(language):
    """Return tables of a language towards the words of each language."""
    return {target: sparse_table(language, len(WORDS[target])) for target in WORDS}


def joined():
    """Return tables with sparse ones beside them."""
    return JoinedTables(
        **vars(plain()),
        beside=sparse_tables(9),
        beside_weights=WEIGHTS,
        beside_term_frequency="sqrt",
        beta=0.25,
    )


def autoencoder():
    """Return an encoder of three layers, of the words with a weight above 1."""
    generator = np.random.default_rng(6)
    layers = {"2": generator.normal(size=(5, 4)), "3": generator.normal(size=(4, 3))}
    biases = {"2": generator.normal(size=4), "3": generator.normal(size=3)}
    has_word = {language: (weights > 1).astype(float) for language, weights in WEIGHTS.items()}
    return Autoencoder(WORDS, TABLES, has_word, generator.normal(size=5), layers, biases)


def counts_of(language, n_documents=40, seed=5):
    """Draw counts of documents that all differ in a word with a weight."""
    generator = np.random.default_rng([seed, *language.encode()])
    counts = generator.poisson(3, (n_documents, len(WORDS[language])))
    counts[:, 0] += 1
    counts[:, 1] = 0  # a word of weight zero: texts that differ in it alone would be equally near
    assert len(np.unique(counts, axis=0)) == n_documents
    return sparse.csr_matrix(counts.astype(np.int32))


def by_hand(language, counts):
    """Compute rows of documents by the formula, from the numbers that were drawn."""
    numbers = drawn(language)
    rows = (counts.toarray() * numbers.weights) @ numbers.table.astype(float)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


FEWER_WORDS = {**WORDS, "da": WORDS["da"][:6]}
FALLBACKS = {"da": Fallbacks(words=["and", "ko"], beginnings=["hund", "byer"])}
IN_FLOAT64 = {language: table.astype(float) / 3 for language, table in TABLES.items()}
BY_COLUMN = {language: table.tocsc() for language, table in sparse_tables(6).items()}
TOWARDS = {language: tables_towards(language) for language in WORDS}
LENGTHS = dict.fromkeys(WORDS, 3.5)
MODELS = {
    "plain": plain(),
    "settings": plain(offsets=OFFSETS, term_frequency="log", input_norm="l2"),
    "autoencoder": autoencoder(),
    "fallbacks": plain(words=FEWER_WORDS, fallbacks=FALLBACKS),
    "odd": plain(words={**WORDS, "da": HARD_TO_STORE}),
    "float64": plain(tables=IN_FLOAT64),
    "sparse": plain(tables=sparse_tables(6), input_norm="l2"),
    "csc": plain(tables=BY_COLUMN),
    "offsets": plain(offsets=OFFSETS, norm="l1", measures=("l1", "dot")),
    "directed": plain(tables=TOWARDS, term_frequency="log"),
    "bm25": Bm25Tables(WORDS, TOWARDS, WEIGHTS, lengths=LENGTHS, k1=0.9, b=0.4),
    "joined": joined(),
}
