import numpy as np

from cr5.reduced_rank.orthonormal import fix_signs, orthonormal


def test_gives_the_left_singular_vectors():
    Z = np.array([[0.0, 3.0], [2.0, 0.0], [0.0, 4.0]])  # singular values 5 and 2
    Q, R = orthonormal(Z)
    np.testing.assert_allclose(np.abs(Q), [[0.6, 0], [0, 1], [0.8, 0]], atol=1e-15)
    np.testing.assert_allclose(Q @ R, Z, atol=1e-14)


def test_ill_conditioned_columns_become_orthonormal():
    generator = np.random.default_rng(0)
    Q, _ = orthonormal(generator.standard_normal((50, 6)) * np.logspace(0, -12, 6))
    np.testing.assert_allclose(Q.T @ Q, np.eye(6), atol=1e-13)


def test_directions_below_the_threshold_are_cut():
    Q, R = orthonormal(np.diag([5.0, 0.2, 3.0]), threshold=1.0)
    np.testing.assert_allclose(np.abs(Q), [[1, 0], [0, 0], [0, 1]], atol=1e-15)
    assert R.shape == (2, 3)


def test_largest_entry_of_each_column_becomes_positive():
    vectors = np.array([[1.0, 2.0], [-3.0, 1.0]])
    np.testing.assert_array_equal(fix_signs(vectors), [[-1, 2], [3, 1]])
