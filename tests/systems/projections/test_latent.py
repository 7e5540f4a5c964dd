import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD

from cr5.systems.projections import latent


@pytest.fixture(params=["dense", "iterated"], autouse=True)
def way(request, monkeypatch):
    """Both ways, whatever the size."""
    monkeypatch.setattr(latent, "DENSE", 10**6 if request.param == "dense" else 0)


@pytest.mark.parametrize("shape", [(60, 90), (90, 60)])
def test_cosines_are_those_of_scikit_learn(shape):
    generator = np.random.default_rng(1)
    D = sparse.random_array(shape, density=0.2, rng=generator, format="csr")
    V = latent.right_singular_vectors(D, 12, seed=4)
    other = TruncatedSVD(12, algorithm="arpack", random_state=0).fit(D)
    np.testing.assert_allclose(V.T @ V, np.eye(12), atol=1e-9)
    X = sparse.random_array((7, shape[1]), density=0.3, rng=generator, format="csr")
    Y, Z = X @ V, other.transform(X)
    np.testing.assert_allclose(Y @ Y.T, Z @ Z.T, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(D @ V, axis=0), other.singular_values_)
    again = latent.right_singular_vectors(D, 12, seed=4)
    np.testing.assert_array_equal(V, again)


def test_no_more_vectors_than_the_rank():
    generator = np.random.default_rng(2)
    D = sparse.csr_matrix(generator.normal(size=(30, 3)) @ generator.normal(size=(3, 40)))
    V = latent.right_singular_vectors(D, 8, seed=1)
    assert V.shape == (40, 3)
    np.testing.assert_allclose(D @ V @ V.T, D.toarray(), atol=1e-9)


def test_a_matrix_of_zeros_has_none():
    assert latent.right_singular_vectors(sparse.csr_matrix((4, 6)), 2, 1).shape == (6, 0)
