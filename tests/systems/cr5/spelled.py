"""A training set whose words are spelt alike in threes, within and across its two languages."""

import numpy as np
import pytest
from scipy import sparse

AB = ("en", "it")
N_DOCUMENTS, N_WORDS = 30, 40


def spelled_alike(training_of, validate=pytest.fail, **given):
    """Words of two languages begin alike, three at a time, and end otherwise."""
    generator = np.random.default_rng(6)
    X = {x: sparse.random_array((N_DOCUMENTS, N_WORDS), density=0.2, rng=generator) for x in AB}
    X = {x: sparse.csr_matrix(each + sparse.eye_array(*each.shape)) for x, each in X.items()}
    X = {x: sparse.csr_matrix(each.multiply(1 / _norms(each))) for x, each in X.items()}
    words = {x: [f"w{i // 3:03}{'lmn'[i % 3]}{x}" for i in range(N_WORDS)] for x in AB}
    concepts = {x: generator.permutation(N_DOCUMENTS) for x in AB}
    return training_of(
        words,
        features=X,
        concepts=concepts,
        n_concepts=N_DOCUMENTS,
        term_frequency="log",
        validate=validate,
        **given,
    )


def _norms(X):
    return np.sqrt(X.multiply(X).sum(axis=1)).reshape(-1, 1)
