"""A scheduler that is missing or does not answer is reported before any job."""

import pytest

from cr5.base.errors import UserError
from cr5.plan import start


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
