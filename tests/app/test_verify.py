"""`cr5 verify` on results written by hand, from another folder than theirs."""

from pathlib import Path

import pytest

from cr5.plan import manifest

CONFIG = "systems: {{toy: {{module: {module}}}, cr5: }}\ntasks: {{documents: {{}}}}\n"


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A run of ours in runs/, which made a folder and a file of a text."""
    place = tmp_path / "runs"
    for path, text in {
        "data/da.txt": "hund",
        "results/x/config.yaml": CONFIG.format(module="toy"),
        "results/x/bags/da/counts": "1",
        "results/x/bags/da/words": "2",
        "results/x/table.csv": "3",
    }.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)
    monkeypatch.chdir(place)
    jobs = [("bags", "data/da.txt", "bags/da"), ("table", "results/x/bags/da", "table.csv")]
    made = [
        {"rule": rule, "wildcards": {}, "inputs": [read], "outputs": [out]}
        for rule, read, out in [(a, b, f"results/x/{c}") for a, b, c in jobs]
    ]
    manifest.write("results/x", made, {"seed": 1, "corpus": {"name": "x"}})
    monkeypatch.chdir(tmp_path)
    return Path("runs/results/x")


def test_what_differs_is_named_from_where_the_user_stands(results, call):
    (results / "bags/da/words").unlink()
    (results / "bags/da/more").touch()
    (results / "table.csv").unlink()
    _, told, stopped = call("verify", results)
    assert sorted(told.splitlines()) == [
        "runs/results/x/bags/da/more: not of the run; made from it: runs/results/x/table.csv",
        "runs/results/x/bags/da/words: missing; made from it: runs/results/x/table.csv",
        "runs/results/x/table.csv: missing",
    ]
    assert "Remove runs/results/x/bags/da and run again" in stopped  # table.csv is not there


def test_what_a_run_read_and_is_not_here_is_named(results, call, tmp_path):
    results.rename(tmp_path / "x")
    out, told, stopped = call("verify", "x")
    assert out == "3 files of 2 jobs are as the run made them.\n"
    assert told == "Not here, so not compared: ../data/da.txt\n"
    assert stopped is None
