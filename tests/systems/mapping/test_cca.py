import numpy as np
import pytest
from scipy import linalg
from sklearn.cross_decomposition import CCA

from cr5.base.rows import unit_rows
from cr5.systems.mapping import csls
from cr5.systems.mapping.cca import CcaSettings, canonical_maps

ALL = CcaSettings(share=1.0)


def correlated(seed=0, n=300, d=4):
    """Two views of three shared numbers, and noise; no mean is zero."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 3))
    X, Y = (shared @ rng.normal(size=(3, d)) + 0.7 * rng.normal(size=(n, d)) for _ in range(2))
    return (X + 1).astype(np.float32), (Y - 2).astype(np.float32)


def every(n):
    return np.column_stack([np.arange(n)] * 2)


def projected(rows, side):
    return (rows - side.mean) @ side.W


def test_equals_scikit_learn():
    X, Y = correlated()
    found = canonical_maps(X, Y, every(300), ALL)
    other = CCA(n_components=4, scale=False, max_iter=20_000, tol=1e-14).fit(X, Y)
    A, B = other.transform(X, Y)
    expected = [np.corrcoef(A[:, i], B[:, i])[0, 1] for i in range(4)]
    np.testing.assert_allclose(found.correlations, expected, atol=1e-5)
    for side, rows, theirs in ((found.maps.source, X, A), (found.maps.target, Y, B)):
        ours = projected(rows, side)
        cosines = np.corrcoef(ours.T, theirs.T)[:4, 4:]
        np.testing.assert_allclose(np.abs(np.diag(cosines)), 1, atol=1e-4)


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_solves_the_generalised_eigenproblem(ridge):
    X, Y = correlated(1)
    found = canonical_maps(X, Y, every(300), CcaSettings(1.0, ridge))
    X, Y = (rows.astype(float) - rows.astype(float).mean(axis=0) for rows in (X, Y))
    zero, own = np.zeros((4, 4)), ridge * np.eye(4)
    C = np.block([[zero, X.T @ Y / 300], [Y.T @ X / 300, zero]])
    V = linalg.block_diag(X.T @ X / 300 + own, Y.T @ Y / 300 + own)
    expected = linalg.eigh(C, V, eigvals_only=True)[::-1][:4]
    np.testing.assert_allclose(found.correlations, expected, atol=1e-6)


def test_projected_pairs_are_uncorrelated_across_dimensions():
    X, Y = correlated(2)
    found = canonical_maps(X, Y, every(300), ALL)
    A, B = projected(X, found.maps.source), projected(Y, found.maps.target)
    np.testing.assert_allclose(A.T @ A, np.eye(4), atol=1e-4)
    np.testing.assert_allclose(A.T @ B, np.diag(found.correlations), atol=1e-4)


@pytest.mark.parametrize(("d", "kept"), [(4, 2), (5, 3)])
def test_half_of_the_dimensions_are_kept_the_best_of_them(d, kept):
    X, Y = correlated(d=d)
    found = canonical_maps(X, Y, every(300), CcaSettings())
    whole = canonical_maps(X, Y, every(300), ALL)
    assert found.maps.source(X).shape == (300, kept)
    np.testing.assert_array_equal(found.correlations, whole.correlations[:kept])
    assert (np.diff(whole.correlations) < 0).all()


def test_fitted_on_the_pairs_and_centred_by_the_vocabulary():
    X, Y = correlated()
    pairs = np.column_stack([np.arange(100), np.arange(100)])
    few = canonical_maps(X[:100], Y[:100], pairs, ALL)
    found = canonical_maps(X, Y, pairs, ALL)
    np.testing.assert_array_equal(found.correlations, few.correlations)
    np.testing.assert_allclose(found.maps.source.mean, X.mean(axis=0), atol=1e-6)
    assert np.abs(few.maps.source.mean - found.maps.source.mean).max() > 1e-3


def test_recovers_a_rotated_copy_from_half_of_its_dimensions(rotated_copy):
    X, Y, _ = rotated_copy(n=800)
    maps = canonical_maps(X, Y, every(200), CcaSettings()).maps
    mapped, target = maps.source(X), maps.target(Y)
    np.testing.assert_allclose(np.linalg.norm(mapped, axis=1), 1, atol=1e-5)
    assert csls.precision(mapped, target, every(800)[200:]) > 0.9
    assert csls.precision(unit_rows(X), Y, every(800)[200:]) < 0.05
