"""A call that would find nothing to do is answered at once, and only such a call."""

import os
import time

import pytest

from cr5.plan import changes
from cr5.plan.changes import Run, Watch, answer

CALL = ["--logger=cr5", "--cores", "2", "--configfile", "mine.yaml"]


@pytest.fixture
def watch(tmp_path, monkeypatch):
    """A run that has just begun in a folder with results, notes, an input and code."""
    monkeypatch.chdir(tmp_path)
    for name in ("results/mine/a", "workflow/x.py", "in.txt", f"{changes.NOTES}/n"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("old")
    watch = Watch()
    watch.started = time.time() + 10  # all files are older than that
    watch.run = lambda: Run("results/mine", ["in.txt"], ran=True, lines=["a line"])
    monkeypatch.setattr(changes, "WATCH", watch)
    return watch


def test_the_same_call_has_the_same_answer(watch):
    assert answer(CALL) is None
    watch.keep(CALL)
    assert answer(CALL) == ["a line"]


@pytest.mark.parametrize("name", ["results/mine/a", "workflow/x.py", "in.txt", ".venv/stamp"])
def test_a_file_that_changed_is_left_to_snakemake(watch, tmp_path, name):
    watch.keep(CALL)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("new")
    assert answer(CALL) is None


def test_so_is_one_of_the_same_size_and_date(watch, tmp_path):
    before = (tmp_path / "in.txt").stat()
    watch.keep(CALL)
    time.sleep(0.02)
    (tmp_path / "in.txt").write_text("new")
    os.utime(tmp_path / "in.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert answer(CALL) is None


def test_so_are_files_that_are_new_or_lost(watch, tmp_path):
    watch.keep(CALL)
    (tmp_path / "workflow/y.py").touch()
    assert answer(CALL) is None
    (tmp_path / "workflow/y.py").unlink()
    assert answer(CALL) == ["a line"]
    (tmp_path / "results/mine/a").unlink()
    assert answer(CALL) is None


def test_so_is_another_call(watch, monkeypatch):
    watch.keep(CALL)
    assert answer([*CALL, "quick"]) is None
    monkeypatch.setitem(watch.variables, "SNAKEMAKE_PROFILE", "x")
    assert answer(CALL) is None


@pytest.mark.parametrize("option", ["-n", "-F", "--forcerun", "--until", "--directory", "--touch"])
def test_options_that_choose_what_is_made_are_left_to_snakemake(watch, option):
    watch.keep([*CALL, option])
    assert not changes.PLACE.exists()


def test_an_input_that_changed_during_the_run_leaves_no_answer(watch):
    watch.started = time.time() - 60
    watch.keep(CALL)
    assert answer(CALL) is None


@pytest.mark.parametrize("ran", [True, False])
def test_results_may_be_newer_only_where_the_run_made_them(watch, tmp_path, ran):
    watch.started = time.time() + 10
    watch.run = lambda: Run("results/mine", ["in.txt"], ran, ["a line"])
    later = tmp_path / "results/mine/a"
    real = changes._times
    now = time.time_ns() + 60 * 10**9

    def times(path):
        found = real(path)
        return [*found[:2], now] if str(path).endswith(str(later.name)) and found else found

    changes._times, kept = times, real
    try:
        watch.keep(CALL)
    finally:
        changes._times = kept
    assert changes.PLACE.exists() == ran


def test_where_the_workflow_does_not_know_nothing_is_kept(watch):
    watch.run = lambda: None
    watch.keep(CALL)
    watch.run = None
    watch.keep(CALL)
    assert not changes.PLACE.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"call": 1}'])
def test_a_damaged_file_is_no_answer(watch, text):
    watch.keep(CALL)
    changes.PLACE.write_text(text)
    assert answer(CALL) is None
