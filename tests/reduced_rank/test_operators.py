import numpy as np
import pytest

from cr5.reduced_rank.operators import CrossProduct, InverseGram, LanguageGram

RIDGE = 0.2


@pytest.fixture
def generator():
    return np.random.default_rng(11)


def test_cross_product_equals_its_dense_twin(make_data, write_out, structure, generator):
    data = make_data(structure)
    A, twin = CrossProduct(data.problem), write_out(data, RIDGE).A
    assert A.shape == twin.shape
    P = generator.standard_normal((twin.shape[1], 3))
    U = generator.standard_normal((twin.shape[0], 3))
    np.testing.assert_allclose(A.matmat(P), twin @ P, atol=1e-12)
    np.testing.assert_allclose(A.adjoint(U), twin.T @ U, atol=1e-12)


def test_cross_product_passes_the_dot_test(make_data, generator):
    A = CrossProduct(make_data().problem)
    U, P = (generator.standard_normal((size, 4)) for size in A.shape)
    assert np.vdot(U, A.matmat(P)) == pytest.approx(np.vdot(A.adjoint(U), P), rel=1e-12)


def test_language_gram_equals_its_dense_twin(make_data, generator):
    X = make_data("empty columns").features[0]
    D = LanguageGram(X, RIDGE)
    twin = X.toarray().T @ X.toarray() + RIDGE * np.eye(X.shape[1])
    U = generator.standard_normal((X.shape[1], 3))
    np.testing.assert_allclose(D.matmat(U), twin @ U, atol=1e-12)
    np.testing.assert_allclose(D.diagonal, np.diag(twin), atol=1e-12)
    solve = D.solve(U, 1e-12, 100)
    assert solve.converged
    np.testing.assert_allclose(solve.value, np.linalg.solve(twin, U), atol=1e-9)


@pytest.mark.parametrize("ridge", [1e-3, 0.2, 5.0])
def test_inverse_gram_equals_its_dense_twin(make_data, write_out, structure, ridge, generator):
    data = make_data(structure)
    inverse, twin = InverseGram(data.problem, ridge, 1e-13, 500), write_out(data, ridge).B
    assert inverse.shape == twin.shape
    U = generator.standard_normal((len(twin), 3))
    expected = np.linalg.solve(twin, U)
    np.testing.assert_allclose(inverse.matmat(U), expected, atol=1e-8 * np.abs(expected).max())
    assert inverse.converged


def test_inverse_gram_passes_the_dot_test(make_data, generator):
    inverse = InverseGram(make_data().problem, RIDGE, 1e-13, 500)
    U, V = (generator.standard_normal((inverse.shape[0], 4)) for _ in range(2))
    left, right = np.vdot(U, inverse.matmat(V)), np.vdot(inverse.matmat(U), V)
    assert left == pytest.approx(right, rel=1e-10)


def test_j_is_the_difference_of_large_numbers_that_it_replaces(make_data, write_out):
    data = make_data()
    twin = write_out(data, RIDGE)
    n, p = twin.X.shape
    m = twin.X.mean(axis=0)
    expected = n * (1 - n * m @ np.linalg.solve(twin.X.T @ twin.X + RIDGE * np.eye(p), m))
    inverse = InverseGram(data.problem, RIDGE, 1e-10, 500)
    np.testing.assert_allclose(inverse.J, expected, rtol=1e-10)


def test_inverse_gram_remembers_a_failure(make_data, generator):
    inverse = InverseGram(make_data().problem, 1e-6, 1e-10, 2)
    assert not inverse.converged
