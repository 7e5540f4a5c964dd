import numpy as np

from cr5.systems.algebra.orthonormal import fix_signs, orthonormal, signs, whiten


def test_gives_the_left_singular_vectors():
    Z = np.array([[0.0, 3.0], [2.0, 0.0], [0.0, 4.0]])  # singular values 5 and 2
    np.testing.assert_allclose(np.abs(orthonormal(Z)), [[0.6, 0], [0, 1], [0.8, 0]], atol=1e-15)


def test_ill_conditioned_columns_become_orthonormal():
    generator = np.random.default_rng(0)
    Q = orthonormal(generator.standard_normal((50, 6)) * np.logspace(0, -12, 6))
    np.testing.assert_allclose(Q.T @ Q, np.eye(6), atol=1e-13)


def test_whitening_makes_vectors_orthonormal_whatever_their_lengths():
    V = np.random.default_rng(0).standard_normal((50, 6)) * np.logspace(3, -9, 6)
    G = V.T @ V
    Q = whiten(G, np.diag(G), 1e-6)
    assert Q.shape == (6, 6)
    np.testing.assert_allclose(Q.T @ G @ Q, np.eye(6), atol=1e-9)


def test_whitening_leaves_out_dependent_directions_and_zeros():
    V = np.array([[1.0, 1.0, 0.0, 1.0], [0.0, 1e-6, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    G = V.T @ V
    Q = whiten(G, np.diag(G), 1e-9)
    assert Q.shape == (4, 2)
    np.testing.assert_allclose(Q.T @ G @ Q, np.eye(2), atol=1e-9)
    np.testing.assert_array_equal(Q[2], [0, 0])


def test_largest_entry_of_each_column_becomes_positive():
    vectors = np.array([[1.0, 2.0], [-3.0, 1.0]])
    np.testing.assert_array_equal(signs(vectors), [-1, 1])
    np.testing.assert_array_equal(fix_signs(vectors), [[-1, 2], [3, 1]])
