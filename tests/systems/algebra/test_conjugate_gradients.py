import numpy as np
import pytest

from cr5.systems.algebra import conjugate_gradients
from cr5.systems.algebra.conjugate_gradients import Deflation
from cr5.systems.algebra.threads import Threads


@pytest.fixture
def system():
    """A matrix and planted solutions, one of them zero."""
    generator = np.random.default_rng(1)
    F = generator.standard_normal((240, 200))
    A = F.T @ F + np.diag(np.logspace(-2, 2, 200))
    planted = generator.standard_normal((200, 12))
    planted[:, 3] = 0
    return A, planted


def solve(operator, rhs, diagonal, tolerance, max_iterations, directions=None, threads=None):
    """Without deflation unless directions are given."""
    threads = threads or Threads()
    if directions is None:
        directions = np.zeros((len(rhs), 0), rhs.dtype)

    with threads:
        deflation = Deflation(threads, operator, directions)
        rhs, diagonal = rhs.copy(), diagonal[:, None]
        result = conjugate_gradients.solve(
            threads, operator, rhs, diagonal, tolerance, max_iterations, deflation
        )
    return result


def test_recovers_planted_solutions(system, threads):
    A, planted = system
    result = solve(lambda U: A @ U, A @ planted, np.diag(A), 1e-12, 500, threads=threads)
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
    given = (lambda U: A @ U), A @ planted, np.diag(A)
    result = solve(*given, lambda deflated: tolerances, 500)
    assert result.converged
    assert np.all(result.residuals <= tolerances)
    loose, tight = (solve(*given, each, 500).iterations for each in (1e-2, 1e-10))
    assert loose < tight == result.iterations


def test_columns_together_take_fewer_steps_than_alone(system):
    A, planted = system
    alone = [
        solve(lambda U: A @ U, A @ planted[:, [column]], np.diag(A), 1e-6, 500).iterations
        for column in range(3)
    ]
    together = solve(lambda U: A @ U, A @ planted, np.diag(A), 1e-6, 500)
    assert together.iterations < min(alone)


def test_dependent_columns_are_solved_too(system):
    A, planted = system
    planted = planted[:, :2] @ np.array([[1, 0, 1, 2, 0], [0, 1, 1, -1, 0.0]])
    result = solve(lambda U: A @ U, A @ planted, np.diag(A), 1e-10, 500)
    assert result.converged
    np.testing.assert_allclose(result.value, planted, atol=1e-6)


def test_single_precision_stays_single(system):
    A, planted = (each.astype(np.float32) for each in system)
    result = solve(lambda U: A @ U, A @ planted, np.diag(A), 1e-3, 500)
    assert result.converged
    assert result.value.dtype == np.float32


def test_a_zero_right_hand_side_costs_nothing():
    result = solve(lambda U: U[:, :0], np.zeros((5, 2)), np.ones(5), 1e-8, 10)
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


@pytest.fixture
def outliers():
    """A matrix with three eigenvalues far above the others, relative to its diagonal."""
    generator = np.random.default_rng(3)
    V = generator.standard_normal((200, 3)) * [1e2, 2e2, 4e2]
    F = generator.standard_normal((200, 200)) / 20
    A = V @ V.T + F @ F.T + np.diag(np.logspace(0, 2, 200))
    return A, V, generator.standard_normal((200, 5))


@pytest.mark.parametrize("dependent", [False, True])
def test_deflation_saves_steps_and_changes_no_solution(outliers, dependent, threads):
    A, V, b = outliers
    plain = solve(lambda U: A @ U, b, np.diag(A), 1e-8, 500)
    directions = np.hstack([V, V[:, :2] - V[:, 2:], np.zeros((200, 1))]) if dependent else V
    deflated = solve(lambda U: A @ U, b, np.diag(A), 1e-8, 500, directions, threads)
    assert deflated.converged
    assert deflated.iterations < plain.iterations - 2
    np.testing.assert_allclose(deflated.value, np.linalg.solve(A, b), rtol=1e-5, atol=1e-8)
    scale = np.sqrt(np.diag(A))[:, None]
    true = np.linalg.norm((b - A @ deflated.value) / scale, axis=0)
    np.testing.assert_allclose(
        deflated.residuals, true / np.linalg.norm(b / scale, axis=0), atol=1e-9
    )


def test_what_deflation_solves_takes_no_step(outliers):
    A, V, _ = outliers
    result = solve(lambda U: A @ U, A @ V, np.diag(A), 1e-6, 9, V)
    assert (result.converged, result.iterations) == (True, 0)
    np.testing.assert_allclose(result.value, V, rtol=1e-6)
