import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power

from cr5.base.options import complete
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.vecmap_supervised import OPTIONS, solve
from cr5.systems.word_cca import directions


def spaces(seed=0, n=120, d=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    Y = X @ rng.normal(size=(d, d)) + rng.normal(size=(n, d))
    return X.astype(np.float32), Y.astype(np.float32)


@pytest.fixture
def mapped(space, every):
    """Both spaces mapped by their first pairs."""

    def make(X, Y, n, **given):
        pairs, options = every(n), complete(OPTIONS, given)
        return solve(space("en", X), space("it", Y), pairs, options)

    return make


def test_no_step_but_the_rotation_is_procrustes(mapped):
    X, Y = spaces()
    found = mapped(X, Y, 80, whiten=False, source_power=0, target_power=0)
    W = orthogonal_map(X[:80], Y[:80])
    # both sides are turned, by which no cosine changes
    cosines = found.source @ found.target.T
    Y = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    np.testing.assert_allclose(cosines, apply_map(X, W) @ Y.T, atol=1e-5)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0, 1)])
def test_equals_the_steps_one_after_the_other(mapped, p, q):
    X, Y = spaces(1)
    x, y = X[:80].astype(float), Y[:80].astype(float)
    Zx, Zy = (fractional_matrix_power(rows.T @ rows, -0.5) for rows in (x, y))
    U, s, Vt = np.linalg.svd((x @ Zx).T @ (y @ Zy))
    A = X @ Zx @ U @ np.diag(s**p) @ U.T @ np.linalg.inv(Zx) @ U
    B = Y @ Zy @ Vt.T @ np.diag(s**q) @ Vt @ np.linalg.inv(Zy) @ Vt.T
    found = mapped(X, Y, 80, source_power=p, target_power=q)
    np.testing.assert_allclose(found.report["weights"], s, atol=1e-6)
    cosines = found.source @ found.target.T
    A, B = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (A, B))
    np.testing.assert_allclose(cosines, A @ B.T, atol=1e-4)


def test_the_weights_are_the_canonical_correlations(mapped):
    X, Y = (rows - rows.mean(axis=0) for rows in spaces(2))
    expected = directions(X, Y, 1.0, 0.0)[2]
    np.testing.assert_allclose(mapped(X, Y, 120).report["weights"], expected, atol=1e-5)


def test_fewer_pairs_than_dimensions_stay_finite(mapped):
    X, Y = spaces()
    assert np.isfinite(mapped(X, Y, 3).source).all()
