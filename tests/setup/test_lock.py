"""The locks have everything that is asked for; conda's environment has their versions."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = {x: (ROOT / f"envs/{x}.lock").read_text() for x in ("requirements", "tests", "docs")}
DOCS = (ROOT / "envs/docs.in").read_text().splitlines()
WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = WHOLE["project"]
EXTRAS = PROJECT["optional-dependencies"]
ENVIRONMENT = yaml.safe_load((ROOT / "envs/environment.yaml").read_text())
PYPI_NAME = {"matplotlib-base": "matplotlib"}  # where conda's name is another one


def pins(text):
    """By name, every pinned requirement; pip itself refuses one without a hash."""
    found = {}
    for line in text.splitlines():
        if line and line[0] not in " #":
            pin = Requirement(line.split(" --hash=")[0].rstrip(" \\"))
            found.setdefault(canonicalize_name(pin.name), []).append(pin)
    return found


LOCKED = {lock: pins(text) for lock, text in LOCKS.items()}


def versions(found, **where):
    """Those of a package, or the one for a version of Python."""
    fit = [x for x in found if not where or x.marker is None or x.marker.evaluate(where)]
    return {next(iter(x.specifier)).version for x in fit}


def asked(*extras):
    """What pyproject.toml wants, in these extras and for itself."""
    lines = {line for extra in extras for line in EXTRAS[extra]} | {*PROJECT["dependencies"]}
    return sorted(line for line in lines if Requirement(line).name != PROJECT["name"])


@pytest.mark.parametrize(
    ("lock", "lines"),
    [
        ("requirements", asked(*EXTRAS.keys() - {"dev"})),
        ("tests", asked("dev")),
        ("docs", [x for x in DOCS if not x.startswith("#")]),
    ],
)
def test_what_is_asked_for_is_locked(lock, lines):
    for wanted in map(Requirement, lines):
        found = LOCKED[lock].get(canonicalize_name(wanted.name))
        assert found, f"{wanted.name} is missing: write the lock again (CONTRIBUTING.md)"
        assert all(x in wanted.specifier for x in versions(found)), f"{wanted}: {found} are locked"


def test_what_builds_is_locked_and_the_tests_change_no_package_of_a_run():
    assert WHOLE["build-system"]["requires"] == EXTRAS["build"]  # nothing is built in isolation
    run, tests = LOCKED["requirements"], LOCKED["tests"]
    both = run.keys() & tests.keys()
    assert [x for x in both if not versions(run[x]) & versions(tests[x])] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_server_and_no_folder(lock):
    assert "://" not in LOCKS[lock]
    assert not re.search(r"^ *-(?!-hash=)", LOCKS[lock], re.MULTILINE)


def test_conda_has_the_versions_of_the_lock():
    found = dict(line.split(" =") for line in ENVIRONMENT["dependencies"])
    python = found.pop("python")
    where = {"python_version": python, "python_full_version": f"{python}.0"}
    for name, version in found.items():
        pinned = LOCKED["requirements"][PYPI_NAME.get(name, name)]
        assert versions(pinned, **where) == {version}, name
