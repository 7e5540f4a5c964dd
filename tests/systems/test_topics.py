"""Topics: EM and coupling against loops and SciPy, Gibbs against enumeration, and the choice."""

from itertools import count, product

import numpy as np
import pytest
from scipy import sparse, special

from cr5.base.errors import LeftOutError, UserError
from cr5.contracts.training import Validation
from cr5.systems.algebra.columns import columns_of
from cr5.systems.topics import selection
from cr5.systems.topics.cplsa import Cplsa
from cr5.systems.topics.documents import coupled, joined, with_words
from cr5.systems.topics.em import Em
from cr5.systems.topics.gibbs import Gibbs
from cr5.systems.topics.jplsa import Jplsa
from cr5.systems.topics.pltm import Pltm


def documents(counts=None, n=12, p=17):
    """Counts of 3 to 9 words each, so that blocks of four words have every remainder."""
    if counts is None:
        generator, counts = np.random.default_rng(0), np.zeros((n, p))
        for i in range(n):
            chosen = generator.choice(p, 3 + i % 7, replace=False)
            counts[i, chosen] = generator.integers(1, 6, len(chosen))
        counts[0, counts.sum(axis=0) == 0] = 1  # every column has a word
    return with_words(sparse.csr_matrix(np.asarray(counts, float)))


ACCURACY = 500 * float(np.finfo(np.float32).eps)


def em_of(counts, T, n_pairs=0, sigma=1.0, **constants):
    """EM on counts from random topics."""
    em = type("Em", (Em,), constants)(counts, n_pairs, sigma)
    generator = np.random.default_rng(1)
    n, p = counts.shape
    theta, phi = generator.dirichlet(np.ones(T), n), generator.dirichlet(np.ones(p), T).T
    em.theta, em.phi = (np.array(each, np.float32, order="C") for each in (theta, phi))
    em.eta = np.zeros((n_pairs, T), np.float32)
    return em


def iterate(em, theta, phi):
    """One iteration, equations as in the paper; q of coupled documents has exp(-+ eta / n)."""
    counts = em.counts.toarray()
    theta, phi, tokens = theta.astype(float), phi.astype(float), counts.sum(axis=1)
    new_theta, new_phi = np.full_like(theta, em.alpha - 1), np.full_like(phi, em.beta - 1)
    for i, w in zip(*np.nonzero(counts), strict=True):
        q = theta[i] * phi[w]
        if i < 2 * em.n_pairs:
            q = q * np.exp((-1) ** (i % 2 + 1) * em.eta[i // 2] / tokens[i])
        new_theta[i] += counts[i, w] * q / q.sum()
        new_phi[w] += counts[i, w] * q / q.sum()
    return new_theta / new_theta.sum(axis=1, keepdims=True), new_phi / new_phi.sum(axis=0)


def test_topics_start_from_blocks_of_like_frequency_or_at_random():
    """Each topic has as many words either way: phi of the start is above the prior for its own."""
    counts = documents()
    order = np.argsort(-np.asarray(counts.sum(axis=0)).ravel(), kind="stable")
    found = []
    for seed in (None, 1, 1, 2):
        em = Em(counts)
        em.seed = seed
        em.start(4)
        topic = em.phi.argmax(axis=1)
        assert sorted(np.bincount(topic)) == [4, 4, 4, 5]
        found.append(topic)
    assert (np.diff(found[0][order]) >= 0).all()
    assert (found[1] == found[2]).all()
    assert not (found[1] == found[3]).all() and not (found[0] == found[1]).all()


@pytest.mark.parametrize("system", [Jplsa, Cplsa])
def test_the_priors_and_the_start_are_the_system_s(planted, system):
    asked = system(skip_words=0, start="random", alpha=1.5, beta=1.001)
    made = planted()
    em = asked.estimator(made, columns_of(made, asked))
    assert (em.alpha, em.beta, em.seed) == (1.5, 1.001, made.seed)
    em = system(skip_words=0).estimator(made, columns_of(made, asked))
    assert (em.alpha, em.beta, em.seed) == (1.1, 1.01, None)


@pytest.mark.parametrize("T", [1, 2, 5, 11])
def test_an_iteration_is_the_one_written_out(T):
    em = em_of(documents(), T, alpha=1.3, beta=1.05)
    for _ in range(4):
        before = em.theta, em.phi
        em.step()
        theta, phi = iterate(em, *before)
        np.testing.assert_allclose(em.theta, theta, rtol=ACCURACY)
        np.testing.assert_allclose(em.phi, phi, rtol=ACCURACY)


def test_a_coupled_iteration_is_the_one_written_out():
    em = em_of(documents(), 3, 4, 2.0, tolerance=1e-6, steps=5000)
    before = em.theta, em.phi
    em.step()
    assert np.abs(em.eta).max() > 0.1
    theta, phi = iterate(em, *before)
    np.testing.assert_allclose(em.theta, theta, rtol=ACCURACY)
    np.testing.assert_allclose(em.phi, phi, rtol=ACCURACY)


def test_the_start_is_blocks_of_words_by_frequency():
    # frequencies 9 2 4 1 8 3, so by frequency 0 4 | 2 5 | 1 3
    em = Em(documents([[5, 0, 1, 0, 2, 0], [4, 1, 3, 0, 2, 0], [0, 1, 0, 1, 4, 3]]))
    em.start(3)
    theta = np.array([[7.1, 1.1, 0.1], [6.1, 3.1, 1.1], [4.1, 3.1, 2.1]])
    np.testing.assert_allclose(em.theta, theta / theta.sum(axis=1, keepdims=True), rtol=1e-5)
    phi = np.full((6, 3), 0.01)
    for word, topic, n in ((0, 0, 9), (4, 0, 8), (2, 1, 4), (5, 1, 3), (1, 2, 2), (3, 2, 1)):
        phi[word, topic] += n
    np.testing.assert_allclose(em.phi, phi / phi.sum(axis=0), rtol=1e-5)


@pytest.mark.parametrize(("sigma", "at_edge"), [(0.05, 3), (0.7, 2), (2.0, 0), (np.inf, 0)])
def test_coupling_solves_the_problem(sigma, at_edge):
    """The dual g is concave: where its slope is zero, or leads out of the box, is its maximum."""
    counts, T = np.array([[3.0, 1, 2, 0, 0], [0, 2, 0, 4, 1]]), 3
    em = em_of(documents(counts), T, 1, sigma, tolerance=1e-6, steps=20_000)
    theta, phi, n = em.theta.astype(float), em.phi.astype(float), counts.sum(axis=1)
    _, shares = em.first_pass()
    eta, gap = em.eta[0].astype(float), 0.0
    for i, sign in enumerate((-1, 1)):
        q = theta[i] * phi * np.exp(sign * eta / n[i])  # words x topics
        own = counts[i] @ (q / q.sum(axis=1, keepdims=True)) / n[i]
        np.testing.assert_allclose(shares[i] / n[i], own, rtol=ACCURACY)
        gap = gap - sign * own
    edge = np.abs(eta) >= sigma - 1e-6
    np.testing.assert_allclose(gap[~edge], 0, atol=1e-5)
    assert (gap[edge] * eta[edge] > 0).all()
    assert edge.sum() == at_edge


@pytest.mark.parametrize("sigma", [np.inf, 1e9])
def test_documents_that_cannot_be_brought_together_stay_numbers(sigma):
    """A word each, of one topic each: for equal shares eta has no end."""
    almost_flat = {"alpha": 1.0001, "beta": 1.0001}
    em = type("Em", (Em,), almost_flat)(documents([[1, 0], [0, 1000]]), 1, sigma)
    em.start(2)
    em.phi[:] = np.array([[1, 1e-30], [1e-30, 1]], np.float32)
    em.step()
    assert np.isfinite([em.theta, em.phi]).all()


ALPHA, BETA = 0.4, 0.3
SMALL = [[1, 1, 1, 0], [0, 1, 0, 1]]  # columns 0 and 1 are of the first language


def log_evidence(counts, prior):
    """log p(draws) of one multinomial whose prior is Dirichlet."""
    n, total = len(counts), np.sum(counts)
    found = special.gammaln(n * prior) - special.gammaln(total + n * prior)
    return found + (special.gammaln(counts + prior) - special.gammaln(prior)).sum()


def joint(z):
    """log p(words, topics) of SMALL."""
    theta, phi = np.zeros((2, 2)), np.zeros((4, 2))
    for (d, w), t in zip([(0, 0), (0, 1), (0, 2), (1, 1), (1, 3)], z, strict=True):
        theta[d, t] += 1
        phi[w, t] += 1
    found = sum(log_evidence(row, ALPHA) for row in theta)
    return found + sum(log_evidence(phi[x, t], BETA) for x in ([0, 1], [2, 3]) for t in range(2))


def gibbs_of(counts, starts, T, burn_in=0, seed=0):
    gibbs = Gibbs(documents(counts), starts, Pltm(alpha=ALPHA, beta=BETA, burn_in=burn_in), seed)
    gibbs.start(T)
    return gibbs


def test_samples_have_the_posterior_that_enumeration_gives():
    every = list(product(range(2), repeat=5))
    expected = special.softmax([joint(z) for z in every])
    gibbs, seen, n = gibbs_of(SMALL, (0, 2), 2), dict.fromkeys(every, 0), 40_000
    for _ in range(n):
        gibbs.step()
        seen[tuple(gibbs.z.tolist())] += 1
    found = np.array([seen[z] for z in every]) / n
    # n sweeps are worth at least a fifth of as many independent draws here
    error = np.sqrt(expected * (1 - expected) / (n / 5))
    assert (np.abs(found - expected) < 4.5 * error).all()
    assert np.abs(expected - 1 / 32).max() > 0.01  # which other draws would not have


def test_means_are_over_the_sweeps_after_burn_in():
    gibbs, seen = gibbs_of(SMALL, (0, 2), 2, burn_in=2), []
    for _ in range(5):
        gibbs.step()
        seen.append(gibbs.phi.astype(float))
        used = np.mean(seen[2:], axis=0) if len(seen) > 2 else seen[-1]
        phi, theta0 = gibbs.means()
        for rows in ([0, 1], [2, 3]):
            expected = (used[rows] + BETA) / (used[rows].sum(axis=0) + 2 * BETA)
            np.testing.assert_allclose(phi[rows], expected)
        lengths = np.array([[3], [2]]) + 2 * ALPHA
        np.testing.assert_allclose(theta0, ((gibbs.theta + ALPHA) / lengths).mean(axis=0))


OPTIONS = {"skip_words": 0, "dimensions": [3], "max_iterations": 12}
PLTM = Pltm(dimensions=[12], skip_words=0, max_iterations=60, alpha=0.2, beta=0.05, burn_in=40)


def test_a_concept_has_one_document_or_a_pair_of_them(training_of):
    """Of four concepts two are in both languages; `og`, the most frequent word, is dropped."""
    counts = {"da": [[4, 1, 0], [3, 0, 2], [2, 0, 0]], "en": [[1, 2], [5, 0], [0, 1]]}
    training = training_of(
        {"da": ["og", "taxi", "kat"], "en": ["cat", "taxi"]},
        counts={x: sparse.csr_matrix(np.array(rows, np.int32)) for x, rows in counts.items()},
        concepts={"da": np.array([2, 0, 3]), "en": np.array([0, 1, 2])},
        n_concepts=4,
    )
    chosen = columns_of(training, Jplsa(skip_words=1))
    # columns by frequency: cat 6, taxi 4, kat 2; concept 3 has only a dropped word
    one = joined(training, chosen)
    np.testing.assert_array_equal(one.toarray(), [[1, 2, 2], [5, 0, 0], [0, 2, 0]])
    # concepts 0 and 2, Danish before English; then concept 1 in English alone
    pairs, n_pairs = coupled(training, chosen)
    expected = [[0, 0, 2], [1, 2, 0], [0, 1, 0], [0, 1, 0], [5, 0, 0]]
    np.testing.assert_array_equal(pairs.toarray(), expected)
    assert n_pairs == 2
    with pytest.raises(LeftOutError, match="no training document has a word"):
        documents(np.zeros((3, 2)))


@pytest.fixture
def tried(planted, monkeypatch):
    """Fit with scores by script: what was tried, and the fit."""
    monkeypatch.setattr(selection, "CHECK_EVERY", 2)

    def make(system, scores, patience=10):
        monkeypatch.setattr(selection, "PATIENCE", patience)
        scores = iter(scores)
        found = system.fit(planted(n=50, validate=lambda model: Validation(next(scores))))
        return [(x["dimension"], x["iterations"]) for x in found.report["validation"]], found

    return make


def test_each_number_of_topics_has_its_own_patience(tried):
    scores = [0.5, 0.4, *[0.1, 0.2, 0.3, 0.9, 0.8]]
    seen, found = tried(Jplsa(**OPTIONS | {"dimensions": [4, 2]}), scores, patience=1)
    assert seen == [(2, 2), (2, 4), (4, 2), (4, 4), (4, 6), (4, 8), (4, 10)]
    assert found.chosen == {"dimension": 4, "iterations": 8}
    assert tried(Jplsa(**OPTIONS | {"max_iterations": 5}), count())[0] == [(3, 2), (3, 4), (3, 5)]
    # a sample of the first sweeps says nothing yet, so patience must not end the run on it
    assert tried(PLTM, count(0, -1), patience=1)[0] == [(12, 42), (12, 44)]


def test_no_more_topics_than_words(tried):
    few = Jplsa(**OPTIONS | {"dimensions": [3, 12, 40], "max_words": 11})
    seen, found = tried(few, [0.5] * 6)
    assert {n for n, _ in seen} == {3}
    assert len(found.report["warnings"]) == 3  # and that validation tells nothing
    with pytest.raises(UserError, match="dimensions: 12, 40 topics"):
        tried(few.model_copy(update={"dimensions": (40, 12)}), [])


@pytest.mark.parametrize("system", [Jplsa(**OPTIONS), Cplsa(**OPTIONS, sigma="exact"), PLTM])
def test_documents_take_one_iteration_from_theta0(planted, system):
    """theta ~ sum_w n_w p(t | w) + prior with p(t | w) ~ p(t) p(w | t), by plain sums."""
    better = count()
    training = planted(n=150, validate=lambda model: Validation(next(better)))
    merged, T = system is not PLTM, system.dimensions[0]
    found = system.fit(training).model
    chosen = columns_of(training, system, merged)
    estimator = system.estimator(training, chosen)
    estimator.start(T)
    for _ in range(system.max_iterations):
        estimator.step()
    em = merged and (estimator.phi, estimator.theta.mean(axis=0))
    phi, theta0 = em or estimator.means()
    topics = phi * theta0 / (phi * theta0).sum(axis=1, keepdims=True)
    for x in training.languages:
        rows = training.counts[x].toarray() @ chosen.table(x, topics) + (0.1 if merged else 0.2)
        rows = rows / rows.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found.embed(training.counts[x], x), rows, atol=1e-5)
    nothing = found.embed(sparse.csr_matrix((1, len(training.words["en"]))), "en")
    np.testing.assert_allclose(nothing, 1 / T, rtol=1e-6)
