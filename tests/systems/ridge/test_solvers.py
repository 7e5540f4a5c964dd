"""Both solvers against the paper's equations written out, and their products against NumPy."""

import logging

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from cr5.base.errors import UserError
from cr5.systems.algebra import threads
from cr5.systems.algebra.threads import ROWS, Threads, multiply_transposed
from cr5.systems.ridge import iterative_solver, linear_systems
from cr5.systems.ridge.dense_solver import Dense, is_small
from cr5.systems.ridge.iterative_solver import Iterative
from cr5.systems.ridge.problem import Problem, Solution, factor
from tests.systems.ridge.problems import STRUCTURES, dense_prior, make_problem, write_out

TOLERANCE = 1e-3


def dense(problem, rank):
    return Dense(problem, rank, Threads())


def iterating(problem, rank, tolerance=TOLERANCE, seed=0, number=1):
    solver = Iterative(problem, rank, Threads(number), seed)
    solver.tolerance = tolerance
    return solver


WAYS = [dense, iterating]


def with_map(solution):
    return solution, np.vstack(solution.maps(solution.rank))


def iterate(problem, rank, *ridges, **how):
    """Solutions and T at each ridge, in turn."""
    solver = iterating(problem, rank, **how)
    return [with_map(solver.solve(ridge)) for ridge in ridges]


def expected(twin, problem, rank):
    """T of Eq. 15 from Phi' of Eq. 14, words of all languages x rank."""
    Phi = vectors_of_words(twin, problem, rank)
    Lambda, Q = np.linalg.eigh(Phi.T @ Phi)
    T_of_rising = Phi @ Q / np.sqrt(Lambda)
    return T_of_rising[:, ::-1]


def vectors_of_words(twin, problem, rank):
    """Phi' of Eq. 14, or F Phi' if there is a prior."""
    Phi = np.linalg.solve(twin.B, twin.A @ twin.P[:, :rank])
    if problem.prior:
        return dense_prior(problem) @ Phi
    return Phi


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("ridge", [0.01, 30.0])
def test_dense_equals_the_equations_written_out(structure, ridge):
    problem = make_problem(structure, seed=3)
    n_words = [X.shape[1] for X in problem.features]
    rank = 5
    if structure == "few words":
        rank = 3
    twin = write_out(problem, ridge)
    mu = twin.mu[:rank]
    solver = dense(problem, rank)
    solution = solver.solve(ridge)
    np.testing.assert_allclose(solution.values, mu, rtol=1e-9)
    for n_columns in (rank, 2):
        maps = solution.maps(n_columns)
        assert [len(map_of_language) for map_of_language in maps] == n_words
        T = np.vstack(maps)
        exact = expected(twin, problem, n_columns)
        signs = np.sign(np.sum(T * exact, axis=0))
        np.testing.assert_allclose(T * signs, exact, atol=1e-9)
        np.testing.assert_allclose(T.T @ T, np.eye(n_columns), atol=1e-12)
        assert np.all(T.max(axis=0) >= -T.min(axis=0))
    solver.solve(7 * ridge)  # kernels are shared
    solution_again = solver.solve(ridge)
    np.testing.assert_allclose(solution_again.values, mu, rtol=1e-9)


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("restarts", [False, True])
def test_the_iteration_comes_as_near_as_asked(structure, restarts, monkeypatch):
    if restarts:
        monkeypatch.setattr(iterative_solver, "SMALL", 0)
    problem = make_problem(structure, seed=1, K=90, sizes=(120, 50, 80))
    ridge = 0.5
    rank = 12
    if structure == "few words":
        rank = 10
    twin = write_out(problem, ridge)
    _, (solution, T) = iterate(problem, rank, 2.0, ridge)
    mu = twin.mu[: solution.rank]
    exact = expected(twin, problem, solution.rank)
    assert solution.converged
    assert np.all(solution.residuals <= TOLERANCE * mu)
    np.testing.assert_allclose(solution.values, mu, rtol=2e-5)
    in_span_of_T = T @ (T.T @ exact)
    np.testing.assert_allclose(in_span_of_T, exact, atol=5e-3)
    np.testing.assert_allclose(T.T @ T, np.eye(solution.rank), atol=1e-5)
    # Phi' diag(mu), from the products of its rows: pairs of nearly equal mu may turn
    exact_scaled = vectors_of_words(twin, problem, solution.rank) * mu
    exact_products = exact_scaled @ exact_scaled.T
    scaled = np.vstack(solution.scaled_maps()).astype(float)
    tolerance = 0.01 * np.max(exact_products)
    np.testing.assert_allclose(scaled @ scaled.T, exact_products, atol=tolerance)


@pytest.mark.parametrize("tolerance", [0.1, 0.01])
@pytest.mark.parametrize("ridge", [0.1, 1.0])
def test_residuals_are_those_of_the_equations(tolerance, ridge):
    problem = make_problem(K=400, sizes=(600, 500))
    rank = 40
    [(solution, _)] = iterate(problem, rank, ridge, tolerance=tolerance)
    twin = write_out(problem, ridge)
    mu = solution.values
    best_sum = twin.mu[:rank].sum()
    assert (1 - tolerance) * best_sum < mu.sum() <= best_sum * (1 + 1e-5)
    P = twin.A.T @ solution.Phi.astype(float) / mu  # M p / mu
    remainders = twin.M @ P - P * mu
    residuals = np.linalg.norm(remainders, axis=0)
    assert np.all(residuals <= 1.3 * tolerance * mu)


@pytest.mark.parametrize("left", [0.01, 0.001])
def test_regressions_are_solved_to_the_share_that_is_asked_for(left, monkeypatch):
    """B Phi' = A P of Eq. 14, where Phi' - E is the Ritz vectors, D their remainder and B E = D."""
    problem = make_problem(K=400, sizes=(600, 500))
    ridge = 0.1
    solved = []
    solve = iterative_solver.conjugate_gradients

    def watched(threads, operator, r, *how):
        D = r.astype(float)
        solution = solve(threads, operator, r, *how)
        solved.append((D, solution.x))
        return solution

    monkeypatch.setattr(iterative_solver, "conjugate_gradients", watched)
    B = write_out(problem, ridge).B

    def largest_share_left(share_asked_for):
        solution = Iterative(problem, 40, Threads(), left=share_asked_for).solve(ridge)
        D, E = solved[-1]
        AP = B @ (solution.Phi - E) + D
        not_solved = np.linalg.norm(D - B @ E, axis=0)
        return np.max(not_solved / np.linalg.norm(AP, axis=0))

    assert largest_share_left(left) <= 1.01 * left
    assert largest_share_left(None) > 1.01 * left


def test_a_feature_of_no_word_is_no_part_of_a_prior():
    """One that every word has weighs nothing: F F' is (I + gamma N N') / (1 + gamma)."""
    N = np.array([[1.0, 0, 2], [0, 0, 1], [3, 0, 0]])
    gamma = 0.5
    [F] = factor([sparse.csr_matrix(N)], gamma, [sparse.csr_matrix(np.eye(3))])
    expected = (np.eye(3) + gamma * N @ N.T) / (1 + gamma)
    np.testing.assert_allclose((F @ F.T).toarray(), expected, atol=1e-12)


def test_full_rank_is_ridge_regression():
    problem = make_problem(K=14, sizes=(25, 18, 21))
    X = sparse.block_diag(problem.features).toarray()
    Y = np.eye(14)[np.concatenate(problem.concepts)]
    regression = Ridge(alpha=0.7, fit_intercept=True).fit(X, Y)
    W = regression.coef_.T
    solution, T = with_map(dense(problem, 14).solve(0.7))
    assert solution.rank == 13  # K - 1: the columns of Yhat sum to zero
    in_span_of_T = T @ (T.T @ W)
    np.testing.assert_allclose(in_span_of_T, W, atol=1e-9)


@pytest.mark.parametrize("ridge", [1e-4, 0.3])
def test_nearly_dependent_columns_become_orthonormal(ridge):
    """Two concepts whose documents are nearly the same, and features of very different size."""
    rows = np.diag([1.0, 1.0, 1e-3, 1e-5, 1.0])
    rows[4, :4] = 0.2
    rows[1] = rows[0] + 1e-6 * rows[1]
    problem = Problem([sparse.csr_matrix(rows)] * 2, [np.arange(5)] * 2, 5)
    solution, T = with_map(dense(problem, 5).solve(ridge))
    np.testing.assert_allclose(T.T @ T, np.eye(solution.rank), atol=1e-7)


@pytest.mark.parametrize(("dtype", "smallest", "off"), [("f4", 3e-4, 1e-6), ("f8", 1e-6, 1e-7)])
def test_what_rounding_takes_from_dependent_columns_is_restored(dtype, smallest, off):
    generator = np.random.default_rng(0)
    left, _ = np.linalg.qr(generator.standard_normal((500, 6)))
    right, _ = np.linalg.qr(generator.standard_normal((6, 6)))
    singular_values = np.geomspace(1, smallest, 6)
    columns = left * singular_values @ right.T
    problem = Problem([sparse.csr_matrix((6, 500))], [np.arange(6)], 6)
    solution = Solution(
        problem,
        Threads(),
        ridge=1.0,
        values=np.ones(6),
        residuals=np.zeros(6),
        Phi=columns.astype(dtype),
    )
    [T] = solution.maps(6)
    np.testing.assert_allclose(T.T @ T, np.eye(6), atol=off)
    cosines = np.abs(np.sum(T * left, axis=0))
    np.testing.assert_allclose(cosines, 1, atol=1e-5)


def test_a_ridge_lost_in_rounding_is_refused():
    with pytest.raises(UserError, match=r"ridge 1e-300.*choose a larger ridge"):
        dense(make_problem("identical documents"), 3).solve(1e-300)


def test_threads_change_no_byte(monkeypatch):
    monkeypatch.setattr(threads, "ROWS", 100)
    problem = make_problem(K=300, sizes=(600, 600))

    def bytes_of_ridges(n_threads):
        solutions = iterate(problem, 40, 1.0, 0.3, number=n_threads)
        return [T.tobytes() + solution.residuals.tobytes() for solution, T in solutions]

    expected = bytes_of_ridges(1)
    assert bytes_of_ridges(2) == expected
    assert bytes_of_ridges(2) == expected


def test_a_ridge_starts_from_the_one_before():
    problem = make_problem(K=400, sizes=(600, 500))
    [(alone, _)] = iterate(problem, 40, 0.9, tolerance=0.01)
    _, (warm, _) = iterate(problem, 40, 1.0, 0.9, tolerance=0.01)
    assert warm.iterations < alone.iterations / 2
    np.testing.assert_allclose(warm.values, alone.values, rtol=1e-3)


@pytest.mark.parametrize(
    ("module", "limits"),
    [
        (iterative_solver, {"MAX_ITERATIONS": 1}),
        (linear_systems, {"CG_ITERATIONS": 1, "LEFT": 1e-6}),
    ],
)
def test_a_fit_that_has_not_converged_says_so(monkeypatch, module, limits, caplog):
    for name, value in limits.items():
        monkeypatch.setattr(module, name, value)
    [(solution, _)] = iterate(make_problem(K=60, sizes=(90, 40, 70)), 8, 0.01, tolerance=0.05)
    assert not solution.converged
    assert "ridge 0.01: NOT CONVERGED" in caplog.text
    assert "NOT CONVERGED" in solution.report(8, [8])["warnings"][0]


def test_a_sample_of_the_concepts_gives_a_start(monkeypatch, caplog):
    monkeypatch.setattr(iterative_solver, "PER_PAIR", 5)
    problem = make_problem(K=200, sizes=(230, 150))
    with caplog.at_level(logging.INFO):
        [(learnt, _)] = iterate(problem, 8, 0.5)
    assert "learnt from 40 of 200 concepts" in caplog.text
    exact = dense(problem, 8).solve(0.5)
    np.testing.assert_allclose(learnt.values, exact.values, rtol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_what_the_sample_has_not_seen_is_found(seed):
    """Five concepts of a thousand have five documents each, all others one."""
    K = 1000
    further_labels = np.repeat(np.arange(500, 505), 4)
    labels = np.concatenate([np.arange(K), further_labels])
    X = sparse.csr_matrix(np.eye(K)[labels])
    problem = Problem([X], [labels], K)
    exact = dense(problem, 5).solve(1.0)
    solution = iterating(problem, 5, 0.1, seed).solve(1.0)
    np.testing.assert_allclose(solution.values, exact.values, rtol=0.01)


def test_concepts_and_documents_without_any_word_spoil_no_start():
    counts = np.zeros((8, 50))
    counts[[1, 4, 6], [3, 7, 9]] = 1
    X = sparse.csr_matrix(counts)
    labels = np.arange(8) * 70
    problem = Problem([X, X], [labels, labels], 600)
    exact = dense(problem, 3).solve(1.0)
    solution = iterating(problem, 3).solve(1.0)
    np.testing.assert_allclose(solution.values, exact.values, rtol=1e-5)


def test_residuals_larger_than_estimated_make_the_iteration_go_on(monkeypatch, caplog):
    monkeypatch.setattr(iterative_solver, "MARGIN", 50.0)  # far too bold
    with caplog.at_level(logging.INFO):
        [(solution, _)] = iterate(make_problem(K=400, sizes=(600, 500)), 40, 1.0, tolerance=0.05)
    assert caplog.text.count("of what is allowed") > 1
    assert solution.converged


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("features", "concepts", "message"),
    [
        (sparse.csr_matrix((4, 3)), np.arange(4), "nothing to learn"),
        (sparse.csr_matrix(np.eye(3)), np.zeros(3, int), "two or more concepts"),
    ],
)
def test_data_that_tell_nothing_are_refused(way, features, concepts, message):
    problem = Problem([features], [concepts], 1 + concepts.max())
    with pytest.raises(UserError, match=message):
        way(problem, 2).solve(1.0)


@pytest.mark.parametrize(
    ("documents", "languages", "n_concepts", "small"),
    [
        (14, 3, 14, True),
        (6_001, 1, 10, False),
        (10, 1, 6_001, False),
        (5_000, 2, 5, True),
        (5_000, 12, 5, False),  # 4.8 GB
    ],
)
def test_what_is_small(documents, languages, n_concepts, small):
    X = sparse.csr_matrix((documents, 1))
    labels = np.arange(documents) % n_concepts
    problem = Problem([X] * languages, [labels] * languages, n_concepts)
    assert is_small(problem) == small
    identity = sparse.identity(1)
    coupled = Problem([X, X], [labels, labels], n_concepts, [identity, identity])
    is_small_together = small and documents < 3_001  # one kernel for all
    assert is_small(coupled) == is_small_together


def rows_of_every_length(dtype):
    """Rows of 0 to 11 entries, so that blocks of entries have every remainder."""
    generator = np.random.default_rng(4)
    counts = np.arange(24) % 12
    columns = [generator.choice(13, count, replace=False) for count in counts]
    entries = generator.standard_normal(counts.sum()).astype(dtype)
    ends = np.concatenate([[0], np.cumsum(counts)])
    return sparse.csr_matrix((entries, np.concatenate(columns), ends), shape=(24, 13))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 5, 32, 64, 75])
def test_products_equal_the_dense_ones(dtype, width, monkeypatch):
    monkeypatch.setattr(threads, "ROWS", 5)
    X = rows_of_every_length(dtype)
    generator = np.random.default_rng(5)
    U = generator.standard_normal((13, width)).astype(dtype)
    Z = generator.standard_normal((24, width)).astype(dtype)
    shift = generator.standard_normal(width).astype(dtype)
    accuracy = 50 * np.finfo(dtype).eps
    two_threads = Threads(2)
    block = two_threads.filled("any", U)
    assert all(row.ctypes.data % 64 == 0 for row in block)  # cache lines
    array = np.full((24, width + 2), np.nan, dtype)
    products = array[:, 1:-1]
    beside = array[:, [0, -1]]
    two_threads.multiply(X, block, shift, products)
    expected_products = X.toarray() @ U - shift
    np.testing.assert_allclose(products, expected_products, atol=accuracy)
    assert np.isnan(beside).all()
    transposed_products = multiply_transposed(X, Z, shift)
    expected_products = X.T @ (Z - shift)
    np.testing.assert_allclose(transposed_products, expected_products, atol=accuracy)


def test_long_sums_are_kept_in_double_precision():
    size = 2 * ROWS + 5
    ones = np.ones((size, 1), np.float32)
    tiny = np.full((size, 1), np.float32(2**-13))
    tiny[0] = 2**13  # single precision loses every other term beside it
    exact = 2**13 + (size - 1) * 2**-13
    total = Threads().inner(ones, tiny)[0, 0]
    lost_in_a_piece = 0.51 * ROWS * 2**-13
    assert abs(total - exact) < lost_in_a_piece + 1e-9
