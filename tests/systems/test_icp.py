import numpy as np
import pytest
from scipy.spatial.distance import cdist

from cr5.systems.mapping import closest_points as icp

SIZES = {"words": 1500, "steps": 50}


def test_neighbours_both_ways_and_the_error():
    rng = np.random.default_rng(1)
    A, B = (rng.normal(size=(n, 3)).astype(np.float32) for n in (30, 20))
    squares = cdist(A, B, "sqeuclidean")
    pairs, error = icp.closest(A, B)
    there = [[i, j] for i, j in enumerate(squares.argmin(axis=1))]
    assert pairs.tolist() == there + [[i, j] for j, i in enumerate(squares.argmin(axis=0))]
    expected = (squares.min(axis=1).mean() + squares.min(axis=0).mean()) / 2
    assert error == pytest.approx(expected, rel=1e-5)


def test_principal_axes_have_the_variances_of_the_space(rotated_copy):
    X, _, _ = rotated_copy(n=300, d=10)
    A = icp.principal(X, 4)
    variances = np.linalg.eigvalsh(np.cov(X.T.astype(float)))[::-1][:4]
    np.testing.assert_allclose(np.cov(A.T), np.diag(variances), atol=1e-6)
    np.testing.assert_allclose(A.mean(axis=0), 0, atol=1e-6)


def test_the_error_never_rises(rotated_copy):
    X, Y, _ = rotated_copy(n=200, d=6)
    A, B, R = icp.principal(X, 6), icp.principal(Y, 6), np.diag([1, -1, 1, 1, -1, 1])
    errors = [icp.descend(A, B, R.astype(np.float32), steps)[0] for steps in range(8)]
    assert errors[0] > errors[-1]
    # a step takes the sum over both ways, which have the same number of words here
    assert (np.diff(errors) <= 1e-7).all()


def test_it_stops_where_the_neighbours_stay_the_same():
    A = np.eye(3, dtype=np.float32)
    error, steps, pairs = icp.descend(A, A, np.eye(3, dtype=np.float32), 50)
    assert (error, steps) == (0, 1)
    assert pairs.tolist() == [[0, 0], [1, 1], [2, 2]] * 2


def test_a_rotation_is_recovered_by_few_trials_and_the_error_tells(rotated_copy):
    X, Y, Q = rotated_copy(n=200, d=4)
    order = np.random.default_rng(1).permutation(200)
    generator = np.random.default_rng(0)
    found = icp.closest_points(X, Y[order], generator, axes=4, trials=25, **SIZES)
    np.testing.assert_allclose(found.W, Q, atol=0.02)
    errors = found.report["errors"]
    assert found.report["best_trial"] == int(np.argmin(errors))
    assert len(errors) == len(found.report["steps"]) == 25
    assert min(errors) < 0.2 * np.median(errors)


def test_as_many_axes_as_there_are_dimensions(rotated_copy):
    X, Y, _ = rotated_copy(n=100, d=5)
    generator = np.random.default_rng(0)
    found = icp.closest_points(X, Y, generator, axes=25, trials=1, **SIZES)
    assert found.W.shape == (5, 5)
