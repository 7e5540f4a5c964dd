import numpy as np
import pytest
from scipy import linalg
from sklearn.cross_decomposition import CCA

from cr5.base.options import complete
from cr5.base.rows import unit_rows
from cr5.systems.word_cca import OPTIONS, directions, solve


def correlated(seed=0, n=300, d=4):
    """Two views of three shared numbers, and noise; no mean is zero."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 3))
    X, Y = (shared @ rng.normal(size=(3, d)) + 0.7 * rng.normal(size=(n, d)) for _ in range(2))
    return (X + 1).astype(np.float32), (Y - 2).astype(np.float32)


def centred(rows):
    return rows - rows.mean(axis=0, dtype=float)


def test_equals_scikit_learn():
    X, Y = correlated()
    A, B, correlations = directions(X, Y, 1.0, 0.0)
    other = CCA(n_components=4, scale=False, max_iter=20_000, tol=1e-14).fit(X, Y)
    P, Q = other.transform(X, Y)
    expected = [np.corrcoef(P[:, i], Q[:, i])[0, 1] for i in range(4)]
    np.testing.assert_allclose(correlations, expected, atol=1e-5)
    for ours, theirs in ((centred(X) @ A, P), (centred(Y) @ B, Q)):
        cosines = np.corrcoef(ours.T, theirs.T)[:4, 4:]
        np.testing.assert_allclose(np.abs(np.diag(cosines)), 1, atol=1e-4)


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_solves_the_generalised_eigenproblem(ridge):
    X, Y = correlated(1)
    correlations = directions(X, Y, 1.0, ridge)[2]
    X, Y = centred(X), centred(Y)
    zero, own = np.zeros((4, 4)), ridge * np.eye(4)
    C = np.block([[zero, X.T @ Y / 300], [Y.T @ X / 300, zero]])
    V = linalg.block_diag(X.T @ X / 300 + own, Y.T @ Y / 300 + own)
    expected = linalg.eigh(C, V, eigvals_only=True)[::-1][:4]
    np.testing.assert_allclose(correlations, expected, atol=1e-6)


def test_projected_pairs_are_uncorrelated_across_dimensions():
    X, Y = correlated(2)
    A, B, correlations = directions(X, Y, 1.0, 0.0)
    P, Q = centred(X) @ A, centred(Y) @ B
    np.testing.assert_allclose(P.T @ P, np.eye(4), atol=1e-4)
    np.testing.assert_allclose(P.T @ Q, np.diag(correlations), atol=1e-4)


@pytest.mark.parametrize(("d", "kept"), [(4, 2), (5, 3)])
def test_half_of_the_dimensions_are_kept_the_best_of_them(space, every, d, kept):
    X, Y = correlated(d=d)
    found = solve(space("en", X), space("it", Y), every(300), complete(OPTIONS, {}))
    whole = directions(X, Y, 1.0, 0.0)[2]
    assert found.source.shape == found.target.shape == (300, kept)
    np.testing.assert_array_equal(found.report["correlations"], whole[:kept])
    assert (np.diff(whole) < 0).all()


def test_fitted_on_the_pairs_and_centred_by_the_vocabulary(space, every):
    X, Y = correlated()
    given = complete(OPTIONS, {"share": 1.0})
    found = solve(space("en", X), space("it", Y), every(100), given)
    A, B, correlations = directions(X[:100], Y[:100], 1.0, 0.0)
    np.testing.assert_array_equal(found.report["correlations"], correlations)
    for rows, ours, W in ((X, found.source, A), (Y, found.target, B)):
        expected = unit_rows(centred(rows) @ W)
        np.testing.assert_allclose(ours, expected, atol=1e-5)
        assert np.abs(unit_rows((rows - rows[:100].mean(axis=0)) @ W) - expected).max() > 1e-3
