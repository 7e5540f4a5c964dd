from dataclasses import replace

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.systems.reduced_rank import dense
from cr5.systems.reduced_rank.solution import count_nonzero, make_solution


def test_map_follows_equation_15(make_data, write_out):
    data = make_data()
    twin = write_out(data, 0.5)
    Phi = twin.P[:, :6].T @ twin.A.T @ np.linalg.inv(twin.B)
    Lambda, Q = np.linalg.eigh(Phi @ Phi.T)
    expected = (np.diag(Lambda**-0.5) @ Q.T @ Phi)[::-1].T  # T, largest Lambda first
    pairs = next(dense.eigenpairs(data.problem, 6, [0.5]))
    T = np.vstack(make_solution(pairs, data.problem).maps)
    np.testing.assert_allclose(T * np.sign(np.sum(T * expected, axis=0)), expected, atol=1e-8)


def test_stacked_map_is_orthonormal_and_split_by_language(make_data, structure):
    data = make_data(structure)
    pairs = next(dense.eigenpairs(data.problem, 14, [1e-4]))
    maps = make_solution(pairs, data.problem).maps
    assert [len(block) for block in maps] == [X.shape[1] for X in data.features]
    T = np.vstack(maps)
    np.testing.assert_allclose(T.T @ T, np.eye(T.shape[1]), atol=1e-12)
    assert np.all(T.max(axis=0) >= -T.min(axis=0))


def test_scaled_maps_are_those_of_less_rank_in_their_first_columns(make_data, write_out):
    data = make_data("a prior")
    twin = write_out(data, 0.5)
    pairs = next(dense.eigenpairs(data.problem, 6, [0.5]))
    P = pairs.vectors.copy()
    solution = make_solution(pairs, data.problem, ridge=0.25, scaling=0.5)
    Phi = np.linalg.solve(twin.B, twin.A @ P) * twin.mu[:6] ** 0.5
    expected = np.vstack([F.toarray() for F in data.prior]) @ Phi
    np.testing.assert_allclose(np.vstack(solution.maps), expected, atol=1e-10)
    assert [len(block) for block in solution.maps] == [X.shape[1] for X in data.features]
    assert solution.ridge == 0.25
    less = next(dense.eigenpairs(data.problem, 3, [0.5]))
    fewer = make_solution(less, data.problem, scaling=0.5).maps
    for narrow, wide in zip(fewer, solution.maps, strict=True):
        np.testing.assert_allclose(narrow, wide[:, :3], atol=1e-10)


@pytest.mark.parametrize("kind", ["aligned", "a prior"])
def test_single_precision_gives_the_same_map(make_data, kind):
    data = make_data(kind, K=60, sizes=(90, 40, 70))  # features and prior are double
    double = next(dense.eigenpairs(data.problem, 6, [0.5]))
    single = replace(double, coefficients=double.coefficients.astype(np.float32))
    left, right = (np.vstack(make_solution(p, data.problem).maps) for p in (single, double))
    assert left.dtype == np.float32
    np.testing.assert_allclose(left, right, atol=1e-4)


def test_nearly_dependent_columns_in_single_precision_become_orthonormal(make_data):
    data = make_data(K=60, sizes=(90, 40, 70))
    pairs = next(dense.eigenpairs(data.problem, 6, [0.5]))
    Phi = pairs.coefficients.copy()
    Phi[:, 5] = Phi[:, 4] * (1 + 1e-6)
    single = replace(pairs, coefficients=Phi.astype(np.float32))
    T = np.vstack(make_solution(single, data.problem).maps)
    assert T.dtype == np.float32
    np.testing.assert_allclose(T.T @ T, np.eye(6), atol=1e-5)


def test_zero_eigenvalues_do_not_count(make_data):
    problem = make_data("aligned").problem  # three languages: mu is at most 3
    assert count_nonzero(np.array([2.0, 1e-3, 2e-10, 1e-17]), problem, 1.0) == 2
    assert count_nonzero(np.array([2.0, 1e-3]), problem, 1.0, accuracy=1e-2) == 1


def test_no_eigenvalue_at_all_is_refused(make_data):
    with pytest.raises(UserError, match=r"ridge 7: .*nothing to learn"):
        count_nonzero(np.zeros(3), make_data().problem, 7.0)
