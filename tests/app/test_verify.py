"""`cr5 verify` on results written by hand, from another folder than theirs."""

from pathlib import Path

import pytest

from cr5.plan import again, manifest

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
        {"rule": rule, "wildcards": {}, "network": False, "inputs": [read], "outputs": [out]}
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


def test_without_what_a_run_read_its_jobs_are_not_repeated(results, call, tmp_path):
    results.rename(tmp_path / "x")
    out, told, stopped = call("verify", "x")
    assert out == "3 files of 2 jobs are as the run made them.\n"
    assert told == "Not here, so not compared: ../data/da.txt\n"
    assert "no job can be repeated without ../data/da.txt, which the run read" in stopped
    assert call("verify", "x", "--again", "0")[2] is None


def test_a_module_that_the_results_name_is_run_only_if_asked_for(results, call, monkeypatch):
    """A manifest, and the configuration beside it, may come from anybody."""
    ran = []
    monkeypatch.setattr(again, "do", lambda *given: ran.append(given))
    (results / "config.yaml").write_text(CONFIG.format(module="../toy.py"))
    out, _, stopped = call("verify", results)
    assert "files of 2 jobs are as the run made them." in out
    assert "repeating jobs would run ../toy.py, which the configuration of" in stopped
    assert not ran
    assert call("verify", results, "--again", "0")[2] is None
    assert call("verify", results, "--run-modules")[2] is None
    assert len(ran) == 1


def test_what_could_not_be_repeated_leaves_no_folder_behind(results, call, monkeypatch):
    monkeypatch.setattr(again, "START", ["false"])
    assert "not all of the jobs could be done again" in call("verify", results)[2]
    assert [x.name for x in results.parent.iterdir()] == ["x"]
    call("verify", results, "--folder", "kept")
    assert Path("kept/x/table.csv").exists()


def test_mistakes(results, call):
    assert "expected a number of jobs, or `all`" in call("verify", results, "--again", "x")[2]
    assert "runs is there already" in call("verify", results, "--folder", "runs")[2]
    assert "--cores 0: expected at least 1" in call("verify", results, "--cores", "0")[2]
