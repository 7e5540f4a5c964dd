import numpy as np
import pytest

from cr5.base import memory
from cr5.base.errors import UserError
from cr5.systems.reduced_rank import basis, dense, iterative, solve


def test_the_estimate_counts_the_arrays_of_the_basis(make_data):
    data = make_data()  # 42 documents, 64 words
    problem, rank = data.problem, 5
    columns = basis.basis_size(problem, rank, np.float64)
    assert iterative.iterative_bytes(problem, rank, np.float64) > 8 * (42 + 64) * columns
    copied = iterative.iterative_bytes(problem, rank, np.float32)
    shared = iterative.iterative_bytes(problem.astype(np.float32), rank, np.float32)
    nonzeros = sum(X.nnz for X in problem.features)
    assert copied - shared == 4 * nonzeros


def test_a_prior_ties_the_kernels_and_widens_the_basis(make_data):
    plain, tied = make_data().problem, make_data("a prior").problem
    assert dense.kernel_sizes(plain) == [14, 14, 14]
    assert dense.kernel_sizes(tied) == [42]
    assert dense.dense_bytes(tied) == 8 * (2 * 42**2 + 4 * 14**2)
    columns = basis.basis_size(tied, 5, np.float64)
    assert iterative.iterative_bytes(tied, 5, np.float64) > 8 * (42 + 64 + 13) * columns


@pytest.mark.parametrize("budget", [0, 10**6, 10**12])
def test_the_basis_has_room_for_a_restart_and_a_step(make_data, monkeypatch, budget):
    monkeypatch.setattr(basis, "BASIS_BYTES", budget)
    problem = make_data("few words", K=60).problem
    for rank in (1, 30, 300):
        least = basis.kept(rank) + basis.block_size(rank)
        assert basis.basis_size(problem, rank, np.float64) >= least


def test_the_basis_of_a_large_problem_stays_within_its_budget(make_data, monkeypatch):
    problem = make_data().problem
    row = 8 * (42 + 64)
    monkeypatch.setattr(basis, "BASIS_BYTES", 40 * row + 7)
    assert basis.basis_size(problem, 10, np.float64) == 40


@pytest.mark.parametrize(("budget", "pairs"), [(0, 32), (64 * 8 * 390, 64), (10**12, 96)])
def test_as_many_pairs_are_finished_at_a_time_as_fit(make_data, monkeypatch, budget, pairs):
    monkeypatch.setattr(iterative, "FINISH_BYTES", budget)
    # 42 documents, 5 x 64 words and 2 x 14 concepts
    assert iterative.finished_at_a_time(make_data().problem) == pairs


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_a_fit_that_cannot_fit_is_refused_before_it_starts(make_data, monkeypatch, solver):
    monkeypatch.setattr(memory, "available_bytes", lambda: 2000)
    data = make_data()
    with pytest.raises(UserError, match=rf"{solver} solver: about .* GiB .*use a larger machine"):
        solve.fit(data.features, data.concepts, 14, 3, [1.0], solver=solver)
