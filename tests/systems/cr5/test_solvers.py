"""Both solvers against the paper's equations written out with dense matrices."""

import logging

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from cr5.base.errors import UserError
from cr5.systems.cr5 import iterative
from cr5.systems.cr5.problem import Problem
from cr5.systems.cr5.solver import choose_solver, solver

TOLERANCE = 1e-8


def solve(data, rank, *ridges, kind="dense", **how):
    """Values, residuals and T at each ridge, in turn."""
    asked = solver(data.problem, rank, kind, **how)
    return [found(asked.solve(ridge)) for ridge in ridges]


def found(solution):
    return solution, np.vstack(solution.maps(solution.rank))


def iterate(data, rank, *ridges, tolerance=TOLERANCE, **how):
    return solve(data, rank, *ridges, kind="iterative", tolerance=tolerance, **how)


def expected(twin, data, rank):
    """T of Eq. 15 from Phi' of Eq. 14, words of all languages x rank."""
    Phi = np.linalg.solve(twin.B, twin.A @ twin.P[:, :rank])
    if data.prior:
        Phi = np.vstack([F.toarray() for F in data.prior]) @ Phi
    Lambda, Q = np.linalg.eigh(Phi.T @ Phi)
    return (Phi @ Q / np.sqrt(Lambda))[:, ::-1]


def assert_same_columns(T, expected, atol):
    signs = np.sign(np.sum(T * expected, axis=0))
    np.testing.assert_allclose(T * signs, expected, atol=atol)
    np.testing.assert_allclose(T.T @ T, np.eye(T.shape[1]), atol=1e-12)
    assert np.all(T.max(axis=0) >= -T.min(axis=0))


@pytest.mark.parametrize("ridge", [0.01, 1.0, 30.0])
def test_dense_equals_the_equations_written_out(make_data, write_out, structure, ridge):
    data, rank = make_data(structure, seed=3), 5 if structure != "few words" else 3
    twin = write_out(data, ridge)
    asked = solver(data.problem, rank)
    solution = asked.solve(ridge)
    np.testing.assert_allclose(solution.values, twin.mu[:rank], rtol=1e-9)
    for r in (rank, 2):
        maps = solution.maps(r)
        assert [len(block) for block in maps] == [X.shape[1] for X in data.features]
        assert_same_columns(np.vstack(maps), expected(twin, data, r), 1e-9)
    asked.solve(7 * ridge)  # kernels are shared
    np.testing.assert_allclose(asked.solve(ridge).values, twin.mu[:rank], rtol=1e-9)


def test_full_rank_is_ridge_regression(make_data):
    data = make_data(K=14, sizes=(25, 18, 21))
    X = sparse.block_diag(data.features).toarray()
    Y = np.eye(14)[np.concatenate(data.concepts)]
    oracle = Ridge(alpha=0.7, fit_intercept=True).fit(X, Y)
    [(solution, T)] = solve(data, 14, 0.7)
    assert solution.rank == 13  # K - 1: the columns of Yhat sum to zero
    W = oracle.coef_.T
    np.testing.assert_allclose(T @ (T.T @ W), W, atol=1e-9)


@pytest.mark.parametrize("ridge", [1e-4, 0.3])
def test_nearly_dependent_columns_become_orthonormal(ridge):
    """Two concepts whose documents are nearly the same, and features of very different size."""
    rows = np.diag([1.0, 1.0, 1e-3, 1e-5, 1.0])
    rows[4, :4] = 0.2
    rows[1] = rows[0] + 1e-6 * rows[1]
    data = Problem([sparse.csr_matrix(rows)] * 2, [np.arange(5)] * 2, 5)
    solution = solver(data, 5).solve(ridge)
    T = np.vstack(solution.maps(solution.rank))
    np.testing.assert_allclose(T.T @ T, np.eye(solution.rank), atol=1e-7)


@pytest.mark.parametrize("kind", ["dense", "iterative"])
def test_scaled_maps_are_the_regression_times_mu(make_data, write_out, kind):
    data = make_data("a prior")
    twin = write_out(data, 0.5)
    Phi = np.linalg.solve(twin.B, twin.A @ twin.P[:, :6]) * twin.mu[:6]
    Phi = np.vstack([F.toarray() for F in data.prior]) @ Phi
    solution = solver(data.problem, 6, kind, TOLERANCE).solve(0.5)
    scaled = np.vstack(solution.scaled_maps())
    signs = np.sign(np.sum(scaled * Phi, axis=0))
    np.testing.assert_allclose(scaled * signs, Phi, atol=1e-6)


def test_disjoint_documents_have_the_eigenvalues_that_a_hand_finds():
    """X_l = I in two languages: M = 2 / (1 + lambda) (I - 11'/K), so K - 1 equal eigenvalues."""
    K, ridge = 50, 0.5
    problem = Problem([sparse.eye(K, format="csr")] * 2, [np.arange(K)] * 2, K)
    for kind, rank in (("dense", K), ("iterative", 30)):
        values = solver(problem, rank, kind, TOLERANCE).solve(ridge).values
        np.testing.assert_allclose(values, np.full(min(rank, K - 1), 2 / 1.5), rtol=1e-8)


def test_a_ridge_lost_in_rounding_is_refused(make_data):
    with pytest.raises(UserError, match=r"ridge 1e-300.*choose a larger ridge"):
        solve(make_data("identical documents"), 3, 1e-300)


def assert_agrees(left, right, rtol=1e-8, atol=1e-6):
    (one, T), (other, S) = left, right
    assert one.converged
    assert np.all(one.residuals <= 1.0001 * TOLERANCE * one.values + 1e-13)
    np.testing.assert_allclose(one.values, other.values, rtol=rtol)
    np.testing.assert_allclose(T @ (T.T @ S), S, atol=atol)


@pytest.mark.parametrize("seed", range(4))
def test_iterative_agrees_with_dense(make_data, seed):
    data = make_data(seed=seed, K=110, sizes=(130, 60, 90))
    exact = solver(data.problem, 8, "dense")
    asked = solver(data.problem, 8, "iterative", TOLERANCE, threads=1 + seed % 2, seed=seed)
    for ridge in (2.0, 0.2):
        assert_agrees(found(asked.solve(ridge)), found(exact.solve(ridge)))


@pytest.mark.parametrize("seed", range(2))
def test_iterative_agrees_with_dense_on_every_structure(make_data, structure, seed, monkeypatch):
    monkeypatch.setattr(iterative, "SMALL", 0)  # so that the basis has to be restarted
    data = make_data(structure, seed=seed, K=90, sizes=(120, 50, 80))
    rank = 10 if structure == "few words" else 12
    assert_agrees(iterate(data, rank, 0.5, seed=seed)[0], solve(data, rank, 0.5)[0])


@pytest.mark.parametrize("rank", [58, 60])
def test_iterative_agrees_with_dense_near_the_largest_rank(make_data, rank):
    data = make_data(K=60, sizes=(90, 40, 70))  # K - 1 eigenvalues are not zero
    [left], [right] = iterate(data, rank, 0.5), solve(data, rank, 0.5)
    assert left[0].rank == right[0].rank == min(rank, 59)
    assert_agrees(left, right)


@pytest.mark.parametrize("tolerance", [0.1, 0.01])
@pytest.mark.parametrize("ridge", [0.1, 1.0])
@pytest.mark.parametrize("kind", ["aligned", "a prior"])
def test_loose_tolerances_hold_in_single_precision(make_data, write_out, tolerance, ridge, kind):
    data, rank = make_data(kind, K=400, sizes=(600, 500)), 40
    [(solution, T)] = iterate(data, rank, ridge, tolerance=tolerance)
    twin = write_out(data, ridge)
    assert solution.converged
    assert T.dtype == np.float32
    np.testing.assert_allclose(T.T @ T, np.eye(rank), atol=1e-4)
    # the regression of P: P = M P / mu but for what is left of the residual
    assert np.all(solution.residuals <= tolerance * solution.values)
    best = twin.mu[:rank].sum()
    assert (1 - tolerance) * best < solution.values.sum() <= best * (1 + 1e-5)
    if kind == "aligned":
        Phi = solution.V.astype(float)
        P = twin.A.T @ Phi / solution.values  # M p / mu
        true = np.linalg.norm(twin.M @ P - P * solution.values, axis=0)
        assert np.all(true <= 1.3 * tolerance * solution.values)


@pytest.mark.parametrize("ranks", [(9, 5, 2), (2, 9)])
@pytest.mark.parametrize(("kind", "tolerance"), [("dense", 0.1), ("iterative", 1e-3)])
def test_lower_ranks_are_what_a_fit_of_that_rank_finds(make_data, kind, tolerance, ranks):
    data = make_data()
    solution = solver(data.problem, 9, kind, tolerance).solve(0.5)
    for rank in ranks:
        [(_, alone)] = solve(data, rank, 0.5)
        T = np.vstack(solution.maps(rank))
        np.testing.assert_allclose(T @ (T.T @ alone), alone, atol=1e-2)


@pytest.mark.parametrize("tolerance", [0.1, 1e-6])
def test_threads_change_no_byte(make_data, tolerance):
    data = make_data(K=300, sizes=(600, 600))
    results = [
        iterate(data, 40, 1.0, 0.3, tolerance=tolerance, threads=threads) for threads in (1, 2, 2)
    ]
    for each in zip(*results, strict=True):
        assert len({T.tobytes() for _, T in each}) == 1
        assert len({solution.residuals.tobytes() for solution, _ in each}) == 1


def test_a_ridge_starts_from_the_one_before(make_data):
    data = make_data(K=400, sizes=(600, 500))
    [(alone, _)] = iterate(data, 40, 0.9, tolerance=0.01)
    _, (warm, _) = iterate(data, 40, 1.0, 0.9, tolerance=0.01)
    assert warm.iterations < alone.iterations / 2
    np.testing.assert_allclose(warm.values, alone.values, rtol=1e-3)


def test_a_fit_that_has_not_converged_says_so(make_data, monkeypatch, caplog):
    monkeypatch.setattr(iterative, "MAX_ITERATIONS", 1)
    [(solution, _)] = iterate(make_data(K=60, sizes=(90, 40, 70)), 8, 0.01)
    assert not solution.converged
    assert "ridge 0.01: NOT CONVERGED" in caplog.text
    assert "NOT CONVERGED" in solution.report(8, 8)["warnings"][0]


def test_linear_systems_that_are_not_solved_are_told(make_data, monkeypatch):
    monkeypatch.setattr(iterative, "CG_ITERATIONS", 1)
    monkeypatch.setattr(iterative, "LEFT", 1e-6)
    assert not iterate(make_data(K=60, sizes=(90, 40, 70)), 8, 0.5, tolerance=0.05)[0][0].converged


def test_a_sample_of_the_concepts_gives_a_start(make_data, monkeypatch, caplog):
    monkeypatch.setattr(iterative, "PER_PAIR", 5)
    data = make_data(K=200, sizes=(230, 150))
    with caplog.at_level(logging.INFO):
        [learnt] = iterate(data, 8, 0.5)
    assert "learnt from 40 of 200 concepts" in caplog.text
    assert_agrees(learnt, solve(data, 8, 0.5)[0])


@pytest.mark.parametrize("tolerance", [0.1, TOLERANCE])
@pytest.mark.parametrize("seed", range(3))
def test_what_the_sample_has_not_seen_is_found(tolerance, seed):
    """Five concepts of a thousand have five documents each, all others one."""
    K = 1000
    labels = np.concatenate([np.arange(K), np.repeat(np.arange(500, 505), 4)])
    problem = Problem([sparse.csr_matrix(np.eye(K)[labels])], [labels], K)
    exact = solver(problem, 5, "dense").solve(1.0).values
    values = solver(problem, 5, "iterative", tolerance, seed=seed).solve(1.0).values
    np.testing.assert_allclose(values, exact, rtol=max(0.1 * tolerance, 1e-8))


def test_concepts_and_documents_without_any_word_spoil_no_start():
    K, words = 600, np.zeros((8, 50))
    words[[1, 4, 6], [3, 7, 9]] = 1
    problem = Problem([sparse.csr_matrix(words)] * 2, [np.arange(8) * 70] * 2, K)
    exact, near = (solver(problem, 3, x, TOLERANCE).solve(1.0) for x in ("dense", "iterative"))
    np.testing.assert_allclose(near.values, exact.values, rtol=1e-8)


def test_residuals_larger_than_estimated_make_the_iteration_go_on(make_data, monkeypatch, caplog):
    monkeypatch.setattr(iterative, "MARGIN", 50.0)  # far too bold
    with caplog.at_level(logging.INFO):
        [(solution, _)] = iterate(make_data(K=400, sizes=(600, 500)), 40, 1.0, tolerance=0.05)
    assert sum("of what is allowed" in each for each in caplog.messages) > 1
    assert solution.converged


@pytest.mark.parametrize("kind", ["dense", "iterative"])
def test_eigenvalues_are_between_zero_and_the_number_of_languages(make_data, kind):
    asked = solver(make_data().problem, 100, kind, TOLERANCE)
    for ridge in (1.0, 1e-3):
        values = asked.solve(ridge).values
        assert len(values) == 13  # K - 1
        assert 0 < values.min() <= values.max() <= 3 + 1e-9


@pytest.mark.parametrize("kind", ["dense", "iterative"])
@pytest.mark.parametrize(
    ("features", "concepts", "message"),
    [
        (sparse.csr_matrix((4, 3)), np.arange(4), "nothing to learn"),
        (sparse.csr_matrix(np.eye(3)), np.zeros(3, int), "two or more concepts"),
    ],
)
def test_data_that_tell_nothing_are_refused(kind, features, concepts, message):
    with pytest.raises(UserError, match=message):
        solver(Problem([features], [concepts], 1 + concepts.max()), 2, kind).solve(1.0)


@pytest.mark.parametrize(
    ("documents", "languages", "n_concepts", "expected"),
    [
        (14, 3, 14, "dense"),
        (6_001, 1, 10, "iterative"),
        (10, 1, 6_001, "iterative"),
        (5_000, 2, 5, "dense"),
        (5_000, 12, 5, "iterative"),  # 4.8 GB
    ],
)
def test_auto_takes_the_dense_solver_for_small_problems(documents, languages, n_concepts, expected):
    X, labels = sparse.csr_matrix(np.ones((documents, 1))), np.arange(documents) % n_concepts
    problem = Problem([X] * languages, [labels] * languages, n_concepts)
    assert choose_solver(problem) == expected
