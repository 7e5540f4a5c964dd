import pytest

from cr5.base import memory


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
