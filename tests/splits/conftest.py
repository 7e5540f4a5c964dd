"""Documents of three made-up languages: each has some of the concepts."""

import itertools

import numpy as np
import pandas as pd
import pytest

from cr5.splits.draw import draw
from cr5.splits.options import Sizes

LANGUAGES = ("da", "en", "vi")


@pytest.fixture(name="pairs")
def pairs_fixture():
    return list(itertools.combinations(LANGUAGES, 2))


@pytest.fixture(name="documents")
def documents_fixture():
    """Make concepts c0000.. that each language has with some probability."""

    def make(n=1000, seed=0):
        generator = np.random.default_rng(seed)
        shares = {"da": 0.6, "en": 0.9, "vi": 0.5}
        return {
            language: pd.DataFrame(
                {
                    "concept": [f"c{i:04}" for i in np.flatnonzero(generator.random(n) < share)],
                    "n_unique": 200,
                }
            )
            for language, share in shares.items()
        }

    return make


@pytest.fixture(name="sizes")
def sizes_fixture():
    def make(**changes):
        return Sizes(**{"test": 20, "validation": 10, "candidates": 100, **changes})

    return make


@pytest.fixture
def source(documents):
    return documents()


@pytest.fixture
def drawn(source, pairs, sizes):
    """What most tests look at."""
    return draw(source, pairs, sizes(), 7)
