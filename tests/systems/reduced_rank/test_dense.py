import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.systems.reduced_rank import dense
from cr5.systems.reduced_rank.problem import make_problem


@pytest.mark.parametrize("ridge", [0.01, 1.0, 30.0])
def test_equals_the_equations_written_out(make_data, write_out, structure, ridge):
    data = make_data(structure, seed=3)
    twin = write_out(data, ridge)
    rank = 5 if structure != "few words" else 3
    pairs = next(dense.eigenpairs(data.problem, rank, [ridge]))
    np.testing.assert_allclose(pairs.values, twin.mu[:rank], rtol=1e-9)
    np.testing.assert_allclose(twin.M @ pairs.vectors, pairs.vectors * twin.mu[:rank], atol=1e-12)
    np.testing.assert_allclose(pairs.vectors.T @ pairs.vectors, np.eye(rank), atol=1e-12)
    expected = np.linalg.solve(twin.B, twin.A @ pairs.vectors)
    np.testing.assert_allclose(pairs.coefficients, expected, atol=1e-10 / ridge)


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_inverse_of_sums_and_of_documents_is_the_whole_one(monkeypatch, block):
    """Three documents of one concept, out of order, two of another, one of the third."""
    monkeypatch.setattr(dense, "BLOCK", block)
    rng = np.random.default_rng(0)
    X, concepts = rng.standard_normal((6, 9)), [2, 0, 2, 1, 0, 2]
    Y, K = np.eye(4)[concepts], X @ X.T
    G = np.linalg.inv(K + 0.3 * np.eye(6))
    found = dense._rotated(K.copy(), sparse.csr_matrix(Y)).inverse(0.3)
    np.testing.assert_allclose(found.concepts, Y.T @ G @ Y, atol=1e-12)
    np.testing.assert_array_equal(found.G, found.G.T)
    V = rng.standard_normal((4, 5))
    np.testing.assert_allclose(found.documents(V), G @ Y @ V, atol=1e-12)


def test_kernels_shared_between_ridges_stay_as_they_are(make_data, write_out):
    data = make_data()
    ridges = [1.0, 0.1, 1.0]
    values = [pairs.values for pairs in dense.eigenpairs(data.problem, 4, ridges)]
    for ridge, found in zip(ridges, values, strict=True):
        np.testing.assert_allclose(found, write_out(data, ridge).mu[:4], rtol=1e-10)


def test_disjoint_documents_have_the_eigenvalues_that_a_hand_finds():
    """X_l = I in two languages: M = 2 / (1 + lambda) (I - 11'/K), so K - 1 equal eigenvalues."""
    K, ridge = 6, 0.5
    problem = make_problem([sparse.eye(K, format="csr")] * 2, [np.arange(K)] * 2, K)
    pairs = next(dense.eigenpairs(problem, K, [ridge]))
    np.testing.assert_allclose(pairs.values, np.full(K - 1, 2 / 1.5), rtol=1e-12)


def test_ridge_lost_in_rounding_is_refused(make_data):
    data = make_data("identical documents")
    with pytest.raises(UserError, match=r"ridge 1e-300.*choose a larger ridge"):
        next(dense.eigenpairs(data.problem, 3, [1e-300]))
