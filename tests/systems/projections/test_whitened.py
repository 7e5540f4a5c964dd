import numpy as np
import pytest
from scipy import linalg

from cr5.systems.algebra.threads import Threads
from cr5.systems.projections import pencils
from cr5.systems.projections.whitened import Whitened


def dense_twin(pencil):
    Z = pencil.Z.toarray()
    S = pencil.S.dense(Z)
    L = np.eye(len(S)) if pencil.N is None else np.linalg.cholesky(pencil.N.dense(Z))
    inverse = np.linalg.inv(L)
    return inverse @ S @ inverse.T, L


@pytest.fixture(params=["opca", "cca", "lsi"])
def pencil(request, make_documents):
    documents = make_documents(np.ones((2, 20), bool), separate=request.param == "cca")
    made = {"opca": pencils.opca, "lsi": pencils.lsi, "cca": lambda d: pencils.cca(d, (0, 30))}
    return made[request.param](documents)


def test_the_operator_is_its_dense_twin(pencil):
    A, L = dense_twin(pencil)
    V = np.random.default_rng(0).normal(size=(len(A), 5))
    with Threads(2) as threads:
        whitened = Whitened(pencil, threads)
        np.testing.assert_allclose(whitened(V), A @ V, atol=1e-9)
        back = V.copy()
        whitened.return_from(back)
    np.testing.assert_allclose(back, linalg.solve(L.T, V), atol=1e-9)


def test_a_block_of_it_is_that_of_the_twin(make_documents):
    pencil = pencils.cca(make_documents(np.ones((2, 20), bool), separate=True), (0, 30))
    A, _ = dense_twin(pencil)
    V = np.random.default_rng(0).normal(size=(30, 5))
    with Threads() as threads:
        whitened = Whitened(pencil, threads)
        one, other = whitened.blocks
        np.testing.assert_allclose(whitened.across(V, one, other), A[30:, :30] @ V, atol=1e-9)
        np.testing.assert_allclose(whitened.across(V, other, one), A[:30, 30:] @ V, atol=1e-9)
