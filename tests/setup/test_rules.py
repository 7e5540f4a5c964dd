"""Rules and the profiles that name them: both are text, in which nobody would notice a slip."""

import re
import sys
from pathlib import Path

import pytest
import yaml

from snakemake_logger_plugin_cr5 import stages
from tests.kit.run import ended

WORKFLOW = Path(__file__).parents[2] / "workflow"
FILES = (WORKFLOW / "Snakefile", WORKFLOW.parent / "Snakefile", *sorted(WORKFLOW.glob("rules/*")))
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
RULE = r"^ *(?:rule|checkpoint|use rule (\w+) as) (\w+)(?::| with:)?$"
SCRIPT = r'^ *script:\n *"\.\./scripts/(\w+\.py)"$'
RERUN = r'\*\*rerun_params\(\s*"(\w+\.py)"'
BY_NETWORK = {"fetch", "pins", "download"}  # another version must not fetch gigabytes again
PROFILES = {
    name: yaml.safe_load((WORKFLOW / "profiles" / name / "config.yaml").read_text())
    for name in ("default", "slurm", "cluster")
}


def rules():
    """By rule, the scripts it runs, and the scripts whose fingerprint it has."""
    found = {}
    _, *parts = re.split(RULE, TEXT, flags=re.MULTILINE)
    for base, name, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        ran = re.findall(SCRIPT, text, re.MULTILINE) or (found[base][0] if base else [])
        found[name] = ran, re.findall(RERUN, text)
    return found


def test_a_rule_has_the_fingerprint_of_its_script():
    """So it is done anew when that changes."""
    ran = {name: scripts for name, (scripts, _) in rules().items() if scripts}
    assert len(ran) > 20 and {len(scripts) for scripts in ran.values()} == {1}
    told = {name: scripts for name, (_, scripts) in rules().items() if scripts}
    assert told == {name: scripts for name, scripts in ran.items() if name not in BY_NETWORK}
    directives = re.findall(r"^ *script:$", TEXT, re.MULTILINE)
    assert len(re.findall(SCRIPT, TEXT, re.MULTILINE)) == len(directives)


def test_every_rule_has_a_stage_and_no_other():
    assert stages.OF_RULE.keys() == {*rules(), "total"}


def test_groups_of_the_profiles_are_of_rules_that_there_are():
    groups, components = (PROFILES["slurm"][key] for key in ("groups", "group-components"))
    assert groups.keys() <= rules().keys()
    assert components.keys() <= set(groups.values())


def test_profiles_finish_what_was_interrupted_and_those_of_clusters_are_alike():
    triggers = {tuple(x["rerun-triggers"]) for x in PROFILES.values() if x["rerun-incomplete"]}
    assert len(triggers) == 1 and all(x["keep-going"] for x in PROFILES.values())
    slurm, other = PROFILES["slurm"], PROFILES["cluster"]
    same = slurm.keys() & other.keys()
    assert {key for key in same if slurm[key] != other[key]} == {"executor"}
    assert same >= {"groups", "group-components", "retries", "jobs", "cores", "default-resources"}


@pytest.mark.slow
def test_slurm_is_understood_and_gives_every_job_memory_and_time(tmp_path):
    (tmp_path / "Snakefile").write_text('rule good:\n    output: "x"\n    shell: "touch {output}"')
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--profile"]
    command.append(WORKFLOW / "profiles" / "slurm")
    done = ended(command, tmp_path)
    assert done.returncode == 0, done.stdout
    assert "mem_mb=1000" in done.stdout and "runtime=30" in done.stdout
