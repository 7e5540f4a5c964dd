"""Bags of two languages, what is drawn of them, and the training set they make."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.counts.bags import Bags
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.splits.settings import training

WORDS = [f"w{i}" for i in range(12)]


@pytest.fixture(scope="session")
def prepared():
    """Bags, draw and training documents of da and en: 200 documents of 12 words each."""
    generator = np.random.default_rng(0)
    bags = {}
    for language in ("en", "da"):
        counts = sparse.csr_matrix(generator.poisson(0.5, (200, 12)).astype(np.int32))
        words = pd.DataFrame({"word": WORDS, "collection_frequency": range(12, 0, -1)})
        concepts = generator.permutation([f"c{i:03}" for i in range(200)])
        bags[language] = Bags(counts, words, pd.DataFrame({"concept": concepts, "n_unique": 9}))
    sizes = Sizes(test=10, validation=10, candidates=30)
    drawn = draw({x: each.documents for x, each in bags.items()}, [("da", "en")], sizes, 0)
    documents = {x: pd.Index(each.documents["concept"]) for x, each in bags.items()}
    return bags, drawn, training(documents, drawn, sizes, [("da", "en")])


@pytest.fixture
def make_training_set(training_of):
    """A training set of da and en, of one empty document; twelve words each."""
    return partial(training_of, dict.fromkeys(("da", "en"), WORDS), validate=pytest.fail)
