import numpy as np
import pytest
from scipy import linalg

from cr5.base import memory
from cr5.base.errors import UserError
from cr5.systems.projections import pencils
from cr5.systems.projections.solve import SolveSettings, choose_solver, solve

WAYS = ("rows", "columns", "iterative")


@pytest.fixture(params=["opca", "cca", "lsi"])
def pencil(request, make_documents, presence):
    separate = request.param == "cca"
    documents = make_documents(presence, p=250, separate=separate, density=0.1)
    if request.param == "lsi":
        return pencils.lsi(documents)
    if separate:
        return pencils.cca(documents, tuple(range(0, 250 * len(presence), 250)), 2.0)
    return pencils.opca(documents, 0.5)


@pytest.mark.parametrize("solver", WAYS)
def test_every_way_finds_what_scipy_finds_in_the_matrices_written_out(pencil, solver):
    Z = pencil.Z.toarray()
    S = pencil.S.dense(Z)
    N = np.eye(len(S)) if pencil.N is None else pencil.N.dense(Z)
    values, vectors = linalg.eigh(S, N)
    found = solve(pencil, 9, SolveSettings(solver, 1e-10))
    np.testing.assert_allclose(found.values, values[::-1][:9], rtol=1e-8)
    V = vectors[:, ::-1][:, :9]
    np.testing.assert_allclose(np.abs(np.diag(V.T @ N @ found.vectors)), 1, atol=1e-6)
    np.testing.assert_allclose(found.vectors.T @ N @ found.vectors, np.eye(9), atol=1e-8)
    assert (found.vectors.max(axis=0) >= -found.vectors.min(axis=0)).all()
    assert found.facts["solver"] == solver


@pytest.mark.parametrize("solver", WAYS)
def test_more_pairs_than_there_are_give_the_rank(make_documents, solver):
    documents = make_documents(np.ones((2, 6), bool), p=150)
    found = solve(pencils.opca(documents, 0.5), 100, SolveSettings(solver))
    assert len(found.values) == 10  # M (n - 1)


@pytest.mark.parametrize("solver", WAYS)
@pytest.mark.parametrize("p", [150, 300])
def test_more_pairs_of_cca_than_there_are_give_the_rank(make_documents, solver, p):
    documents = make_documents(np.ones((2, 12), bool), p=p, separate=True)
    found = solve(pencils.cca(documents, (0, p), 2.0), 100, SolveSettings(solver))
    assert len(found.values) == 11  # n - 1, the positive half of the pairs


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_byte(pencil, threads):
    first, second = (
        solve(pencil, 9, SolveSettings("iterative", threads=each)) for each in (1, threads)
    )
    assert first.values.tobytes() == second.values.tobytes()
    assert first.vectors.tobytes() == second.vectors.tobytes()


def test_what_has_not_converged_is_said(make_documents):
    documents = make_documents(np.ones((2, 400), bool), p=500, density=0.05)
    settings = SolveSettings("iterative", 1e-14, max_restarts=0)
    found = solve(pencils.opca(documents, 0.5), 20, settings)
    assert found.facts["converged"] is False
    assert 0 < found.facts["unconverged"] <= 20
    assert found.facts["largest_residual"] > 1e-14


def test_a_gamma_that_rounding_swallows_is_refused(make_documents):
    documents = make_documents(np.ones((2, 6), bool), p=150)
    for solver in ("columns", "iterative"):
        with pytest.raises(UserError, match=r"gamma 1e-30 is too small .*; raise it"):
            solve(pencils.opca(documents, 1e-30), 3, SolveSettings(solver))


def test_what_does_not_fit_is_refused_with_the_remedy(make_documents, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 1000)
    documents = make_documents(np.ones((2, 6), bool))
    with pytest.raises(UserError, match=r"30 columns, 5 dimensions.*lower max_words"):
        solve(pencils.opca(documents), 5, SolveSettings())


def test_small_problems_are_solved_where_they_are_smaller(make_documents, monkeypatch):
    few, many = (make_documents(np.ones((2, n), bool)) for n in (5, 40))
    assert choose_solver(pencils.opca(few)) == "rows"
    assert choose_solver(pencils.opca(many)) == "columns"
    monkeypatch.setattr("cr5.systems.projections.solve.SMALL", 20)
    assert choose_solver(pencils.opca(many)) == "iterative"
