import numpy as np
import pytest

from cr5 import reduced_rank
from cr5.errors import UserError
from cr5.reduced_rank import memory


def test_the_estimate_counts_the_arrays_of_the_basis(make_data):
    data = make_data()  # 42 documents, 64 words
    problem, rank = data.problem, 5
    columns = memory.basis_size(problem, rank, np.float64)
    assert memory.iterative_bytes(problem, rank, np.float64) > 8 * (42 + 64) * columns
    copied = memory.iterative_bytes(problem, rank, np.float32)
    shared = memory.iterative_bytes(problem.astype(np.float32), rank, np.float32)
    nonzeros = sum(X.nnz for X in problem.features)
    assert copied - shared == 4 * nonzeros
    kept = memory.iterative_bytes(problem, rank, np.float32, copies=2)
    assert kept - copied == 2 * (4 + 4) * nonzeros


@pytest.mark.parametrize("budget", [0, 10**6, 10**12])
def test_the_basis_has_room_for_a_restart_and_a_step(make_data, monkeypatch, budget):
    monkeypatch.setattr(memory, "BASIS_BYTES", budget)
    problem = make_data("few words", K=60).problem
    for rank in (1, 30, 300):
        least = memory.kept(rank) + memory.block_size(rank)
        assert memory.basis_size(problem, rank, np.float64) >= least


def test_the_basis_of_a_large_problem_stays_within_its_budget(make_data, monkeypatch):
    problem = make_data().problem
    row = 8 * (42 + 64)
    monkeypatch.setattr(memory, "BASIS_BYTES", 40 * row + 7)
    assert memory.basis_size(problem, 10, np.float64) == 40


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_a_fit_that_cannot_fit_is_refused_before_it_starts(make_data, monkeypatch, solver):
    monkeypatch.setattr(memory, "available_bytes", lambda: 2000)
    data = make_data()
    with pytest.raises(UserError, match=rf"{solver} solver: about .* GiB .*use a larger machine"):
        reduced_rank.fit(data.features, data.concepts, 14, 3, [1.0], solver=solver)


def test_a_system_that_does_not_tell_its_memory_is_trusted():
    memory.check(10**18, None, "a fit")


@pytest.mark.parametrize(
    ("line", "folder", "names"),
    [
        ("0::/job/step", "job", memory.NAMES[0]),
        ("0::/job/step", "job/step", memory.NAMES[0]),
        ("0::/", ".", memory.NAMES[0]),
        ("0::/not/mounted/here", ".", memory.NAMES[0]),
        ("4:memory:/job", "memory/job", memory.NAMES[1]),
    ],
)
def test_the_smallest_of_machine_and_cgroups_counts(monkeypatch, tmp_path, line, folder, names):
    machine = memory.available_bytes()
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(memory, "OWN", tmp_path / "own")
    (tmp_path / "own").write_text(f"12:cpu:/other\n{line}\n")
    group, (limit, used, reclaimable) = tmp_path / folder, names
    group.mkdir(parents=True, exist_ok=True)
    (group / used).write_text("1000\n")
    (group / "memory.stat").write_text(f"anon 600\n{reclaimable} 300\n")
    (group / limit).write_text("3000\n")
    assert memory.available_bytes() == 2300
    (group / limit).write_text("max\n")
    assert memory.available_bytes() > machine / 2
