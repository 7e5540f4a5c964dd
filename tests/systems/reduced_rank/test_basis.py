import numpy as np
import pytest
from scipy import linalg

from cr5.systems.reduced_rank.basis import Basis
from cr5.systems.reduced_rank.operators import CentredFeatures, Concepts

RIDGE = 0.3


def make_basis(data, size, threads, dtype=np.float64):
    problem = data.problem.astype(dtype)
    return Basis(
        CentredFeatures(problem, threads), Concepts(problem, threads), size, size // 2, threads
    )


def on_the_span(twin, V):
    """Eigenvalues of the pencil (A A', B) on the span of V, descending."""
    return linalg.eigh(V.T @ twin.A @ twin.A.T @ V, V.T @ twin.B @ V, eigvals_only=True)[::-1]


def directions(twin, count, seed=0):
    return np.random.default_rng(seed).standard_normal((len(twin.B), count))


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float64, 1e-10), (np.float32, 1e-4)])
def test_ritz_values_are_those_of_the_span(make_data, write_out, threads, dtype, accuracy):
    data = make_data()
    twin = write_out(data, RIDGE)
    basis, V = make_basis(data, 12, threads, dtype), directions(twin, 12)
    for start in (0, 5, 8):
        stop = {0: 5, 5: 8, 8: 12}[start]
        basis.append(V[:, start:stop].astype(dtype), RIDGE)
        np.testing.assert_allclose(basis.theta, on_the_span(twin, V[:, :stop]), atol=accuracy)


def test_ritz_vectors_diagonalise_both_forms(make_data, write_out, threads):
    data = make_data()
    twin = write_out(data, RIDGE)
    basis = make_basis(data, 9, threads)
    basis.append(directions(twin, 9), RIDGE)
    w, z = (each for each in basis.ritz_vectors(slice(0, 4)))
    np.testing.assert_allclose(w.T @ twin.B @ w, np.eye(4), atol=1e-10)
    np.testing.assert_allclose(w.T @ twin.A @ twin.A.T @ w, np.diag(basis.theta[:4]), atol=1e-10)
    np.testing.assert_allclose(z, (twin.X - twin.X.mean(axis=0)) @ w, atol=1e-10)
    mu = basis.theta[:4]
    expected = twin.A @ twin.A.T @ w - twin.B @ w * mu
    found = w.copy()
    basis.residuals(found, z, mu, RIDGE)
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_a_restart_keeps_the_leading_pairs(make_data, write_out, threads):
    data = make_data()
    twin = write_out(data, RIDGE)
    basis = make_basis(data, 9, threads)
    basis.append(directions(twin, 9), RIDGE)
    theta, w = basis.theta, basis.ritz_vectors(slice(0, 5))[0]
    basis.restart(RIDGE, 5)
    basis.trim()  # the room comes back when it is needed
    assert [each.shape[1] for each in (basis._words, basis._documents)] == [5, 5]
    np.testing.assert_allclose(basis.theta, theta[:5], atol=1e-12)
    kept = np.abs(np.diag(basis.ritz_vectors(slice(0, 5))[0].T @ twin.B @ w))
    np.testing.assert_allclose(kept, np.ones(5), atol=1e-10)  # up to their signs
    more = directions(twin, 4, seed=1)
    basis.append(more, RIDGE)
    np.testing.assert_allclose(basis.theta, on_the_span(twin, np.hstack([w, more])), atol=1e-10)


def test_another_ridge_on_the_same_span(make_data, write_out, threads):
    data = make_data()
    basis, V = make_basis(data, 12, threads), directions(write_out(data, RIDGE), 6)
    basis.append(V, RIDGE)
    basis.change_ridge(2.0)
    np.testing.assert_allclose(basis.theta, on_the_span(write_out(data, 2.0), V), atol=1e-10)


def test_dependent_directions_and_zeros_add_nothing(make_data, write_out, threads):
    data = make_data()
    twin = write_out(data, RIDGE)
    basis, V = make_basis(data, 20, threads), directions(twin, 4)
    basis.append(V, RIDGE)
    basis.append(np.hstack([V @ np.ones((4, 2)), np.zeros((len(V), 1))]), RIDGE)
    np.testing.assert_allclose(basis.theta, on_the_span(twin, V), atol=1e-9)


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float64, 1e-9), (np.float32, 5e-3)])
def test_nearly_dependent_directions_do_not_spoil_what_is_known(
    make_data, write_out, threads, dtype, accuracy
):
    data = make_data()
    twin = write_out(data, RIDGE)
    basis, V = make_basis(data, 200, threads, dtype), directions(twin, 6)
    basis.append(V.astype(dtype), RIDGE)
    distance = 5 * basis.dependent**0.5
    for seed in range(1, 12):
        w = basis.ritz_vectors(slice(0, 6))[0]
        V = w + distance * np.linalg.norm(w) / 64 * directions(twin, 6, seed)
        basis.append(V.astype(dtype), RIDGE)
        assert basis.theta[0] <= twin.mu[0] * (1 + accuracy)
        W = basis.ritz_vectors(slice(0, 20))[0]
        defect = W.T @ twin.B @ W - np.eye(W.shape[1])
        assert np.abs(defect).max() < accuracy
