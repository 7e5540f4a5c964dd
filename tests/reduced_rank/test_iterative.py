import logging

import numpy as np
import pytest
from scipy import linalg, sparse

from cr5.reduced_rank import dense, iterative
from cr5.reduced_rank.problem import make_problem

TOLERANCE = 1e-9


def solve(data, rank, ridges, tolerance=TOLERANCE, max_iterations=500, seed=0):
    return list(iterative.eigenpairs(data.problem, rank, ridges, tolerance, max_iterations, seed))


@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_the_dense_solver(make_data, seed):
    data = make_data(seed=seed, K=110, sizes=(130, 60, 90))
    ridges = [2.0, 0.2]
    exact = dense.eigenpairs(data.problem, 8, ridges)
    for left, right in zip(solve(data, 8, ridges, seed=seed), exact, strict=True):
        assert left.converged
        assert left.residuals.max() <= TOLERANCE * left.values[0]
        np.testing.assert_allclose(left.values, right.values, rtol=1e-6)
        assert linalg.subspace_angles(left.vectors, right.vectors).max() < 1e-5
        assert linalg.subspace_angles(left.coefficients, right.coefficients).max() < 1e-5


def test_equals_the_equations_written_out(make_data, write_out, structure):
    data = make_data(structure, seed=5)
    rank = 5 if structure != "few words" else 3
    twin = write_out(data, 0.3)
    pairs = solve(data, rank, [0.3])[0]
    np.testing.assert_allclose(pairs.values, twin.mu[:rank], rtol=1e-8)
    expected = np.linalg.solve(twin.B, twin.A @ pairs.vectors)
    np.testing.assert_allclose(pairs.coefficients, expected, atol=1e-7)


def test_equal_eigenvalues_are_all_found():
    K = 50
    problem = make_problem([sparse.eye(K, format="csr")] * 2, [np.arange(K)] * 2, K)
    pairs = next(iterative.eigenpairs(problem, 30, [1.0], TOLERANCE, 100, 0))
    np.testing.assert_allclose(pairs.values, np.ones(30), rtol=1e-8)


def test_reported_residuals_are_those_of_the_matrix_written_out(make_data, write_out):
    data = make_data(K=60, sizes=(90, 40, 70))
    M = write_out(data, 0.5).M
    pairs = solve(data, 5, [0.5], tolerance=1e-2)[0]
    expected = np.linalg.norm(M @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    assert expected.max() > 1e-6  # the tolerance is loose, so there is something to report
    np.testing.assert_allclose(pairs.residuals, expected, rtol=0.2, atol=1e-3 * pairs.values[0])


def test_a_fit_that_has_not_converged_says_so(make_data, caplog):
    data = make_data(K=60, sizes=(90, 40, 70))
    with caplog.at_level(logging.WARNING):
        pairs = solve(data, 8, [0.01], max_iterations=1)[0]
    assert not pairs.converged
    assert "NOT CONVERGED" in caplog.text
    assert "ridge 0.01" in caplog.text


def test_a_fit_that_has_converged_is_silent(make_data, caplog):
    with caplog.at_level(logging.WARNING):
        assert solve(make_data(), 3, [1.0])[0].converged
    assert caplog.text == ""
