import numpy as np

from cr5.systems.least_squares import linear_map


def test_by_hand():
    # y = 2 x for x = 1 and y = 1 for x = 2: the best slope is (1 * 2 + 2 * 1) / (1 + 4).
    X, Y = np.array([[1.0], [2.0]]), np.array([[2.0], [1.0]])
    np.testing.assert_allclose(linear_map(X, Y), [[0.8]], rtol=1e-6)
    # with a ridge of 3: 4 / (5 + 3)
    np.testing.assert_allclose(linear_map(X, Y, 3.0), [[0.5]], rtol=1e-6)


def test_fewer_pairs_than_dimensions():
    X, Y = np.array([[1.0, 1.0]]), np.array([[1.0, 0.0]])
    np.testing.assert_allclose(linear_map(X, Y), [[0.5, 0], [0.5, 0]], atol=1e-7)
