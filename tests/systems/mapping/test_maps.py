import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power, orthogonal_procrustes

from cr5.systems.mapping.maps import apply_map, orthogonal_map, whitening


def test_orthogonal_map_equals_scipy():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 7)), rng.normal(size=(40, 7))
    W = orthogonal_map(X, Y)
    assert W.dtype == np.float32
    np.testing.assert_allclose(W, orthogonal_procrustes(X, Y)[0], atol=1e-6)


@pytest.mark.parametrize("Y", [[[0.0, 1.0], [-1.0, 0.0]], [[1.0, 0.0], [0.0, -1.0]]])
def test_a_quarter_turn_and_a_reflection_are_recovered(Y):
    np.testing.assert_allclose(orthogonal_map(np.eye(2), np.array(Y)), Y, atol=1e-7)


def test_apply_map_gives_unit_rows_even_if_the_map_shrinks(rotated_copy):
    X, _, Q = rotated_copy(n=10)
    np.testing.assert_allclose(apply_map(X, 0.5 * Q), X @ Q, atol=1e-6)


@pytest.mark.parametrize("ridge", [0.0, 1.5])
def test_whitening_equals_the_power_of_a_matrix(ridge):
    X = np.random.default_rng(0).normal(size=(40, 5)) * [1, 2, 3, 4, 5]
    expected = fractional_matrix_power(X.T @ X + ridge * np.eye(5), -0.5)
    found = whitening(X, ridge)
    np.testing.assert_allclose(found.there, expected, atol=1e-12)
    np.testing.assert_allclose(found.back, np.linalg.inv(expected), atol=1e-10)


def test_whitened_dimensions_are_uncorrelated():
    X = np.random.default_rng(1).normal(size=(40, 5)).astype(np.float32) @ np.tri(5)
    Z = X @ whitening(X).there
    np.testing.assert_allclose(Z.T @ Z, np.eye(5), atol=1e-10)


def test_what_is_not_spanned_becomes_zero():
    X = np.array([[3.0, 0, 0], [0, 4.0, 0]])
    found = whitening(X)
    np.testing.assert_allclose(found.there, np.diag([1 / 3, 1 / 4, 0]), atol=1e-15)
    np.testing.assert_allclose(found.back, np.diag([3, 4, 0]), atol=1e-15)
    assert not whitening(np.zeros((2, 3))).there.any()
