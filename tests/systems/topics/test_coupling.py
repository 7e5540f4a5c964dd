"""The dual against the problem itself, solved by SciPy, and against finite differences."""

import numpy as np
import pytest
from scipy import optimize

from cr5.systems.topics.em import Em, Topics

T = 3
COUNTS = np.array([[3.0, 1, 2, 0, 0], [0, 2, 0, 4, 1]])


@pytest.fixture
def posteriors():
    """Per document p(t|w) of its words, and their counts; and the topics they come from."""
    generator = np.random.default_rng(3)
    theta, phi = generator.dirichlet(np.ones(T), 2), generator.dirichlet(np.ones(5), T).T
    found = []
    for row, counts in zip(theta, COUNTS, strict=True):
        words = np.flatnonzero(counts)
        p = row * phi[words]
        found.append((p / p.sum(axis=1, keepdims=True), counts[words]))
    return found, theta, phi


def dual(eta, posteriors):
    """The function g of the module, term by term."""
    total = 0.0
    for sign, (p, counts) in zip((-1, 1), posteriors, strict=True):
        total -= counts @ np.log(p @ np.exp(sign * eta / counts.sum()))
    return total


def difference(q, counts):
    return [n @ each / n.sum() for each, n in zip(q, counts, strict=True)]


def primal(posteriors, sigma):
    """The least KL(q||p) + sigma sum eps, with counts as weights, by SLSQP.

    Logarithms of q are free, so that q stays above zero; eps are variables.
    """
    ps, counts = [p for p, _ in posteriors], [n for _, n in posteriors]
    ends = np.cumsum([p.size for p in ps])
    n_eps = 0 if sigma is None else T

    def parts(x):
        logs = [each.reshape(-1, T) for each in np.split(x[: ends[-1]], ends[:-1])]
        return [np.exp(y - np.logaddexp.reduce(y, axis=1, keepdims=True)) for y in logs]

    def gap(x):
        first, second = difference(parts(x), counts)
        return first - second

    def cost(x):
        q = parts(x)
        kl = sum(n @ (a * np.log(a / p)).sum(axis=1) for a, p, n in zip(q, ps, counts, strict=True))
        eps = x[ends[-1] :]
        return kl + (sigma * eps.sum() if n_eps else 0)

    bounds = [{"type": "eq", "fun": lambda x: gap(x)[:-1]}]
    if n_eps:
        bounds = [
            {"type": "ineq", "fun": lambda x: x[ends[-1] :] - gap(x)},
            {"type": "ineq", "fun": lambda x: x[ends[-1] :] + gap(x)},
        ]
    start = np.concatenate([*(np.log(p).ravel() for p in ps), np.full(n_eps, 0.5)])
    solved = optimize.minimize(
        cost, start, constraints=bounds, method="SLSQP", options={"ftol": 1e-13, "maxiter": 2000}
    )
    assert solved.success
    return solved.fun, parts(solved.x)


def coupled(corpus_of, theta, phi, eta=None, **how):
    """One E-step: eta, shares of both documents, and what the sums of logarithms gain."""
    em = Em(corpus_of(COUNTS, 1), **how, dtype=np.float64)
    eta = np.zeros((1, T)) if eta is None else eta[None].copy()
    topics = Topics(theta.copy(), phi.copy(), eta)
    _, shares, said = em.first_pass(topics)
    free = sum(n @ np.log(theta[i] @ phi.T) for i, n in enumerate(COUNTS))
    return topics.eta[0], shares / COUNTS.sum(axis=1)[:, None], em._logs.sum() - free, said[0]


@pytest.mark.parametrize("sigma", [0.05, 0.5, 2.0, None])
def test_it_solves_the_problem(corpus_of, posteriors, sigma):
    given, theta, phi = posteriors
    how = {"sigma": sigma, "tolerance": 1e-11, "steps": 20_000}
    eta, shares, gained, said = coupled(corpus_of, theta, phi, **how)
    expected, q = primal(given, sigma)
    assert -gained == pytest.approx(dual(eta, given), abs=1e-9)
    assert -gained == pytest.approx(expected, abs=1e-6)
    wanted = difference(q, [n for _, n in given])
    np.testing.assert_allclose(shares, wanted, atol=2e-4)
    assert said[0] == pytest.approx(np.abs(shares[0] - shares[1]).sum())
    if sigma is None:
        assert said[0] < 1e-10
    else:
        assert np.abs(eta).max() <= sigma + 1e-9
        assert said[0] > 1e-3 or sigma == 2.0


def test_the_gradient_is_the_difference_of_shares(corpus_of, posteriors):
    given, theta, phi = posteriors
    eta = np.array([0.3, -0.4, 0.2])
    _, shares, gained, _ = coupled(corpus_of, theta, phi, eta, sigma=None, steps=1)
    assert -gained == pytest.approx(dual(eta, given), abs=1e-12)
    found = optimize.approx_fprime(eta, dual, 1e-7, given)
    np.testing.assert_allclose(shares[0] - shares[1], found, atol=1e-6)


def test_where_it_stops_it_says_what_is_left(corpus_of, posteriors):
    _, theta, phi = posteriors
    rough = coupled(corpus_of, theta, phi, sigma=None, tolerance=0.05)[-1]
    assert 0.001 < rough[1] <= 0.05
    assert rough[0] == pytest.approx(rough[1])  # nothing holds eta back
    few = coupled(corpus_of, theta, phi, sigma=None, tolerance=1e-12, steps=3)[-1]
    assert few[2] == 3
    assert few[1] > 1e-12


def test_a_solution_is_found_at_once_from_itself(corpus_of, posteriors):
    _, theta, phi = posteriors
    how = {"sigma": None, "tolerance": 1e-9, "steps": 2000}
    eta, *_, said = coupled(corpus_of, theta, phi, **how)
    assert said[2] > 3
    assert coupled(corpus_of, theta, phi, eta, **how)[-1][2] == 1


@pytest.mark.parametrize("sigma", [None, 1e9])
def test_documents_that_cannot_be_brought_together_stay_numbers(corpus_of, sigma):
    """A word each, of one topic each: for equal shares eta has no end."""
    em = Em(corpus_of([[1, 0], [0, 1000]], 1), 1.0001, 1.0001, sigma)
    topics = em.start(2)
    topics.phi[:] = np.array([[1, 1e-30], [1e-30, 1]], np.float32)
    step = em.step(topics)
    assert np.isfinite([topics.theta, topics.phi]).all()
    assert np.isfinite(step["objective"])
