import numpy as np
from scipy.linalg import orthogonal_procrustes

from cr5.systems.mapping.procrustes import orthogonal_map


def test_equals_scipy():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 7)), rng.normal(size=(40, 7))
    W = orthogonal_map(X, Y)
    assert W.dtype == np.float32
    np.testing.assert_allclose(W, orthogonal_procrustes(X, Y)[0], atol=1e-6)


def test_recovers_a_rotation_by_hand():
    # (1, 0) -> (0, 1) and (0, 1) -> (-1, 0): a quarter turn.
    X, Y = np.eye(2), np.array([[0.0, 1.0], [-1.0, 0.0]])
    np.testing.assert_allclose(orthogonal_map(X, Y), [[0, 1], [-1, 0]], atol=1e-7)


def test_reflections_are_allowed():
    X, Y = np.eye(2), np.diag([1.0, -1.0])
    np.testing.assert_allclose(orthogonal_map(X, Y), np.diag([1, -1]), atol=1e-7)
