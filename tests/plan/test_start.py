"""What ./run starts, up to the moment at which snakemake takes over."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.plan import start

ROOT = Path(__file__).parents[2]
TARGET = "results/mine/tables/table1.md"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("{}")


@pytest.fixture
def started(monkeypatch):
    """What snakemake would be given."""
    calls = []
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(runpy, "run_module", lambda *_, **__: calls.append(sys.argv))
    return calls


def test_snakemake_runs_in_this_process_with_a_terminal_of_ours(started):
    start.main(["-n", "--configfile", "mine.yaml", "a b"])
    expected = ["snakemake", "--logger=cr5", "a b", "-n", "--configfile", "mine.yaml"]
    assert started == [expected]


@pytest.mark.parametrize(
    ("given", "left"),
    [(["--verbose", "quick"], ["quick"]), (["--summary"], ["--summary"]), (["-q"], ["-q"])],
)
def test_snakemake_speaks_for_itself_where_that_is_asked_for(started, given, left):
    start.main(given)
    assert started == [["snakemake", *left]]


def test_an_interruption_before_any_job_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "stderr", sys.stderr)

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(runpy, "run_module", interrupt)
    with pytest.raises(SystemExit, match="no job was started"):
        start.main(["quick"])


@pytest.mark.parametrize("more", [[], [TARGET]])
def test_a_mistake_is_told_in_one_sentence_before_snakemake_starts(started, more):
    with pytest.raises(SystemExit, match=r"run: There is no configuration file none.yaml\."):
        start.main(["--configfile", "none.yaml", *more])
    assert not started


def test_a_scheduler_that_is_missing_stops_a_run_and_no_plan(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    slurm = ["--profile", str(ROOT / "workflow/profiles/slurm")]
    with pytest.raises(UserError, match="are not installed on this machine"):
        start.prepared(slurm)
    assert start.prepared([*slurm, "-n"])[-1] == "-n"


def test_it_starts_without_what_takes_long():
    """Numbers and tables take seconds to import, snakemake half a second more."""
    code = "import sys, cr5.plan.start; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    names = set(done.stdout.split())
    assert "yaml" in names
    assert not {"numpy", "pandas", "pydantic", "snakemake"} & names


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Gives a function that puts scripts in the place of Slurm's programs, and of nothing else."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def write(script, programs=("sinfo", "sbatch", "squeue")):
        for name in programs:
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / name).chmod(0o755)

    return write


def test_one_that_answers(slurm):
    slurm("echo main")
    start.check_scheduler("slurm")


def test_of_others_nothing_is_known(slurm):
    slurm("exit 1")
    start.check_scheduler("local")
    start.check_scheduler("cluster-generic")
    start.check_scheduler(None)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'sinfo: error: no config' >&2; exit 1", "sinfo: sinfo: error: no config"),
        ("exit 3", "sinfo: status 3"),
        ("exec /bin/sleep 20", "sinfo did not answer within 0.2 seconds"),
    ],
)
def test_one_that_does_not(slurm, monkeypatch, script, reason):
    monkeypatch.setattr(start, "PATIENCE", 0.2 if "sleep" in script else 60)
    slurm(script)
    with pytest.raises(UserError, match=rf"slurm cannot be reached: {reason}\. Start on a machine"):
        start.check_scheduler("slurm")


def test_one_that_is_not_installed(slurm):
    with pytest.raises(UserError, match=r"reached: sinfo, sbatch, squeue are not installed on"):
        start.check_scheduler("slurm")
    slurm("echo main", programs=["sinfo", "sbatch"])
    with pytest.raises(UserError, match=r"slurm cannot be reached: squeue is not installed on"):
        start.check_scheduler("slurm")


@pytest.mark.parametrize("there", [(), ("sinfo", "squeue"), ("sinfo", "sacct")])
def test_all_or_none_of_its_programs(tmp_path, monkeypatch, there):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in there:
        (tmp_path / name).touch(0o755)
    start.check_programs()


def test_a_part_of_its_programs(slurm):
    slurm("exit 0", programs=["sinfo"])
    with pytest.raises(UserError, match=r"neither squeue nor sacct\. Install all of Slurm"):
        start.check_programs()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], None),
        (["--executor", "slurm", "-n"], "slurm"),
        (["-e", "local", "--profile", "slurm"], "local"),
        (["--profile", "slurm"], "slurm"),
        (["--workflow-profile=slurm"], "slurm"),
        (["--profile", "here"], None),
        (["--profile", "nowhere"], None),
    ],
)
def test_the_executor_is_named_by_an_option_or_a_profile(
    tmp_path, monkeypatch, arguments, expected
):
    monkeypatch.chdir(tmp_path)
    for name, text in {"slurm": "# x\nexecutor: slurm\njobs: 1\n", "here": "cores: 1\n"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.yaml").write_text(text)
    assert start.executor(arguments) == expected
    monkeypatch.setenv("SNAKEMAKE_PROFILE", "slurm")
    assert start.executor([]) == "slurm"
