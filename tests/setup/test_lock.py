"""The locks pin everything that is asked for, by hash, and name no server."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "envs/requirements.lock").read_text()
LOCKS = {"requirements": LOCK, "docs": (ROOT / "envs/docs.lock").read_text()}
DOCS = (ROOT / "envs/docs.in").read_text().splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def locked(lock: str = LOCK) -> list[tuple[Requirement, list[str]]]:
    """Every pinned requirement with its hashes."""
    entries = lock.replace("\\\n", " ").splitlines()
    parts = [entry.split(" --hash=") for entry in entries]
    return [(Requirement(name), [h.strip() for h in hashes]) for name, *hashes in parts]


def asked() -> list[str]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"].values()
    lines = {*project["dependencies"], *(line for extra in extras for line in extra)}
    return sorted(line for line in lines if Requirement(line).name != project["name"])


@pytest.mark.parametrize(
    ("requirement", "hashes"),
    [entry for lock in LOCKS.values() for entry in locked(lock)],
    ids=lambda value: str(value)[:30],
)
def test_every_requirement_is_pinned_by_version_and_hash(requirement, hashes):
    assert [specifier.operator for specifier in requirement.specifier] == ["=="]
    assert hashes
    assert all(re.fullmatch("sha256:[0-9a-f]{64}", value) for value in hashes)


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_a_lock_names_no_server_and_no_folder(lock):
    assert "://" not in lock
    assert not re.search(r"^ *-(?!-hash=)", lock, re.MULTILINE)
    assert all(requirement.url is None for requirement, _ in locked(lock))


@pytest.mark.parametrize(
    ("lock", "line"),
    [("requirements", line) for line in asked()]
    + [("docs", line) for line in DOCS if not line.startswith("#")],
)
def test_what_is_asked_for_is_locked(lock, line):
    wanted = Requirement(line)
    name = canonicalize_name(wanted.name)
    pins = [r for r, _ in locked(LOCKS[lock]) if canonicalize_name(r.name) == name]
    assert pins, f"{name} is missing: write the lock again (CONTRIBUTING.md)"
    for pin in pins:
        version = next(iter(pin.specifier)).version
        assert version in wanted.specifier, f"{name} {version}: write the lock again"


def test_the_build_backend_is_locked_too():
    """The package is installed without build isolation, so the backend comes from the lock."""
    backend = PROJECT["build-system"]["requires"]
    assert [str(Requirement(line)) for line in backend] == [
        str(Requirement(line)) for line in asked() if Requirement(line).name == "uv_build"
    ]
