"""Bags of three made-up languages, and a model that needs no fit."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.counts.bags import Bags
from cr5.models.word_tables import WordTables
from cr5.splits.draw import draw
from cr5.splits.options import Sizes

LANGUAGES = ("da", "en", "vi")
WORDS = {x: [f"{x}{i}" for i in range(30)] for x in LANGUAGES}
N = 400


@pytest.fixture(scope="session")
def bags():
    """A concept has the same bag in each language, but for a little noise."""
    generator = np.random.default_rng(0)
    shared = generator.poisson(1.0, (N, 30))
    built = {}
    for language in LANGUAGES:
        counts = sparse.csr_matrix(shared + generator.poisson(0.05, shared.shape)).astype(np.int32)
        documents = pd.DataFrame({"concept": [f"c{i:03}" for i in range(N)], "n_unique": 9})
        built[language] = Bags(counts, pd.DataFrame({"word": WORDS[language]}), documents)
    return built


@pytest.fixture(scope="session")
def drawn(bags):
    """40 test queries of each pair."""
    pairs = itertools.combinations(LANGUAGES, 2)
    return draw(
        {x: b.documents for x, b in bags.items()},
        pairs,
        Sizes(test=30, validation=20, candidates=100),
        0,
    )


@pytest.fixture
def model_of_words():
    """Every word is a dimension, the same one in all languages."""
    eye = np.eye(30, dtype=np.float32)
    weights = dict.fromkeys(LANGUAGES, np.ones(30))
    return WordTables(WORDS, dict.fromkeys(LANGUAGES, eye), weights)
