"""Topics that documents were made of are found again, words of both languages in each."""

import numpy as np
import pytest
from scipy import optimize, sparse

from cr5.systems.topics.corpus import make_corpus
from cr5.systems.topics.coupling import CouplingSettings
from cr5.systems.topics.em import Em

T, WORDS, PAIRS = 5, 40, 300


@pytest.fixture(scope="module")
def planted():
    """Counts of each language (pairs x columns of both), topics (columns x T, sum 1), shares."""
    generator = np.random.default_rng(4)
    shares = generator.dirichlet(np.full(T, 0.3), PAIRS)
    topics = [generator.dirichlet(np.full(WORDS, 0.2), T) for _ in range(2)]
    counts = [generator.poisson(150 * shares @ each) for each in topics]
    nothing = np.zeros((PAIRS, WORDS))
    beside = np.hstack([counts[0], nothing]), np.hstack([nothing, counts[1]])
    return beside, np.hstack(topics).T / 2, shares


def distances(found, topics):
    """The l1 distance of each topic from the one found for it, at most 2."""
    apart = np.abs(found[:, :, None] - topics[:, None, :]).sum(axis=0)
    return apart[optimize.linear_sum_assignment(apart)]


def test_by_jplsa(planted):
    (first, second), expected, _ = planted
    em = Em(make_corpus(sparse.csr_matrix(first + second), 0))
    topics = em.start(T)
    assert distances(topics.phi, expected).max() > 0.5
    for _ in range(300):
        em.step(topics)
    assert distances(topics.phi, expected).max() < 0.15


def test_by_cplsa(planted):
    """Each document has shares of its own, and those of a pair are the same."""
    beside, expected, shares = planted
    rows = np.stack(beside, axis=1).reshape(2 * PAIRS, -1)
    em = Em(make_corpus(sparse.csr_matrix(rows), PAIRS), settings=CouplingSettings(None))
    topics = em.start(T)
    for _ in range(300):
        em.step(topics)
    assert distances(topics.phi, expected).max() < 0.15
    first, second = topics.theta[0::2], topics.theta[1::2]
    assert np.abs(first - second).sum(axis=1).max() < 0.02
    assert np.abs(np.corrcoef(first.T, shares.T)[:T, T:]).max(axis=1).min() > 0.95
