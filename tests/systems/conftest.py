"""What systems are tested with.

Training sets by hand; short texts with planted translations; word spaces that are turned copies.
"""

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import unit_rows
from cr5.contracts.training import Validation
from cr5.systems.maps.spaces import Space


@pytest.fixture(scope="package", autouse=True)
def one_blas_thread():
    """As fits are called (`cr5.fitting.fit`)."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def planted(training_of):
    """Make a training set of short texts of topics, the same word by word in other languages."""

    def make(n=600, n_words=60, seed=0, languages=("en", "es"), **options):
        generator = np.random.default_rng(seed)
        topics = generator.dirichlet([0.1] * n_words, 12)
        shares = generator.dirichlet([0.1] * 12, n)
        counts = generator.poisson(8 * shares @ topics)
        counts = counts[counts.any(axis=1)].astype(np.int32)
        n_concepts = len(counts)
        words = {}
        rows = {}
        concepts = {}
        for language in languages:
            order = generator.permutation(n_words)
            words[language] = [f"{language}{number}" for number in order]
            rows[language] = sparse.csr_matrix(counts[:, order])
            concepts[language] = np.arange(n_concepts)
        defaults = {"counts": rows, "concepts": concepts, "n_concepts": n_concepts}
        return training_of(words, **defaults | options)

    return make


def scored(scores):
    """A validation that gives the scores in turn, whatever the models."""
    in_turn = iter(scores)
    return lambda model: Validation(float(next(in_turn)))


def drawn_rows(rng, n, d):
    """Unit rows that are drawn around a mean other than zero."""
    return unit_rows(rng.normal(0.3, 1, (n, d)).astype(np.float32))


def clustered_space(rng, n, d, clusters):
    """Words in clusters of unequal size, dimensions of unequal variance: without symmetry."""
    spread = np.linspace(2.0, 0.5, d)
    centres = rng.normal(size=(clusters, d)) * spread
    shares = rng.dirichlet(np.full(clusters, 0.8))
    cluster_of_word = rng.choice(clusters, n, p=shares)
    noise = 0.5 * spread * rng.normal(size=(n, d))
    mean = 0.5 * spread
    vectors = centres[cluster_of_word] + noise + mean
    return unit_rows(vectors.astype(np.float32))


def rotation(rng, d):
    Q, R = np.linalg.qr(rng.normal(size=(d, d)))
    signs = np.sign(np.diag(R))
    return (Q * signs).astype(np.float32)


def rotated_copy(n=1000, d=20, noise=0.02, clusters=25, seed=0):
    """Make a space, the same space turned and blurred, and the rotation between them."""
    rng = np.random.default_rng(seed)
    X = clustered_space(rng, n, d, clusters)
    Q = rotation(rng, d)
    blurred = X @ Q + noise * rng.normal(size=(n, d))
    return X, unit_rows(blurred.astype(np.float32)), Q


def dense_csls(X, Y, k):
    """The definition, with both hubness terms, on the full matrix."""
    S = X.astype(float) @ Y.astype(float).T
    r_T = largest_of_rows(S, k).mean(axis=1)
    r_S = largest_of_rows(S.T, k).mean(axis=1)
    return 2 * S - r_T[:, None] - r_S[None, :]


def largest_of_rows(S, k):
    falling = np.sort(S, axis=1)[:, ::-1]
    return falling[:, :k]


def space(language, vectors):
    """Words of a language that all have a vector, n x d."""
    rows = np.arange(len(vectors))
    return Space(language, [f"w{row}" for row in rows], rows, vectors)


def first_pairs(n):
    """Pair the first words of two languages, each with the one of its number."""
    numbers = np.arange(n)
    return np.column_stack([numbers, numbers])


def differences(loss, parameter, step=1e-6):
    """Slopes of a loss by each entry of an array, which it reads, by central differences."""
    slopes = np.zeros_like(parameter)
    for place in np.ndindex(parameter.shape):
        value = parameter[place]
        parameter[place] = value + step
        above = loss()
        parameter[place] = value - step
        slopes[place] = (above - loss()) / (2 * step)
        parameter[place] = value
    return slopes
