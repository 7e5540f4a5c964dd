import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp

from cr5.systems.mapping.sinkhorn import sinkhorn


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(4))
def test_small_epsilon_gives_the_best_assignment(seed, dtype):
    cost = np.random.default_rng(seed).normal(size=(30, 30)).astype(dtype)
    rows, columns = linear_sum_assignment(cost)
    found = sinkhorn(cost, 0.002, steps=20_000)
    assert found.converged
    assert found.plan.dtype == dtype
    assert (found.plan.argmax(axis=1) == columns).all()
    best = cost[rows, columns].mean()
    assert (found.plan * cost).sum() == pytest.approx(best, abs=0.005)


def test_two_by_two_by_hand():
    # Symmetric, so u and v are constant: P is K over its sum, K = exp(-C / epsilon).
    near, far = 1.0, np.exp(-1 / 0.5)
    expected = np.array([[near, far], [far, near]]) / (2 * (near + far))
    found = sinkhorn(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.5)
    np.testing.assert_allclose(found.plan, expected, rtol=1e-12)


def test_equals_scaling_in_logarithms():
    cost, epsilon = np.random.default_rng(5).normal(size=(12, 17)), 0.1
    f, g = np.zeros(12), np.zeros(17)
    for _ in range(1_000):
        f = -epsilon * (logsumexp((g - cost) / epsilon, axis=1) + np.log(12))
        g = -epsilon * (logsumexp((f[:, None] - cost) / epsilon, axis=0) + np.log(17))
    expected = np.exp((f[:, None] + g - cost) / epsilon)
    found = sinkhorn(cost, epsilon, tolerance=1e-10, steps=1_000)
    assert found.converged
    np.testing.assert_allclose(found.plan, expected, atol=1e-9)


def test_sums_of_rows_and_columns():
    cost = np.random.default_rng(6).normal(size=(20, 50))
    found = sinkhorn(cost, 0.1, tolerance=1e-6)
    np.testing.assert_allclose(found.plan.sum(axis=1), 1 / 20, atol=1e-6)
    np.testing.assert_allclose(found.plan.sum(axis=0), 1 / 50, rtol=1e-12)
    assert found.error == pytest.approx(np.abs(found.plan.sum(axis=1) - 1 / 20).sum(), abs=1e-12)
    assert found.error <= 1e-6


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_costs_far_beyond_epsilon_stay_finite(dtype):
    cost = (1e4 * np.random.default_rng(7).normal(size=(40, 40))).astype(dtype)
    found = sinkhorn(cost, 1.0, steps=2_000)
    assert np.isfinite(found.plan).all()
    np.testing.assert_allclose(found.plan.sum(axis=0), 1 / 40, rtol=1e-4)


def test_too_few_steps_are_reported():
    cost = np.random.default_rng(8).normal(size=(40, 40))
    found = sinkhorn(cost, 0.01, steps=15)
    assert (found.converged, found.steps) == (False, 15)
    assert found.error > 1e-3
