"""A scheduler that does not answer is told before any job."""

import pytest

from cr5.base.errors import UserError
from cr5.plan import scheduler


@pytest.fixture
def sinfo(tmp_path, monkeypatch):
    """Gives a function that puts a script in the place of Slurm's command."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def write(script):
        (tmp_path / "sinfo").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "sinfo").chmod(0o755)

    return write


def test_one_that_answers(sinfo):
    sinfo("echo main")
    scheduler.check("slurm")


def test_of_others_nothing_is_known(sinfo):
    sinfo("exit 1")
    scheduler.check("local")
    scheduler.check("cluster-generic")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'sinfo: error: no config' >&2; exit 1", "sinfo: sinfo: error: no config"),
        ("exit 3", "sinfo: status 3"),
        ("exec sleep 20", "sinfo said nothing in 0.2 seconds"),
    ],
)
def test_one_that_does_not(sinfo, monkeypatch, script, reason):
    monkeypatch.setattr(scheduler, "PATIENCE", 0.2 if "sleep" in script else 60)
    sinfo(script)
    with pytest.raises(UserError, match=rf"slurm does not answer: {reason}\. Start on a machine"):
        scheduler.check("slurm")


def test_one_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"sinfo is not installed\. Start on"):
        scheduler.check("slurm")


@pytest.mark.parametrize("there", [(), ("sinfo", "squeue"), ("sinfo", "sacct")])
def test_all_or_none_of_its_programs(tmp_path, monkeypatch, there):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in there:
        (tmp_path / name).touch(0o755)
    scheduler.check_programs()


def test_a_part_of_its_programs(sinfo):
    sinfo("exit 0")
    with pytest.raises(UserError, match=r"neither squeue nor sacct\. Install all of Slurm"):
        scheduler.check_programs()
