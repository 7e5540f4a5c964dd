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


def pins(lock):
    """Every pinned requirement; pip itself refuses one without a hash."""
    lines = [line for line in lock.splitlines() if line and line[0] not in " #"]
    return [Requirement(line.split(" --hash=")[0].rstrip(" \\")) for line in lines]


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
    locked = {}
    for pin in pins(LOCKS[lock]):
        locked.setdefault(canonicalize_name(pin.name), []).append(pin)
    for wanted in map(Requirement, lines):
        found = locked.get(canonicalize_name(wanted.name))
        assert found, f"{wanted.name} is missing: write the lock again (CONTRIBUTING.md)"
        versions = [next(iter(pin.specifier)).version for pin in found]
        assert all(x in wanted.specifier for x in versions), f"{wanted}: {versions} are locked"


def test_nothing_is_built_in_isolation_so_the_lock_has_what_builds():
    assert WHOLE["build-system"]["requires"] == EXTRAS["build"]


def test_the_tests_change_no_package_of_a_run():
    run, tests = (
        {(x.name, str(x.specifier)) for x in pins(LOCKS[y])} for y in ("requirements", "tests")
    )
    assert {name for name, _ in run & tests} == {name for name, _ in run} & {
        name for name, _ in tests
    }


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_a_lock_names_no_server_and_no_folder(lock):
    assert "://" not in lock
    assert not re.search(r"^ *-(?!-hash=)", lock, re.MULTILINE)
    assert all(requirement.url is None for requirement in pins(lock))


def locked_version(name, python):
    where = {"python_version": python, "python_full_version": f"{python}.0"}
    of_name = [pin for pin in pins(LOCKS["requirements"]) if pin.name == name]
    fit = {str(x.specifier) for x in of_name if x.marker is None or x.marker.evaluate(where)}
    return "".join(fit).removeprefix("==")


def test_conda_has_the_versions_of_the_lock():
    found = dict(line.split(" =") for line in ENVIRONMENT["dependencies"])
    python = found.pop("python")
    names = {name: PYPI_NAME.get(name, name) for name in found}
    assert found == {name: locked_version(names[name], python) for name in found}
