import numpy as np
import pytest

from cr5.systems.algebra.threads import Threads
from cr5.systems.reduced_rank.basis import Basis
from cr5.systems.reduced_rank.davidson import Davidson
from cr5.systems.reduced_rank.operators import CentredFeatures, Concepts

RIDGE, RANK, BLOCK = 0.3, 8, 3


def directions(D, inverse):
    """Overwrite residuals by an inverse of B, or its diagonal, times them; d't of each."""
    T = inverse @ D if inverse.ndim == 2 else inverse[:, None] * D
    products = (D * T).sum(axis=0)
    D[:] = T
    return products


@pytest.fixture
def start(make_data, write_out):
    """The iteration at its start, in a basis of a given size, and the dense twin."""
    data = make_data(K=60, sizes=(90, 40, 70))
    twin = write_out(data, RIDGE)
    threads = Threads()

    def begin(size):
        problem = data.problem
        Xhat, Y = CentredFeatures(problem, threads), Concepts(problem, threads)
        basis = Basis(Xhat, Y, size, RANK + BLOCK, threads)
        basis.append(np.random.default_rng(3).standard_normal((len(twin.B), RANK)), RIDGE)
        return Davidson(basis, RIDGE, lambda D: directions(D, 1 / np.diag(twin.B)), RANK, BLOCK)

    with threads:
        yield begin, twin


@pytest.mark.parametrize("size", [RANK + 2 * BLOCK, 25, 60, 300])
def test_restarts_change_the_way_not_the_result(start, size):
    begin, twin = start
    iteration = begin(size)
    assert iteration.run(lambda mu: 1e-7 * mu, 2000)
    np.testing.assert_allclose(iteration.basis.theta[:RANK], twin.mu[:RANK], rtol=1e-10)


def test_ritz_values_only_grow(start):
    begin, _ = start
    iteration, sums = begin(25), []
    for steps in range(1, 15):
        iteration.run(lambda mu: 0 * mu, steps)
        sums.append(iteration.basis.theta[:RANK].sum())
    assert np.all(np.diff(sums) >= -1e-12)
    assert sums[-1] > sums[0]


def test_stops_when_the_steps_are_used_up(start):
    begin, _ = start
    iteration = begin(60)
    assert not iteration.run(lambda mu: 1e-9 * mu, 4)
    assert iteration.iterations == 4


def test_pairs_take_turns_and_those_that_are_done_rest(start):
    begin, _ = start
    iteration = begin(60)
    iteration.estimates[:] = [1, 0, 1, 1, 0, 1, 0, 0]
    turns = [iteration._take(iteration._pending(lambda mu: 0.5 + 0 * mu)) for _ in range(3)]
    assert [turn.tolist() for turn in turns] == [[0, 2, 3], [0, 2, 5], [0, 3, 5]]


def test_estimates_bound_the_true_residuals_with_an_exact_preconditioner(start):
    begin, twin = start
    iteration = begin(60)
    inverse = np.linalg.inv(twin.B)
    iteration.precondition = lambda D: directions(D, inverse)
    for _ in range(4):
        theta, (w, _) = iteration.basis.theta[:RANK], iteration.basis.ritz_vectors(slice(0, RANK))
        known = np.sqrt(theta[0] / twin.mu[0])  # the estimates take mu_1 from the basis
        chosen = iteration._take(np.arange(RANK))
        iteration._step(chosen)
        P = twin.A.T @ w / np.sqrt(theta)
        true = np.linalg.norm(twin.M @ P - P * theta, axis=0)
        assert np.all(known * true[chosen] <= iteration.estimates[chosen] * (1 + 1e-9))
        assert np.all(true[chosen] > 0.01 * iteration.estimates[chosen])
