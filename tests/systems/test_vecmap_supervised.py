import numpy as np
import pytest

from cr5.base.options import complete
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.vecmap_supervised import OPTIONS, solve


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


def test_fewer_pairs_than_dimensions_stay_finite(mapped):
    X, Y = spaces()
    assert np.isfinite(mapped(X, Y, 3).source).all()
