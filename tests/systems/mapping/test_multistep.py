import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power

from cr5.systems.mapping import csls
from cr5.systems.mapping.cca import CcaSettings, canonical_maps
from cr5.systems.mapping.multistep import MultistepSettings, multistep_maps
from cr5.systems.mapping.procrustes import orthogonal_map
from cr5.systems.mapping.refinement import apply_map


def spaces(seed=0, n=120, d=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    Y = X @ rng.normal(size=(d, d)) + rng.normal(size=(n, d))
    return X.astype(np.float32), Y.astype(np.float32)


def every(n):
    return np.column_stack([np.arange(n)] * 2)


def test_no_step_but_the_rotation_is_procrustes():
    X, Y = spaces()
    maps = multistep_maps(X, Y, every(80), MultistepSettings(False, 0, 0)).maps
    W = orthogonal_map(X[:80], Y[:80])
    # both sides are turned, by which no cosine changes
    cosines = maps.source(X) @ maps.target(Y).T
    Y = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    np.testing.assert_allclose(cosines, apply_map(X, W) @ Y.T, atol=1e-5)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0, 1)])
def test_equals_the_steps_one_after_the_other(p, q):
    X, Y = spaces(1)
    x, y = X[:80].astype(float), Y[:80].astype(float)
    Zx, Zy = (fractional_matrix_power(rows.T @ rows, -0.5) for rows in (x, y))
    U, s, Vt = np.linalg.svd((x @ Zx).T @ (y @ Zy))
    A = X @ Zx @ U @ np.diag(s**p) @ U.T @ np.linalg.inv(Zx) @ U
    B = Y @ Zy @ Vt.T @ np.diag(s**q) @ Vt @ np.linalg.inv(Zy) @ Vt.T
    found = multistep_maps(X, Y, every(80), MultistepSettings(True, p, q))
    np.testing.assert_allclose(found.weights, s, atol=1e-6)
    cosines = found.maps.source(X) @ found.maps.target(Y).T
    A, B = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (A, B))
    np.testing.assert_allclose(cosines, A @ B.T, atol=1e-4)


def test_the_weights_are_the_canonical_correlations():
    X, Y = (rows - rows.mean(axis=0) for rows in spaces(2))
    weights = multistep_maps(X, Y, every(120), MultistepSettings()).weights
    expected = canonical_maps(X, Y, every(120), CcaSettings(share=1.0)).correlations
    np.testing.assert_allclose(weights, expected, atol=1e-5)


def test_recovers_a_rotated_copy(rotated_copy):
    X, Y, _ = rotated_copy()
    maps = multistep_maps(X, Y, every(100), MultistepSettings()).maps
    assert csls.precision(maps.source(X), maps.target(Y), every(1000)[100:]) > 0.9


def test_fewer_pairs_than_dimensions_stay_finite():
    X, Y = spaces()
    maps = multistep_maps(X, Y, every(3), MultistepSettings()).maps
    assert np.isfinite(maps.source(X)).all()
