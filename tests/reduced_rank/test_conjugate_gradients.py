import numpy as np
import pytest

from cr5.reduced_rank.conjugate_gradients import WIDTH, solve


@pytest.fixture
def system():
    """A matrix and 2.5 blocks of planted solutions, one of them zero."""
    generator = np.random.default_rng(1)
    F = generator.standard_normal((40, 30))
    A = F.T @ F + np.diag(np.logspace(-2, 2, 30))
    planted = generator.standard_normal((30, 2 * WIDTH + WIDTH // 2))
    planted[:, 3] = 0
    return A, planted


def test_recovers_planted_solutions(system):
    A, planted = system
    result = solve(lambda U: A @ U, A @ planted, np.diag(A), 1e-12, 500)
    assert result.converged
    np.testing.assert_allclose(result.value, planted, atol=1e-8)


def test_reports_the_true_residuals(system):
    A, planted = system
    b = A @ planted
    result = solve(lambda U: A @ U, b, np.diag(A), 1e-3, 500)
    misfit, norms = (
        np.linalg.norm(each / np.sqrt(np.diag(A))[:, None], axis=0)
        for each in (b - A @ result.value, b)
    )
    expected = np.divide(misfit, norms, out=np.zeros_like(misfit), where=norms > 0)
    np.testing.assert_allclose(result.residuals, expected, atol=1e-12)
    assert 0 < result.residuals.max() <= 1e-3


def test_each_column_may_have_a_tolerance_of_its_own(system):
    A, planted = system
    tolerances = np.where(np.arange(planted.shape[1]) % 2, 1e-2, 1e-10)
    result = solve(lambda U: A @ U, A @ planted, np.diag(A), tolerances, 500)
    assert result.converged
    assert np.all(result.residuals <= tolerances)
    assert result.residuals[1::2].max() > 1e-6


def test_single_precision_stays_single(system):
    A, planted = (each.astype(np.float32) for each in system)
    result = solve(lambda U: A @ U, A @ planted, np.diag(A), 1e-3, 500)
    assert result.converged
    assert result.value.dtype == np.float32


def test_a_zero_right_hand_side_costs_nothing():
    result = solve(pytest.fail, np.zeros((5, 2)), np.ones(5), 1e-8, 10)
    assert (result.converged, result.iterations) == (True, 0)
    np.testing.assert_array_equal(result.value, np.zeros((5, 2)))


def test_the_preconditioner_solves_a_diagonal_system_in_one_step():
    diagonal = np.logspace(-6, 6, 50)
    result = solve(lambda U: diagonal[:, None] * U, np.ones((50, 3)), diagonal, 1e-10, 9)
    assert result.iterations == 1
    np.testing.assert_allclose(result.value, np.repeat(1 / diagonal[:, None], 3, axis=1))


def test_too_few_iterations_are_reported(system):
    A, planted = system
    result = solve(lambda U: A @ U, A @ planted, np.diag(A), 1e-12, 2)
    assert not result.converged
    assert result.iterations == 2
    assert result.residuals.max() > 1e-12
