import numpy as np

from cr5.systems.mapping.maps import Affine, linear


def test_by_hand():
    W = np.array([[0, 2], [1, 0]], np.float32)
    found = Affine(np.array([1, 1], np.float32), W)(np.array([[2, 1], [1, 1], [4, 3]], np.float32))
    assert found.dtype == np.float32
    # (1, 0) -> (0, 2) -> (0, 1); the mean itself has no direction; (3, 2) -> (2, 6)
    np.testing.assert_allclose(found, [[0, 1], [0, 0], [0.1**0.5, 0.9**0.5]], atol=1e-7)
    np.testing.assert_allclose(linear(W)(np.array([[3, 0]], np.float32)), [[0, 1]])
