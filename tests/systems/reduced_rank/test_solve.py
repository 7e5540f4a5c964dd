import weakref

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from cr5.base.errors import UserError
from cr5.systems.reduced_rank import dense, iterative, solve
from cr5.systems.reduced_rank.problem import make_problem
from cr5.systems.reduced_rank.solve import choose_solver


def fit(data, rank=5, ridges=(0.5,), **options):
    return list(solve.fit(data.features, data.concepts, data.n_concepts, rank, ridges, **options))


def embed(data, solution):
    rows = np.vstack([X @ T for X, T in zip(data.features, solution.maps, strict=True)])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_full_rank_is_ridge_regression(make_data):
    data = make_data(K=14, sizes=(25, 18, 21))
    X = sparse.block_diag(data.features).toarray()
    Y = np.eye(14)[np.concatenate(data.concepts)]
    oracle = Ridge(alpha=0.7, fit_intercept=True).fit(X, Y)
    pairs = next(dense.eigenpairs(data.problem, 13, [0.7]))
    assert len(pairs.values) == 13  # K - 1: the columns of Yhat sum to zero
    W = pairs.vectors @ pairs.coefficients.T  # concepts x words, Eq. 14
    np.testing.assert_allclose(W, oracle.coef_, atol=1e-9)
    predicted = Y.mean(axis=0) + (X - X.mean(axis=0)) @ W.T
    np.testing.assert_allclose(predicted, oracle.predict(X), atol=1e-9)


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_eigenvalues_are_between_zero_and_the_number_of_languages(make_data, solver):
    for solution in fit(make_data(), 14, [1e-3, 1.0], solver=solver, tolerance=1e-8):
        assert solution.values.min() > 0
        assert solution.values.max() <= 3 + 1e-9
        assert np.all(np.diff(solution.values) <= 0)


def test_rank_larger_than_possible_is_reduced(make_data):
    for solver in ("dense", "iterative"):
        (solution,) = fit(make_data(K=14), 100, solver=solver, tolerance=1e-8)
        assert solution.rank == 13
        assert all(block.shape[1] == 13 for block in solution.maps)


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_few_words_limit_the_rank(make_data, solver):
    data = make_data("few words", K=60)  # 4 + 3 + 5 words
    (solution,) = fit(data, 30, solver=solver, tolerance=1e-3)
    assert solution.rank == 12


def test_the_ridge_changes_the_fit(make_data):
    data = make_data(K=30, sizes=(60, 60))
    weak, strong = fit(data, ridges=[0.01, 10.0])
    assert np.all(weak.values > strong.values)
    cosines = [embed(data, solution) @ embed(data, solution).T for solution in (weak, strong)]
    assert np.abs(cosines[0] - cosines[1]).max() > 0.05


def test_single_precision_features_are_computed_in_double(make_data):
    data = make_data()
    rounded = [X.astype(np.float32) for X in data.features]
    single = fit(type(data)(rounded, data.concepts, data.n_concepts))[0]
    double = fit(type(data)([X.astype(float) for X in rounded], data.concepts, 14))[0]
    np.testing.assert_array_equal(single.maps[0], double.maps[0])
    assert single.maps[0].dtype == np.float64


def test_features_are_left_as_they_are(make_data):
    data = make_data()
    before = [X.toarray() for X in data.features]
    fit(data, ridges=[1.0, 0.1])
    for X, copy in zip(data.features, before, strict=True):
        np.testing.assert_array_equal(X.toarray(), copy)


def test_auto_takes_the_dense_solver_for_small_problems(make_data):
    assert choose_solver(make_data().problem) == "dense"
    assert fit(make_data(), solver="auto")[0].solver == "dense"


@pytest.mark.parametrize(("documents", "n_concepts"), [(6_001, 10), (10, 6_001)])
def test_auto_takes_the_iterative_solver_for_large_problems(documents, n_concepts):
    X = sparse.csr_matrix(np.ones((documents, 1)))
    labels = np.arange(documents) % n_concepts
    assert choose_solver(make_problem([X], [labels], n_concepts)) == "iterative"


def test_auto_looks_at_the_memory_of_many_languages():
    X, labels = sparse.csr_matrix(np.ones((5_000, 1))), np.zeros(5_000, int)
    few, many = ([X] * count for count in (2, 12))  # 0.8 and 4.8 GB
    assert choose_solver(make_problem(few, [labels] * 2, 5)) == "dense"
    assert choose_solver(make_problem(many, [labels] * 12, 5)) == "iterative"


def test_paper_is_the_paper_s_tolerance(make_data):
    data = make_data(K=60, sizes=(90, 40, 70))
    named, number = (
        fit(data, solver="iterative", tolerance=tolerance)[0] for tolerance in ("paper", 0.1)
    )
    assert named.maps[0].tobytes() == number.maps[0].tobytes()
    assert np.all(named.residuals <= 0.1 * named.values)


def test_the_estimate_of_memory_is_written_before_the_fit(make_data, caplog):
    data = make_data()
    with caplog.at_level("INFO"):
        solutions = solve.fit(data.features, data.concepts, 14, 5, [1.0], solver="iterative")
    assert "iterative solver: about 0.2 GiB beside the features" in caplog.text
    assert next(solutions).estimated_bytes == iterative.iterative_bytes(data.problem, 5, np.float32)


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_documents_without_any_word_are_refused(solver):
    X = sparse.csr_matrix((4, 3))
    with pytest.raises(UserError, match="nothing to learn"):
        list(solve.fit([X, X], [np.arange(4)] * 2, 4, 2, [1.0], solver=solver))


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_a_single_concept_is_refused(solver):
    X = sparse.csr_matrix(np.eye(3))
    with pytest.raises(UserError, match="two or more concepts"):
        list(solve.fit([X], [np.zeros(3, int)], 1, 2, [1.0], solver=solver))


@pytest.mark.parametrize("ranks", [[], [3, 1]])
@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_nothing_of_a_ridge_is_held_while_the_next_one_is_solved(
    make_data, monkeypatch, solver, ranks
):
    made, real = [], solve.make_solution

    def remembered(pairs, *rest):
        made.append(weakref.ref(pairs))
        return real(pairs, *rest)

    monkeypatch.setattr(solve, "make_solution", remembered)
    data = make_data()
    ridges = [3.0, 1.0, 0.3]
    options = {"ridges": ridges, "solver": solver, "tolerance": 1e-4, "ranks": ranks}
    solutions = solve.fit(data.features, data.concepts, 14, 4, **options)
    for number in range(1, 4):
        for _ in (4, *ranks):
            made.append(weakref.ref(next(solutions)))
        assert len(made) == 2 * number * (1 + len(ranks))
        assert [each() for each in made] == [None] * len(made)


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_lower_ranks_are_what_a_fit_of_that_rank_finds(make_data, solver):
    data = make_data()
    given = data.features, data.concepts, 14
    options = {"ridges": [3.0, 0.5], "solver": solver, "tolerance": 1e-8}
    found = list(solve.fit(*given, 9, ranks=[2, 5, 9], **options))
    assert [(each.ridge, each.rank) for each in found] == [
        *[(3.0, 9), (3.0, 5), (3.0, 2)],
        *[(0.5, 9), (0.5, 5), (0.5, 2)],
    ]
    for each in found:
        [alone] = solve.fit(*given, each.rank, **{**options, "ridges": [each.ridge]})
        np.testing.assert_allclose(each.values, alone.values, rtol=1e-9)
        for ours, theirs in zip(each.maps, alone.maps, strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_ranks_beyond_what_the_data_have_are_one(make_data):
    data = make_data()
    found = solve.fit(data.features, data.concepts, 14, 14, [1.0], ranks=[4, 13, 14])
    assert [each.rank for each in found] == [13, 4]  # 14 concepts, centred


@pytest.mark.parametrize("ranks", [[5, 10], [0], [2.5]])
def test_ranks_above_the_rank_of_the_fit_are_refused(make_data, ranks):
    data = make_data()
    with pytest.raises(UserError, match=rf"ranks has {ranks[-1]}, expected .* from 1 to rank, 9"):
        solve.fit(data.features, data.concepts, 14, 9, [1.0], ranks=ranks)


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_ridges_are_taken_one_by_one(make_data, solver):
    """So whoever gives them may decide on the next one by the solutions before it."""
    taken = []

    class Ridges:
        def __iter__(self):
            for ridge in (3.0, 1.0, 0.3):
                taken.append(ridge)
                yield ridge

    data = make_data()
    solutions = solve.fit(data.features, data.concepts, 14, 4, Ridges(), solver, 1e-4)
    for number in range(1, 4):
        next(solutions)
        assert len(taken) == number
