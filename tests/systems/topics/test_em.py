"""EM against loops over documents, words and topics; and topics that documents were made of."""

import numpy as np
import pytest
from scipy import optimize, sparse

from cr5.systems.topics.corpus import make_corpus
from cr5.systems.topics.em import Em, Topics

CONVERGED = {"tolerance": 1e-8, "steps": 5000}


def iterate(counts, topics, alpha, beta, pairs=0):
    """One iteration, equations as in the paper; q of coupled documents has exp(-+ eta / n)."""
    theta, phi, tokens = topics.theta.astype(float), topics.phi.astype(float), counts.sum(axis=1)
    new_theta, new_phi = np.full_like(theta, alpha - 1), np.full_like(phi, beta - 1)
    for i, w in zip(*np.nonzero(counts), strict=True):
        q = theta[i] * phi[w]
        if i < 2 * pairs:
            q = q * np.exp((-1) ** (i % 2 + 1) * topics.eta[i // 2] / tokens[i])
        new_theta[i] += counts[i, w] * q / q.sum()
        new_phi[w] += counts[i, w] * q / q.sum()
    return new_theta / new_theta.sum(axis=1, keepdims=True), new_phi / new_phi.sum(axis=0)


def objective(counts, topics, alpha, beta):
    """log p(documents) plus the logarithm of the priors."""
    theta, phi = topics.theta.astype(float), topics.phi.astype(float)
    found = (counts * np.log(theta @ phi.T)).sum()
    return found + (alpha - 1) * np.log(theta).sum() + (beta - 1) * np.log(phi).sum()


def random_topics(corpus, T, dtype=np.float64):
    generator = np.random.default_rng(1)
    n, p = corpus.counts.shape
    theta, phi = generator.dirichlet(np.ones(T), n), generator.dirichlet(np.ones(p), T).T
    eta = np.zeros((corpus.n_pairs, T))
    return Topics(*(np.array(each, dtype, order="C") for each in (theta, phi, eta)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("T", [1, 2, 5, 11])
def test_an_iteration_is_the_one_written_out(corpus_of, dtype, T):
    corpus = corpus_of()
    counts, em = corpus.counts.toarray(), Em(corpus, 1.3, 1.05, dtype=dtype)
    topics = random_topics(corpus, T, dtype)
    accuracy = 500 * float(np.finfo(dtype).eps)
    for _ in range(4):
        theta, phi = iterate(counts, topics, 1.3, 1.05)
        expected = objective(counts, topics, 1.3, 1.05)
        assert em.step(topics)["objective"] == pytest.approx(expected, rel=accuracy)
        np.testing.assert_allclose(topics.theta, theta, rtol=accuracy)
        np.testing.assert_allclose(topics.phi, phi, rtol=accuracy)
    assert topics.theta.dtype == topics.phi.dtype == dtype


def test_a_coupled_iteration_is_the_one_written_out(corpus_of):
    corpus = corpus_of(n_pairs=4)
    em = Em(corpus, sigma=2.0, **CONVERGED, dtype=np.float64)
    before, topics = random_topics(corpus, 3), random_topics(corpus, 3)
    em.step(topics)
    assert np.abs(topics.eta).max() > 0.1
    before.eta = topics.eta
    theta, phi = iterate(corpus.counts.toarray(), before, 1.1, 1.01, 4)
    np.testing.assert_allclose(topics.theta, theta, rtol=1e-10)
    np.testing.assert_allclose(topics.phi, phi, rtol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("pairs", "sigma"), [(0, 1.0), (12, None), (12, 3.0)])
def test_the_objective_rises_in_every_step(corpus_of, dtype, pairs, sigma):
    corpus = corpus_of(n_pairs=pairs, n=30, p=40)
    # what it can resolve
    how = CONVERGED if dtype == np.float64 else {"tolerance": 1e-5, "steps": 500}
    em, topics = Em(corpus, sigma=sigma, **how, dtype=dtype), random_topics(corpus, 4, dtype)
    found = np.array([em.step(topics)["objective"] for _ in range(40)])
    rounding = 1e-6 if dtype == np.float32 else 1e-12
    assert (np.diff(found) > -rounding * abs(found[-1])).all()
    assert found[-1] - found[0] > 0.01 * abs(found[-1])


def test_threads_change_no_byte(corpus_of):
    corpus, found = corpus_of(n_pairs=70, n=300, p=200), []
    for threads in (1, 3):
        em = Em(corpus, sigma=None, threads=threads)
        topics = em.start(7)
        steps = [em.step(topics) for _ in range(3)]
        found.append((steps, *(x.tobytes() for x in (topics.theta, topics.phi, topics.eta))))
    assert found[0] == found[1]


def test_the_start_is_blocks_of_words_by_frequency(corpus_of):
    counts = [[5, 0, 1, 0, 2, 0], [4, 1, 3, 0, 2, 0], [0, 1, 0, 1, 4, 3]]
    # frequencies 9 2 4 1 8 3, so by frequency 0 4 | 2 5 | 1 3
    topics = Em(corpus_of(counts), 1.1, 1.01, dtype=np.float64).start(3)
    theta = np.array([[7.1, 1.1, 0.1], [6.1, 3.1, 1.1], [4.1, 3.1, 2.1]])
    np.testing.assert_allclose(topics.theta, theta / theta.sum(axis=1, keepdims=True))
    phi = np.full((6, 3), 0.01)
    for word, topic, n in ((0, 0, 9), (4, 0, 8), (2, 1, 4), (5, 1, 3), (1, 2, 2), (3, 2, 1)):
        phi[word, topic] += n
    np.testing.assert_allclose(topics.phi, phi / phi.sum(axis=0))


@pytest.mark.parametrize("coupled", [False, True])
def test_what_is_planted_is_found(coupled):
    """Five topics of 40 words in each of two languages; by CPLSA those of a pair are the same."""
    generator = np.random.default_rng(4)
    shares = generator.dirichlet(np.full(5, 0.3), 300)
    topics = [generator.dirichlet(np.full(40, 0.2), 5) for _ in range(2)]
    first, second = (generator.poisson(150 * shares @ each) for each in topics)
    rows, pairs = np.hstack([first, second]), 0
    if coupled:
        beside = np.hstack([first, 0 * second]), np.hstack([0 * first, second])
        rows, pairs = np.stack(beside, axis=1).reshape(600, -1), 300
    em = Em(make_corpus(sparse.csr_matrix(rows), pairs), sigma=None)
    found = em.start(5)
    for _ in range(300):
        em.step(found)
    apart = np.abs(found.phi[:, :, None] - np.hstack(topics).T[:, None, :] / 2).sum(axis=0)
    assert apart[optimize.linear_sum_assignment(apart)].max() < 0.15  # of 2
    if coupled:
        assert np.abs(found.theta[0::2] - found.theta[1::2]).sum(axis=1).max() < 0.02
    theta = found.theta[:: 1 + coupled]
    assert np.abs(np.corrcoef(theta.T, shares.T)[:5, 5:]).max(axis=1).min() > 0.95
