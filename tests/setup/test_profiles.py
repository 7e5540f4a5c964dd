"""The profiles on a workflow of three jobs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

PROFILES = Path(__file__).parents[2] / "workflow/profiles"

SNAKEFILE = """
rule all:
    input: "good.txt", "bad.txt"

rule good:
    output: "good.txt"
    shell: "sleep 0.3; touch {output}"

rule bad:
    output: "bad.txt"
    log: "bad.log"
    priority: 1
    shell: "echo the reason >{log}; exit 1"
"""


@pytest.fixture
def snakemake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    Path("Snakefile").write_text(SNAKEFILE)

    def call(*arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "snakemake", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    return call


def settings(name: str) -> dict:
    return yaml.safe_load((PROFILES / name / "config.yaml").read_text())


def test_default_goes_on_after_a_failure_and_shows_its_log(snakemake):
    result = snakemake("--cores", "1", "--workflow-profile", str(PROFILES / "default"))
    assert result.returncode == 1
    assert Path("good.txt").exists()
    assert "\nthe reason\n" in result.stdout + result.stderr


def test_slurm_is_understood_and_gives_every_job_memory_and_time(snakemake):
    result = snakemake("--profile", str(PROFILES / "slurm"), "--dry-run")
    printed = result.stdout + result.stderr
    assert result.returncode == 0, printed
    blocks = [block for block in printed.split("\nrule ") if block.startswith(("good:", "bad:"))]
    assert len(blocks) == 2
    assert all("mem_mb=1000" in block and "runtime=30" in block for block in blocks)


ALL = ("default", "slurm", "cluster")


def test_all_finish_what_was_interrupted_and_rerun_for_the_same_reasons():
    assert all(settings(name)["rerun-incomplete"] for name in ALL)
    reasons = [settings(name)["rerun-triggers"] for name in ALL]
    assert reasons[0] == reasons[1] == reasons[2]


def test_those_of_clusters_differ_in_the_scheduler_alone():
    slurm, other = settings("slurm"), settings("cluster")
    assert {slurm.pop("executor"), other.pop("executor")} == {"slurm", "cluster-generic"}
    same = slurm.keys() & other.keys()
    assert {key: slurm[key] for key in same} == {key: other[key] for key in same}
    assert {"groups", "group-components", "retries", "jobs", "cores"} <= same


def test_groups_are_of_rules_that_there_are():
    """A name that is written wrongly would group nothing, and nobody would notice."""
    text = "".join(path.read_text() for path in sorted((PROFILES.parent / "rules").glob("*.smk")))
    rules = set(re.findall(r"^ *(?:rule|checkpoint|use rule \w+ as) (\w+)", text, re.MULTILINE))
    groups, components = (settings("slurm")[key] for key in ("groups", "group-components"))
    assert groups.keys() <= rules
    assert components.keys() <= set(groups.values())
