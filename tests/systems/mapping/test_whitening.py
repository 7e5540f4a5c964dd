import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power

from cr5.systems.mapping.whitening import whitening


@pytest.mark.parametrize("ridge", [0.0, 1.5])
def test_equals_the_power_of_a_matrix(ridge):
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
