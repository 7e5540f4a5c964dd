import numpy as np
import pytest
from scipy import sparse

from cr5.systems.topics.corpus import make_corpus


def made_up_counts(n=12, p=17):
    """Documents of 3 to 9 words, so that blocks of four words have every remainder."""
    generator = np.random.default_rng(0)
    counts = np.zeros((n, p))
    for i in range(n):
        columns = generator.choice(p, 3 + i % 7, replace=False)
        counts[i, columns] = generator.integers(1, 6, len(columns))
    counts[0, counts.sum(axis=0) == 0] = 1  # every column has a word
    return counts


@pytest.fixture
def corpus_of():
    """Make a corpus of dense counts, or of made-up ones."""

    def make(counts=None, n_pairs=0, **shape):
        counts = made_up_counts(**shape) if counts is None else np.asarray(counts, float)
        return make_corpus(sparse.csr_matrix(counts), n_pairs)

    return make
