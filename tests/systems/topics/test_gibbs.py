from itertools import product

import numpy as np
import pytest
from scipy import optimize, sparse, special

from cr5.systems.topics.corpus import make_corpus
from cr5.systems.topics.gibbs import Gibbs

ALPHA, BETA = 0.4, 0.3
SMALL = [[1, 1, 1, 0], [0, 1, 0, 1]]  # columns 0 and 1 are of the first language


def sampler(counts, starts=(0,), burn_in=0, priors=(ALPHA, BETA), seed=0):
    return Gibbs(make_corpus(sparse.csr_matrix(counts), 0), starts, *priors, burn_in, seed)


def log_evidence(counts, prior):
    """log p(draws) of one multinomial whose prior is Dirichlet."""
    counts = np.asarray(counts)
    total = special.gammaln(len(counts) * prior) - special.gammaln(
        counts.sum() + len(counts) * prior
    )
    return total + (special.gammaln(counts + prior) - special.gammaln(prior)).sum()


def joint(z):
    """log p(words, topics) of SMALL: the topics of (0, 0), (0, 1), (0, 2), (1, 1), (1, 3)."""
    tokens = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 3)]
    theta, phi = np.zeros((2, 2)), np.zeros((4, 2))
    for (d, w), t in zip(tokens, z, strict=True):
        theta[d, t] += 1
        phi[w, t] += 1
    found = sum(log_evidence(row, ALPHA) for row in theta)
    return found + sum(log_evidence(phi[x, t], BETA) for x in ([0, 1], [2, 3]) for t in range(2))


def test_samples_have_the_posterior_that_enumeration_gives():
    every = list(product(range(2), repeat=5))
    expected = special.softmax([joint(z) for z in every])
    gibbs = sampler(SMALL, (0, 2))
    sample, seen = gibbs.start(2), dict.fromkeys(every, 0)
    n = 40_000
    for _ in range(n):
        gibbs.step(sample)
        seen[tuple(sample.z.tolist())] += 1
    found = np.array([seen[z] for z in every]) / n
    # n sweeps are worth at least a fifth of as many independent draws here
    error = np.sqrt(expected * (1 - expected) / (n / 5))
    assert (np.abs(found - expected) < 4.5 * error).all()
    assert np.abs(expected - 1 / 32).max() > 0.01  # which other draws would not have


def test_counts_are_those_of_the_topics_and_the_objective_predicts_each_token():
    gibbs = sampler(SMALL, (0, 2))
    sample = gibbs.start(1)  # one topic: nothing is random
    step = gibbs.step(sample)
    assert sample.theta.tolist() == [[3], [2]]
    assert sample.phi.tolist() == [[1], [2], [1], [1]]
    others = [(0, 2), (1, 2), (0, 1), (1, 2), (0, 1)]  # of the word, of its language
    expected = sum(np.log((word + BETA) / (all_ + 2 * BETA)) for word, all_ in others)
    assert step["objective"] == pytest.approx(expected)


def test_means_are_over_the_sweeps_after_burn_in():
    gibbs = sampler(SMALL, (0, 2), burn_in=2)
    sample, seen = gibbs.start(2), []
    for _ in range(5):
        gibbs.step(sample)
        seen.append(sample.phi.astype(float))
        used = np.mean(seen[2:], axis=0) if len(seen) > 2 else seen[-1]
        phi, theta0 = gibbs.means(sample)
        for rows in ([0, 1], [2, 3]):
            expected = (used[rows] + BETA) / (used[rows].sum(axis=0) + 2 * BETA)
            np.testing.assert_allclose(phi[rows], expected)
        lengths = np.array([[3], [2]]) + 2 * ALPHA
        np.testing.assert_allclose(theta0, ((sample.theta + ALPHA) / lengths).mean(axis=0))


def test_a_seed_says_all():
    counts = np.random.default_rng(0).poisson(1.0, (20, 30)) + np.eye(20, 30)
    drawn = []
    for seed in (1, 1, 2):
        gibbs = sampler(counts, (0, 12), seed=seed)
        sample = gibbs.start(4)
        for _ in range(3):
            gibbs.step(sample)
        drawn.append(sample.z.tolist())
    assert drawn[0] == drawn[1] != drawn[2]


def test_what_is_planted_is_found():
    """Topics have 40 words in each of two languages; a concept has the same shares in both."""
    generator = np.random.default_rng(4)
    shares = generator.dirichlet(np.full(5, 0.3), 300)
    topics = [generator.dirichlet(np.full(40, 0.2), 5) for _ in range(2)]
    counts = np.hstack([generator.poisson(100 * shares @ each) for each in topics])
    gibbs = sampler(counts, (0, 40), burn_in=50, priors=(0.3, 0.2))
    sample = gibbs.start(5)
    for _ in range(150):
        gibbs.step(sample)
    expected, (phi, _) = np.hstack(topics).T, gibbs.means(sample)
    apart = np.abs(phi[:, :, None] - expected[:, None, :]).sum(axis=0)  # at most 4
    assert apart[optimize.linear_sum_assignment(apart)].max() < 0.3
    assert np.abs(np.corrcoef(sample.theta.T, shares.T)[:5, 5:]).max(axis=1).min() > 0.95
