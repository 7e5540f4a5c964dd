import numpy as np
import pytest

from cr5.systems.reduced_rank.basis import Basis
from cr5.systems.reduced_rank.operators import CentredFeatures, Concepts, RidgeGram
from cr5.systems.reduced_rank.regression import regress

RIDGE = 0.4


@pytest.mark.parametrize("inner", [1e-2, 1e-8])
def test_the_regression_and_the_residuals_are_those_written_out(
    make_data, write_out, device, inner
):
    data = make_data(K=40, sizes=(50, 30, 45))
    twin, problem = write_out(data, RIDGE), data.problem
    Xhat, Y = CentredFeatures(problem, device), Concepts(problem, device)
    basis = Basis(Xhat, Y, 60, 20, device)
    start = np.random.default_rng(2).standard_normal((40, 30))  # far from converged
    basis.append(device.put(twin.A @ start), RIDGE)
    found = regress(basis, RidgeGram(Xhat, problem, RIDGE), np.array([0, 3, 4]), inner, 500)
    assert found.converged
    P, mu = found.vectors, basis.theta[[0, 3, 4]]
    np.testing.assert_allclose(P.T @ P, np.eye(3), atol=1e-10)
    assert np.all(np.diag(P.T @ twin.M @ P) > mu - 1e-10)
    rhs, scale = twin.A @ P, np.sqrt(np.diag(twin.B))[:, None]
    misfit = np.linalg.norm((twin.B @ found.coefficients - rhs) / scale, axis=0)
    assert np.all(misfit <= 1.001 * inner * np.linalg.norm(rhs / scale, axis=0))
    true = np.linalg.norm(twin.M @ P - P * mu, axis=0)
    assert true.min() > 0.02
    np.testing.assert_allclose(found.residuals, true, rtol=0.1 if inner == 1e-2 else 1e-6)
