import numpy as np
import pytest
from scipy import linalg

from cr5.base.errors import UserError
from cr5.systems.algebra import krylov
from cr5.systems.algebra.threads import Threads
from cr5.systems.projections import pencils
from cr5.systems.projections import solve as solving
from cr5.systems.projections.solve import Whitened, solve

WAYS = ("dense", "iterative")


@pytest.fixture(params=["opca", "opca of few words", "cca", "lsi"])
def pencil(request, make_documents, presence):
    separate, p = request.param == "cca", 15 if "few" in request.param else 250
    documents = make_documents(presence, p=p, separate=separate, density=0.1)
    if request.param == "lsi":
        return pencils.lsi(documents.Z)
    if separate:
        return pencils.cca(documents, tuple(range(0, p * len(presence), p)), 2.0)
    return pencils.opca(documents, 0.5)


@pytest.mark.parametrize("solver", WAYS)
def test_every_way_finds_what_scipy_finds_in_the_matrices_written_out(pencil, solver):
    Z = pencil.Z.toarray()
    S = pencil.S.dense(Z)
    N = np.eye(len(S)) if pencil.N is None else pencil.N.dense(Z)
    values, vectors = linalg.eigh(S, N)
    found = solve(pencil, 9, solver=solver, tolerance=1e-10)
    np.testing.assert_allclose(found.values, values[::-1][:9], rtol=1e-8)
    V = vectors[:, ::-1][:, :9]
    np.testing.assert_allclose(np.abs(np.diag(V.T @ N @ found.vectors)), 1, atol=1e-6)
    np.testing.assert_allclose(found.vectors.T @ N @ found.vectors, np.eye(9), atol=1e-8)
    assert (found.vectors.max(axis=0) >= -found.vectors.min(axis=0)).all()
    assert found.facts["solver"] == solver


@pytest.mark.parametrize("solver", WAYS)
def test_more_pairs_than_there_are_give_the_rank(make_documents, solver):
    documents = make_documents(np.ones((2, 6), bool), p=150)
    found = solve(pencils.opca(documents, 0.5), 100, solver=solver)
    assert len(found.values) == 10  # M (n - 1)


@pytest.mark.parametrize("solver", WAYS)
@pytest.mark.parametrize("p", [150, 300])
def test_more_pairs_of_cca_than_there_are_give_the_rank(make_documents, solver, p):
    documents = make_documents(np.ones((2, 12), bool), p=p, separate=True)
    found = solve(pencils.cca(documents, (0, p), 2.0), 100, solver=solver)
    assert len(found.values) == 11  # n - 1, the positive half of the pairs


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_byte(pencil, threads):
    first, second = (solve(pencil, 9, each, "iterative") for each in (1, threads))
    assert first.values.tobytes() == second.values.tobytes()
    assert first.vectors.tobytes() == second.vectors.tobytes()


def test_what_has_not_converged_is_said(make_documents, monkeypatch):
    monkeypatch.setattr(krylov, "RESTARTS", 0)
    documents = make_documents(np.ones((2, 400), bool), p=500, density=0.05)
    found = solve(pencils.opca(documents, 0.5), 20, solver="iterative", tolerance=1e-14)
    assert found.facts["converged"] is False
    assert 0 < found.facts["unconverged"] <= 20
    assert found.facts["largest_residual"] > 1e-14


@pytest.mark.parametrize("n", [6, 100])
@pytest.mark.parametrize("solver", WAYS)
def test_a_gamma_that_rounding_swallows_is_refused(make_documents, solver, n):
    documents = make_documents(np.ones((2, n), bool), p=150)
    if n < 10 and solver == "dense":
        return  # in the space of the rows N is not singular
    with pytest.raises(UserError, match=r"gamma 1e-30 is too small .*; raise it"):
        solve(pencils.opca(documents, 1e-30), 3, solver=solver)


def test_small_problems_are_dense(make_documents, monkeypatch):
    pencil = pencils.opca(make_documents(np.ones((2, 40), bool)))
    assert solve(pencil, 3).facts["solver"] == "dense"
    monkeypatch.setattr(solving, "SMALL", 20)
    assert solve(pencil, 3).facts["solver"] == "iterative"


@pytest.mark.parametrize("kind", ["opca", "cca", "lsi"])
def test_the_whitened_operator_is_its_dense_twin(make_documents, kind):
    documents = make_documents(np.ones((2, 20), bool), separate=kind == "cca")
    pencil = pencils.opca(documents) if kind == "opca" else pencils.lsi(documents.Z)
    pencil = pencils.cca(documents, (0, 30)) if kind == "cca" else pencil
    Z = pencil.Z.toarray()
    S = pencil.S.dense(Z)
    L = np.eye(len(S)) if pencil.N is None else np.linalg.cholesky(pencil.N.dense(Z))
    A = linalg.solve(L, linalg.solve(L, S).T).T
    V, whitened = np.random.default_rng(0).normal(size=(len(A), 5)), Whitened(pencil, Threads(2))
    np.testing.assert_allclose(whitened(V), A @ V, atol=1e-9)
    back = V.copy()
    whitened.return_from(back)
    np.testing.assert_allclose(back, linalg.solve(L.T, V), atol=1e-9)
    if kind == "cca":
        for one, here, there in ((0, slice(30), slice(30, 60)), (1, slice(30, 60), slice(30))):
            found = whitened.across(V[here], one, 1 - one)
            np.testing.assert_allclose(found, A[there, here] @ V[here], atol=1e-9)
