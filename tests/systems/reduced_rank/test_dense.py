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
def test_inverse_is_whole_however_it_is_mirrored(make_data, monkeypatch, block):
    monkeypatch.setattr(dense, "BLOCK", block)
    K = (make_data().features[0] @ make_data().features[0].T).toarray()
    before = K.copy()
    G = dense._inverse(K, 0.3)
    np.testing.assert_allclose(G @ (K + 0.3 * np.eye(len(K))), np.eye(len(K)), atol=1e-12)
    np.testing.assert_array_equal(G, G.T)
    np.testing.assert_array_equal(K, before)


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
