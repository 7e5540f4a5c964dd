import numpy as np
import pytest

from cr5.systems.topics.coupling import CouplingSettings
from cr5.systems.topics.em import Em, Topics

CONVERGED = {"tolerance": 1e-8, "steps": 5000}


def random_topics(corpus, T, dtype=np.float64, seed=1):
    generator = np.random.default_rng(seed)
    n, p = corpus.counts.shape
    theta, phi = generator.dirichlet(np.ones(T), n), generator.dirichlet(np.ones(p), T).T
    eta = np.zeros((corpus.n_pairs, T))
    return Topics(*(np.ascontiguousarray(each, dtype) for each in (theta, phi, eta)))


def copied(topics):
    return Topics(topics.theta.copy(), topics.phi.copy(), topics.eta.copy())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("T", [1, 2, 5, 11])
def test_an_iteration_is_the_one_written_out(corpus_of, written_out, dtype, T):
    corpus = corpus_of()
    counts, em = corpus.counts.toarray(), Em(corpus, 1.3, 1.05, dtype=dtype)
    topics = random_topics(corpus, T, dtype)
    theta, phi = topics.theta.astype(float), topics.phi.astype(float)
    accuracy = 500 * float(np.finfo(dtype).eps)
    for _ in range(4):
        step = em.step(topics)
        expected = written_out.objective(counts, theta, phi, 1.3, 1.05)
        assert step.objective == pytest.approx(expected, rel=accuracy)
        theta, phi = written_out.iterate(counts, theta, phi, 1.3, 1.05)
        np.testing.assert_allclose(topics.theta, theta, rtol=accuracy)
        np.testing.assert_allclose(topics.phi, phi, rtol=accuracy)
    assert topics.theta.dtype == topics.phi.dtype == dtype


def test_a_coupled_iteration_is_the_one_written_out(corpus_of, written_out):
    corpus = corpus_of(n_pairs=4)
    em = Em(corpus, settings=CouplingSettings(2.0, **CONVERGED), dtype=np.float64)
    topics = random_topics(corpus, 3)
    theta, phi = topics.theta.copy(), topics.phi.copy()
    em.step(topics)
    assert np.abs(topics.eta).max() > 0.1
    given = corpus.counts.toarray(), theta, phi, 1.1, 1.01, topics.eta, 4
    theta, phi = written_out.iterate(*given)
    np.testing.assert_allclose(topics.theta, theta, rtol=1e-10)
    np.testing.assert_allclose(topics.phi, phi, rtol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("pairs", "settings"),
    [
        (0, CouplingSettings()),
        (12, CouplingSettings(None, **CONVERGED)),
        (12, CouplingSettings(3.0, **CONVERGED)),
    ],
)
def test_the_objective_rises_in_every_step(corpus_of, dtype, pairs, settings):
    corpus = corpus_of(n_pairs=pairs, n=30, p=40)
    if dtype == np.float32:  # what it can resolve
        settings = CouplingSettings(settings.sigma, 1e-5, 500)
    em = Em(corpus, settings=settings, dtype=dtype)
    topics = random_topics(corpus, 4, dtype)
    found = np.array([em.step(topics).objective for _ in range(40)])
    rounding = 1e-6 if dtype == np.float32 else 1e-12
    assert (np.diff(found) > -rounding * abs(found[-1])).all()
    assert found[-1] - found[0] > 0.01 * abs(found[-1])


def test_threads_change_no_byte(corpus_of):
    corpus = corpus_of(n_pairs=70, n=300, p=200)
    found = []
    for threads in (1, 2, 3):
        em = Em(corpus, settings=CouplingSettings(None), threads=threads)
        topics = em.start(7)
        steps = [em.step(topics) for _ in range(3)]
        found.append([topics.theta, topics.phi, topics.eta, *(each.gaps for each in steps)])
        found[-1].append(np.array([each.objective for each in steps]))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            assert one.tobytes() == two.tobytes()


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


def test_documents_that_are_alone_are_coupled_to_none(corpus_of):
    corpus = corpus_of(n_pairs=3)
    topics = random_topics(corpus, 4)
    other = copied(topics)
    Em(corpus, settings=CouplingSettings(None), dtype=np.float64).step(topics)
    Em(corpus_of(), dtype=np.float64).step(other)
    np.testing.assert_allclose(topics.theta[6:], other.theta[6:], rtol=1e-12)
    assert np.abs(topics.theta[:6] - other.theta[:6]).max() > 0.01
