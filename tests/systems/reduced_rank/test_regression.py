import numpy as np
import pytest

from cr5.systems.reduced_rank import regression
from cr5.systems.reduced_rank.basis import Basis
from cr5.systems.reduced_rank.operators import CentredFeatures, Concepts, RidgeGram

RIDGE = 0.4


@pytest.mark.parametrize("left", [0.4, 1e-8])
def test_the_regression_and_the_residuals_are_those_written_out(
    make_data, write_out, threads, left, monkeypatch
):
    monkeypatch.setattr(regression, "LEFT", left)
    data = make_data(K=40, sizes=(50, 30, 45))
    twin, problem = write_out(data, RIDGE), data.problem
    Xhat, Y = CentredFeatures(problem, threads), Concepts(problem, threads)
    basis = Basis(Xhat, Y, 60, 20, threads)
    start = np.random.default_rng(2).standard_normal((40, 30))  # far from converged
    basis.append(twin.A @ start, RIDGE)
    basis.restart(RIDGE)
    before = [each.copy() for each in basis.columns()]
    found = regression.regress(basis, RidgeGram(Xhat, problem, RIDGE), slice(1, 4), 500)
    assert found.converged
    P, mu = found.vectors, basis.theta[1:4]
    W, Z = (each for each in basis.columns())
    np.testing.assert_allclose(P.T @ P, np.eye(3), atol=1e-10)
    assert (np.abs(P).max(axis=0) == P.max(axis=0)).all()
    assert np.all(np.diag(P.T @ twin.M @ P) > mu - 1e-10)
    rhs, scale = twin.A @ P, np.sqrt(np.diag(twin.B))[:, None]
    flips = np.sign(np.diag(P.T @ twin.Y.T @ before[1][:, 1:4]))
    remainder = rhs - twin.B @ (before[0][:, 1:4] * flips * np.sqrt(mu))
    misfit = np.linalg.norm((twin.B @ W[:, 1:4] - rhs) / scale, axis=0)
    assert np.all(misfit <= 1.001 * left * np.linalg.norm(remainder / scale, axis=0))
    np.testing.assert_allclose(Z, (twin.X - twin.X.mean(axis=0)) @ W, atol=1e-10)
    np.testing.assert_array_equal(W[:, [0, 4]], before[0][:, [0, 4]])
    true = np.linalg.norm(twin.M @ P - P * mu, axis=0)
    assert true.min() > 0.02
    np.testing.assert_allclose(found.residuals, true, rtol=0.3 if left == 0.4 else 1e-6)
