"""Small models whose rows are worked out from the drawn numbers, by the formula, without cr5."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from class_examples import MODELS
from scipy import sparse

from cr5.models.word_tables import WordTables

WORDS = {
    "da": ["æble", "ø", "å", "hus", "the", "blå", "and", "ko", "hund", "by"],
    "el": ["σπίτι", "μπλε", "οδός", "γάτα", "the", "σκύλος", "πόλη"],
    "en": ["the", "house", "é", "cat", "dog", "town", "blue", "rare", "word"],
}
ABOUT = {
    "system": "cr5",
    "setting": "joint",
    "repetition": "1",
    "corpus": {"name": "small", "source": "wikipedia"},
    "languages": list(WORDS),
    "options": {"rank": 5},
    "seed": 3,
    "origin": {"seed": 3, "configuration": "abc", "corpus": "def", "code": ["0.1.0"]},
}


def drawn(language, offsets=False):
    """Vectors and weights of a language, such that decimal digits of few do not do."""
    generator = np.random.default_rng([7, *language.encode()])
    n = len(WORDS[language])
    table = (generator.standard_normal((n, 5)) * 10.0 ** generator.integers(-2, 1, (n, 1))).astype(
        np.float32
    )
    weights = generator.random(n) * 5
    weights[1] = 0
    return table, weights, generator.standard_normal(5)


def model_of(**settings):
    tables, weights, offsets = ({x: drawn(x)[i] for x in WORDS} for i in range(3))
    if settings.pop("offset", False):
        settings["offsets"] = offsets
    return WordTables(WORDS, tables, weights, **settings)


@pytest.fixture
def model():
    return model_of()


@pytest.fixture
def with_offsets():
    return model_of(offset=True, term_frequency="log", input_norm="l2")


@pytest.fixture
def joined():
    return MODELS["joined"]


@pytest.fixture
def directed():
    return MODELS["directed"]


def counts_of(language, n=40, seed=5):
    generator = np.random.default_rng([seed, *language.encode()])
    counts = generator.poisson(3, (n, len(WORDS[language])))
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


def orders(rows, candidates):
    return np.argsort(-(rows @ candidates.T), axis=1, kind="stable")


def check_ranks(found, **how):
    """A model that was read ranks all documents as the formula does."""
    for query, target in (("da", "en"), ("en", "el")):
        rows = {x: found.embed(counts_of(x), x) for x in (query, target)}
        hand = {x: by_hand(x, counts_of(x), **how) for x in (query, target)}
        for x in rows:
            np.testing.assert_allclose(rows[x], hand[x], atol=1e-6)
        np.testing.assert_array_equal(
            orders(rows[query], rows[target]), orders(hand[query], hand[target])
        )


def check_same_fields(found, expected):
    """Number by number."""
    assert json.dumps({x: list(w) for x, w in found.words.items()}) == json.dumps(expected.words)
    for x in expected.words:
        np.testing.assert_array_equal(found.tables[x], expected.tables[x])
        np.testing.assert_array_equal(found.weights[x], expected.weights[x])


def contents(path):
    """Every file below a folder, or a file, with its bytes."""
    files = sorted(x for x in path.rglob("*") if x.is_file()) if path.is_dir() else [path]
    return {str(x.relative_to(path)): x.read_bytes() for x in files}


@pytest.fixture
def small():
    """What tests of formats share."""
    return SimpleNamespace(
        about=ABOUT,
        words=WORDS,
        model_of=model_of,
        counts=counts_of,
        drawn=drawn,
        by_hand=by_hand,
        check_ranks=check_ranks,
        check_same_fields=check_same_fields,
        contents=contents,
    )
