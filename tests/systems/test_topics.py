"""Topics: EM and coupling against loops and SciPy, Gibbs against enumeration, and the choice."""

from collections import Counter
from itertools import count, product

import numpy as np
import pytest
from scipy import sparse, special
from sklearn.preprocessing import normalize

from cr5.base.errors import LeftOutError, UserError
from cr5.systems.algebra.columns import columns_of
from cr5.systems.topics import selection
from cr5.systems.topics.cplsa import Cplsa
from cr5.systems.topics.documents import coupled, joined, with_words
from cr5.systems.topics.em import Em
from cr5.systems.topics.gibbs import Gibbs
from cr5.systems.topics.jplsa import Jplsa
from cr5.systems.topics.pltm import Pltm
from tests.systems.conftest import scored


def matrix(counts):
    return with_words(sparse.csr_matrix(np.asarray(counts, float)))


def drawn_documents(n=12, p=17):
    """Counts of 3 to 9 words each, so that blocks of four words have every remainder."""
    generator = np.random.default_rng(0)
    counts = np.zeros((n, p))
    for document in range(n):
        words = generator.choice(p, 3 + document % 7, replace=False)
        counts[document, words] = generator.integers(1, 6, len(words))
    counts[0, counts.sum(axis=0) == 0] = 1  # every column has a word
    return matrix(counts)


ACCURACY = 500 * float(np.finfo(np.float32).eps)


def em_of(counts, T, n_pairs=0, sigma=1.0, **constants):
    """EM on counts from random topics."""
    em = type("Em", (Em,), constants)(counts, n_pairs, sigma)
    generator = np.random.default_rng(1)
    n, p = counts.shape
    em.theta = generator.dirichlet(np.ones(T), n).astype(np.float32)
    em.phi = np.array(generator.dirichlet(np.ones(p), T).T, np.float32, order="C")
    em.eta = np.zeros((n_pairs, T), np.float32)
    return em


def check_iteration(em):
    """Raise unless an iteration has the equations of the paper.

    In those of coupled documents q has a factor exp(-+ eta / n).
    """
    theta = em.theta.astype(float)
    phi = em.phi.astype(float)
    em.step()
    counts = em.counts.toarray()
    lengths = counts.sum(axis=1)
    new_theta = np.full_like(theta, em.alpha - 1)
    new_phi = np.full_like(phi, em.beta - 1)
    for document, word in np.argwhere(counts):
        q = theta[document] * phi[word]
        if document < 2 * em.n_pairs:
            pair, is_second = divmod(document, 2)
            sign = 1 if is_second else -1
            exponent = sign * em.eta[pair] / lengths[document]
            q = q * np.exp(exponent)
        count = counts[document, word]
        expected = count * q / q.sum()
        new_theta[document] += expected
        new_phi[word] += expected
    expected_theta = normalize(new_theta, "l1")
    expected_phi = normalize(new_phi, "l1", axis=0)
    np.testing.assert_allclose(em.theta, expected_theta, rtol=ACCURACY)
    np.testing.assert_allclose(em.phi, expected_phi, rtol=ACCURACY)


def topics_of_words(counts, seed):
    """The topic of each word at the start: phi is above the prior there."""
    em = Em(counts)
    em.seed = seed
    em.start(4)
    topics = em.phi.argmax(axis=1)
    assert sorted(np.bincount(topics)) == [4, 4, 4, 5]
    return topics


def test_topics_start_from_blocks_of_like_frequency_or_at_random():
    """Each topic has as many words either way."""
    counts = drawn_documents()
    order = np.argsort(-np.asarray(counts.sum(axis=0)).ravel(), kind="stable")
    blocks = topics_of_words(counts, None)
    assert (np.diff(blocks[order]) >= 0).all()
    drawn = topics_of_words(counts, 1)
    assert not (drawn == blocks).all()
    assert not (drawn == topics_of_words(counts, 2)).all()
    assert (drawn == topics_of_words(counts, 1)).all()


@pytest.mark.parametrize("system", [Jplsa, Cplsa])
def test_the_priors_and_the_start_are_the_system_s(planted, system):
    configured = system(skip_words=0, start="random", alpha=1.5, beta=1.001)
    training_set = planted()
    chosen = columns_of(training_set, configured)
    em = configured.estimator(training_set, chosen)
    assert em.alpha == 1.5
    assert em.beta == 1.001
    assert em.seed == training_set.seed
    em_by_default = system(skip_words=0).estimator(training_set, chosen)
    assert em_by_default.alpha == 1.1
    assert em_by_default.beta == 1.01
    assert em_by_default.seed is None


@pytest.mark.parametrize("T", [1, 2, 5, 11])
def test_an_iteration_is_the_one_written_out(T):
    em = em_of(drawn_documents(), T, alpha=1.3, beta=1.05)
    for _ in range(4):
        check_iteration(em)


def test_a_coupled_iteration_is_the_one_written_out():
    em = em_of(drawn_documents(), 3, 4, 2.0, tolerance=1e-6, steps=5000)
    check_iteration(em)
    assert np.abs(em.eta).max() > 0.1


def test_the_start_is_blocks_of_words_by_frequency():
    # frequencies 9 2 4 1 8 3, so by frequency 0 4 | 2 5 | 1 3
    em = Em(matrix([[5, 0, 1, 0, 2, 0], [4, 1, 3, 0, 2, 0], [0, 1, 0, 1, 4, 3]]))
    em.start(3)
    counts_of_topics = np.array([[7, 1, 0], [6, 3, 1], [4, 3, 2]])
    theta = normalize(counts_of_topics + 0.1, "l1")
    np.testing.assert_allclose(em.theta, theta, rtol=1e-5)
    frequency_in_topics = np.zeros((6, 3))
    frequency_in_topics[[0, 4], 0] = [9, 8]
    frequency_in_topics[[2, 5], 1] = [4, 3]
    frequency_in_topics[[1, 3], 2] = [2, 1]
    phi = normalize(frequency_in_topics + 0.01, "l1", axis=0)
    np.testing.assert_allclose(em.phi, phi, rtol=1e-5)


@pytest.mark.parametrize(("sigma", "at_edge"), [(0.05, 3), (0.7, 2), (2.0, 0), (np.inf, 0)])
def test_coupling_solves_the_problem(sigma, at_edge):
    """The dual g is concave: where its slope is zero, or leads out of the box, is its maximum."""
    counts = np.array([[3.0, 1, 2, 0, 0], [0, 2, 0, 4, 1]])
    em = em_of(matrix(counts), 3, 1, sigma, tolerance=1e-6, steps=20_000)
    theta = em.theta.astype(float)
    phi = em.phi.astype(float)
    lengths = counts.sum(axis=1)
    _, tokens = em.first_pass()
    eta = em.eta[0].astype(float)
    shares = []
    for document, sign in enumerate((-1, 1)):
        factor = np.exp(sign * eta / lengths[document])
        q = theta[document] * phi * factor  # words x topics
        expected_tokens = counts[document] @ normalize(q, "l1")
        np.testing.assert_allclose(tokens[document], expected_tokens, rtol=ACCURACY)
        shares.append(expected_tokens / lengths[document])
    slope = shares[0] - shares[1]
    is_at_edge = np.abs(eta) >= sigma - 1e-6
    np.testing.assert_allclose(slope[~is_at_edge], 0, atol=1e-5)
    leads_out = slope * eta > 0
    assert leads_out[is_at_edge].all()
    assert is_at_edge.sum() == at_edge


@pytest.mark.parametrize("sigma", [np.inf, 1e9])
def test_documents_that_cannot_be_brought_together_stay_numbers(sigma):
    """A word each, of one topic each: for equal shares eta has no end."""
    almost_flat = {"alpha": 1.0001, "beta": 1.0001}
    em = type("Em", (Em,), almost_flat)(matrix([[1, 0], [0, 1000]]), 1, sigma)
    em.start(2)
    em.phi[:] = np.array([[1, 1e-30], [1e-30, 1]], np.float32)
    em.step()
    assert np.isfinite([em.theta, em.phi]).all()


ALPHA = 0.4
BETA = 0.3
SMALL = [[1, 1, 1, 0], [0, 1, 0, 1]]  # columns 0 and 1 are of the first language


def log_evidence(counts, prior):
    """log p(draws) of one multinomial whose prior is Dirichlet."""
    total_prior = len(counts) * prior
    evidence = special.gammaln(total_prior) - special.gammaln(np.sum(counts) + total_prior)
    terms = special.gammaln(counts + prior) - special.gammaln(prior)
    return evidence + terms.sum()


def joint(topics):
    """log p(words, topics) of SMALL."""
    theta = np.zeros((2, 2))
    phi = np.zeros((4, 2))
    tokens = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 3)]
    for (document, word), topic in zip(tokens, topics, strict=True):
        theta[document, topic] += 1
        phi[word, topic] += 1
    evidence = sum(log_evidence(row, ALPHA) for row in theta)
    for words in ([0, 1], [2, 3]):
        evidence += sum(log_evidence(column, BETA) for column in phi[words].T)
    return evidence


def gibbs_of_small(burn_in=0):
    system = Pltm(alpha=ALPHA, beta=BETA, burn_in=burn_in)
    gibbs = Gibbs(matrix(SMALL), (0, 2), system, 0)
    gibbs.start(2)
    return gibbs


def test_samples_have_the_posterior_that_enumeration_gives():
    assignments = list(product(range(2), repeat=5))
    expected = special.softmax([joint(topics) for topics in assignments])
    gibbs = gibbs_of_small()
    n_times = Counter()
    n_sweeps = 40_000
    for _ in range(n_sweeps):
        gibbs.step()
        n_times[tuple(gibbs.z.tolist())] += 1
    shares = np.array([n_times[topics] for topics in assignments]) / n_sweeps
    # sweeps are worth at least a fifth of as many independent draws here
    n_draws = n_sweeps / 5
    error = np.sqrt(expected * (1 - expected) / n_draws)
    assert (np.abs(shares - expected) < 4.5 * error).all()
    differs_from_uniform = np.abs(expected - 1 / 32)
    assert differs_from_uniform.max() > 0.01  # which other draws would not have


def test_means_are_over_the_sweeps_after_burn_in():
    gibbs = gibbs_of_small(burn_in=2)
    counts_of_sweeps = []
    for _ in range(5):
        gibbs.step()
        counts_of_sweeps.append(gibbs.phi.astype(float))
        used = counts_of_sweeps[2:] or counts_of_sweeps[-1:]
        counts = np.mean(used, axis=0)
        phi, theta0 = gibbs.means()
        for words in ([0, 1], [2, 3]):
            expected = normalize(counts[words] + BETA, "l1", axis=0)
            np.testing.assert_allclose(phi[words], expected)
        theta = normalize(gibbs.theta + ALPHA, "l1")
        np.testing.assert_allclose(theta0, theta.mean(axis=0))


OPTIONS = {"skip_words": 0, "dimensions": [3], "max_iterations": 12}
PLTM = Pltm(dimensions=[12], skip_words=0, max_iterations=60, alpha=0.2, beta=0.05, burn_in=40)


def test_a_concept_has_one_document_or_a_pair_of_them(training_of):
    """Of four concepts two are in both languages; `og`, the most frequent word, is dropped."""
    counts = {
        "da": np.array([[4, 1, 0], [3, 0, 2], [2, 0, 0]], np.int32),
        "en": np.array([[1, 2], [5, 0], [0, 1]], np.int32),
    }
    training = training_of(
        {"da": ["og", "taxi", "kat"], "en": ["cat", "taxi"]},
        counts={language: sparse.csr_matrix(rows) for language, rows in counts.items()},
        concepts={"da": np.array([2, 0, 3]), "en": np.array([0, 1, 2])},
        n_concepts=4,
    )
    chosen = columns_of(training, Jplsa(skip_words=1))
    # columns by frequency: cat 6, taxi 4, kat 2; concept 3 has only a dropped word
    documents = joined(training, chosen)
    np.testing.assert_array_equal(documents.toarray(), [[1, 2, 2], [5, 0, 0], [0, 2, 0]])
    # concepts 0 and 2, Danish before English; then concept 1 in English alone
    pairs, n_pairs = coupled(training, chosen)
    expected = [[0, 0, 2], [1, 2, 0], [0, 1, 0], [0, 1, 0], [5, 0, 0]]
    np.testing.assert_array_equal(pairs.toarray(), expected)
    assert n_pairs == 2
    with pytest.raises(LeftOutError, match="no training document has a word"):
        matrix(np.zeros((3, 2)))


@pytest.fixture
def fit_by_script(planted, monkeypatch):
    """Fit with the scores of a script."""
    monkeypatch.setattr(selection, "CHECK_EVERY", 2)

    def fit(system, scores, patience=10):
        monkeypatch.setattr(selection, "PATIENCE", patience)
        return system.fit(planted(n=50, validate=scored(scores)))

    return fit


def tried(fitted):
    """Numbers of topics and iterations that were validated."""
    return [(trial["dimension"], trial["iterations"]) for trial in fitted.report["validation"]]


def test_each_number_of_topics_has_its_own_patience(fit_by_script):
    scores_of_two_topics = [0.5, 0.4]
    scores_of_four_topics = [0.1, 0.2, 0.3, 0.9, 0.8]
    scores = scores_of_two_topics + scores_of_four_topics
    fitted = fit_by_script(Jplsa(**OPTIONS | {"dimensions": [4, 2]}), scores, patience=1)
    assert tried(fitted) == [(2, 2), (2, 4), (4, 2), (4, 4), (4, 6), (4, 8), (4, 10)]
    assert fitted.chosen == {"dimension": 4, "iterations": 8}


def test_the_last_iteration_is_validated(fit_by_script):
    fitted = fit_by_script(Jplsa(**OPTIONS | {"max_iterations": 5}), count())
    assert tried(fitted) == [(3, 2), (3, 4), (3, 5)]


def test_patience_begins_after_burn_in(fit_by_script):
    """A sample of the first sweeps says nothing yet."""
    fitted = fit_by_script(PLTM, count(0, -1), patience=1)
    assert tried(fitted) == [(12, 42), (12, 44)]


def test_no_more_topics_than_words(fit_by_script):
    system = Jplsa(**OPTIONS | {"dimensions": [3, 12, 40], "max_words": 11})
    fitted = fit_by_script(system, [0.5] * 6)
    assert {n_topics for n_topics, _ in tried(fitted)} == {3}
    assert len(fitted.report["warnings"]) == 3  # and that validation tells nothing
    with pytest.raises(UserError, match="dimensions: 12, 40 topics"):
        fit_by_script(system.model_copy(update={"dimensions": (40, 12)}), [])


@pytest.mark.parametrize("system", [Jplsa(**OPTIONS), Cplsa(**OPTIONS, sigma="exact"), PLTM])
def test_documents_take_one_iteration_from_theta0(planted, system):
    """theta ~ sum_w n_w p(t | w) + prior with p(t | w) ~ p(t) p(w | t), by plain sums."""
    training = planted(n=150, validate=scored(count()))
    merged = system is not PLTM
    prior = 0.1
    if not merged:
        prior = 0.2
    [T] = system.dimensions
    model = system.fit(training).model
    chosen = columns_of(training, system, merged)
    estimator = system.estimator(training, chosen)
    estimator.start(T)
    for _ in range(system.max_iterations):
        estimator.step()
    if merged:
        phi = estimator.phi
        theta0 = estimator.theta.mean(axis=0)
    else:
        phi, theta0 = estimator.means()
    topics = normalize(phi * theta0, "l1")
    for language, counts in training.counts.items():
        sums = counts.toarray() @ chosen.table(language, topics)
        expected = normalize(sums + prior, "l1")
        np.testing.assert_allclose(model.embed(counts, language), expected, atol=1e-5)
    empty = model.embed(sparse.csr_matrix((1, len(training.words["en"]))), "en")
    np.testing.assert_allclose(empty, 1 / T, rtol=1e-6)
