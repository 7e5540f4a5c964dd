import logging

import numpy as np
import pytest
from scipy import linalg, sparse

from cr5.systems.algebra.threads import Threads
from cr5.systems.reduced_rank import basis, dense, iterative, regression
from cr5.systems.reduced_rank.problem import make_problem

TOLERANCE = 1e-8


def solve(
    data, rank, ridges, tolerance=TOLERANCE, max_iterations=2000, seed=0, threads=None, cg=2000
):
    given = data.problem, rank, ridges, tolerance, max_iterations, seed, threads or Threads(), cg
    return list(iterative.eigenpairs(*given))


def assert_same_spaces(left, right, gap=1e-3):
    """Principal angles between the spaces of the leading pairs, up to each gap of the values."""
    values = right.values
    ends = np.flatnonzero(values[:-1] - values[1:] > gap * values[0]) + 1
    assert len(ends)
    for end in ends[:: max(1, len(ends) // 4)]:
        for name in ("vectors", "coefficients"):
            spaces = [getattr(each, name)[:, :end] for each in (left, right)]
            assert linalg.subspace_angles(*spaces).max() < 1e-5


def assert_agree(left, right):
    assert left.converged
    assert np.all(left.residuals <= TOLERANCE * left.values + 1e-13)
    np.testing.assert_allclose(left.values, right.values, rtol=1e-8)
    assert_same_spaces(left, right)


@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_the_dense_solver(make_data, seed):
    data = make_data(seed=seed, K=110, sizes=(130, 60, 90))
    ridges = [2.0, 0.2]
    exact = dense.eigenpairs(data.problem, 8, ridges)
    for left, right in zip(solve(data, 8, ridges, seed=seed), exact, strict=True):
        assert_agree(left, right)


@pytest.mark.parametrize("seed", range(2))
def test_agrees_with_the_dense_solver_on_every_structure(make_data, structure, seed, monkeypatch):
    monkeypatch.setattr(basis, "SMALL", 0)  # so that the basis has to be restarted
    data = make_data(structure, seed=seed, K=90, sizes=(120, 50, 80))
    rank = 10 if structure == "few words" else 12
    exact = next(dense.eigenpairs(data.problem, rank, [0.5]))
    assert_agree(solve(data, rank, [0.5], seed=seed)[0], exact)


def test_agrees_with_the_dense_solver_wherever_it_computes(make_data, threads):
    data = make_data(K=110, sizes=(130, 60, 90))
    exact = dense.eigenpairs(data.problem, 8, [2.0, 0.2])
    for left, right in zip(solve(data, 8, [2.0, 0.2], threads=threads), exact, strict=True):
        assert_agree(left, right)


@pytest.mark.parametrize("rank", [58, 59, 60])
def test_agrees_with_the_dense_solver_near_the_largest_rank(make_data, rank):
    data = make_data(K=60, sizes=(90, 40, 70))  # K - 1 eigenvalues are not zero
    exact = next(dense.eigenpairs(data.problem, rank, [0.5]))
    found = solve(data, rank, [0.5])[0]
    assert len(found.values) == min(rank, 59)
    assert_agree(found, exact)


@pytest.mark.parametrize("tolerance", [0.1, 0.01])
@pytest.mark.parametrize("ridge", [0.1, 1.0])
@pytest.mark.parametrize("kind", ["aligned", "a prior"])
def test_loose_tolerances_hold_in_single_precision(make_data, write_out, tolerance, ridge, kind):
    data = make_data(kind, K=400, sizes=(600, 500))
    pairs = solve(data, 40, [ridge], tolerance=tolerance)[0]
    twin = write_out(data, ridge)
    assert pairs.converged
    assert pairs.vectors.dtype == np.float32
    P = pairs.vectors.astype(float)
    np.testing.assert_allclose(P.T @ P, np.eye(40), atol=1e-4)
    true = np.linalg.norm(twin.M @ P - P * pairs.values, axis=0)
    # Reported residuals rest on linear systems that are solved loosely themselves.
    assert np.all(true <= 1.3 * tolerance * pairs.values)
    np.testing.assert_allclose(pairs.residuals, true, rtol=0.3, atol=0.1 * tolerance)
    rhs, scale = twin.A @ P, np.sqrt(np.diag(twin.B))[:, None]
    misfit = np.linalg.norm((twin.B @ pairs.coefficients - rhs) / scale, axis=0)
    assert np.all(misfit <= tolerance * np.linalg.norm(rhs / scale, axis=0))
    best = twin.mu[:40].sum()
    assert (1 - tolerance) * best < pairs.values.sum() <= best * (1 + 1e-5)


@pytest.mark.parametrize("tolerance", [0.1, 1e-6])
def test_threads_change_no_byte(make_data, tolerance):
    data = make_data(K=300, sizes=(600, 600))
    results = [
        solve(data, 40, [1.0, 0.3], tolerance, threads=Threads(threads)) for threads in (1, 2, 2)
    ]
    for pairs in zip(*results, strict=True):
        assert len({each.vectors.tobytes() for each in pairs}) == 1
        assert len({each.coefficients.tobytes() for each in pairs}) == 1
        assert len({each.residuals.tobytes() for each in pairs}) == 1


def test_a_ridge_starts_from_the_one_before(make_data):
    data = make_data(K=400, sizes=(600, 500))
    alone = solve(data, 40, [0.9], tolerance=0.01)[0]
    warm = solve(data, 40, [1.0, 0.9], tolerance=0.01)[1]
    assert warm.iterations < alone.iterations / 2
    np.testing.assert_allclose(warm.values, alone.values, rtol=1e-3)


def test_equal_eigenvalues_are_all_found():
    K = 50
    problem = make_problem([sparse.eye(K, format="csr")] * 2, [np.arange(K)] * 2, K)
    pairs = next(iterative.eigenpairs(problem, 30, [1.0], TOLERANCE, 100, 0, Threads()))
    np.testing.assert_allclose(pairs.values, np.ones(30), rtol=1e-8)


def test_reported_residuals_are_those_of_the_matrix_written_out(make_data, write_out):
    data = make_data(K=60, sizes=(90, 40, 70))
    M = write_out(data, 0.5).M
    pairs = solve(data, 5, [0.5], tolerance=1e-2)[0]
    expected = np.linalg.norm(M @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    assert expected.max() > 1e-6  # the tolerance is loose, so there is something to report
    np.testing.assert_allclose(pairs.residuals, expected, rtol=0.3, atol=1e-3 * pairs.values[0])


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


def test_a_sample_of_the_concepts_gives_a_start(make_data, monkeypatch, caplog, threads):
    monkeypatch.setattr(iterative, "PER_PAIR", 5)
    data = make_data(K=200, sizes=(230, 150))
    with caplog.at_level(logging.INFO):
        learnt = solve(data, 8, [0.5], threads=threads)[0]
    assert "learnt from 40 of 200 concepts" in caplog.text
    assert_agree(learnt, next(dense.eigenpairs(data.problem, 8, [0.5])))


def test_a_sample_is_at_most_a_quarter_of_the_concepts(make_data, caplog):
    with caplog.at_level(logging.INFO):
        solve(make_data(K=600, sizes=(700, 500)), 20, [1.0], tolerance=0.05)
    assert "learnt from" not in caplog.text


@pytest.mark.parametrize("tolerance", [0.1, TOLERANCE])
@pytest.mark.parametrize("seed", range(3))
def test_what_the_sample_has_not_seen_is_found(tolerance, seed):
    """Five concepts of a thousand have five documents each, all others one."""
    K = 1000
    labels = np.concatenate([np.arange(K), np.repeat(np.arange(500, 505), 4)])
    words = sparse.csr_matrix(np.eye(K)[labels])
    problem = make_problem([words], [labels], K)
    exact = next(dense.eigenpairs(problem, 5, [1.0]))
    pairs = next(iterative.eigenpairs(problem, 5, [1.0], tolerance, 500, seed, Threads()))
    assert pairs.converged
    np.testing.assert_allclose(pairs.values, exact.values, rtol=max(0.1 * tolerance, 1e-8))


@pytest.mark.parametrize("seed", range(3))
def test_concepts_and_documents_without_any_word_spoil_no_start(seed):
    K, words = 600, np.zeros((8, 50))
    words[[1, 4, 6], [3, 7, 9]] = 1
    problem = make_problem([sparse.csr_matrix(words)] * 2, [np.arange(8) * 70] * 2, K)
    exact = next(dense.eigenpairs(problem, 3, [1.0]))
    pairs = next(iterative.eigenpairs(problem, 3, [1.0], TOLERANCE, 500, seed, Threads()))
    np.testing.assert_allclose(pairs.values, exact.values, rtol=1e-8)


def test_residuals_larger_than_estimated_make_the_iteration_go_on(make_data, monkeypatch, caplog):
    monkeypatch.setattr(iterative, "MARGIN", 50.0)  # far too bold
    data = make_data(K=400, sizes=(600, 500))
    with caplog.at_level(logging.INFO):
        pairs = solve(data, 40, [1.0], tolerance=0.05)[0]
    attempts = [each for each in caplog.messages if "of what is allowed" in each]
    assert len(attempts) > 1
    assert pairs.converged


def test_the_reason_is_named_where_linear_systems_are_not_solved(make_data, monkeypatch, caplog):
    monkeypatch.setattr(regression, "LEFT", 1e-30)
    with caplog.at_level(logging.WARNING):
        assert not solve(make_data(), 3, [1.0], tolerance=0.1, cg=30)[0].converged
    assert "linear systems were not solved within cg_iterations steps" in caplog.text
