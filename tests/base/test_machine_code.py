"""Version and commit of the code, in repositories made for the test."""

import re
import subprocess

import pytest

from cr5 import __version__
from cr5.base import machine


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "repository" / "workflow" / "cr5"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    monkeypatch.setattr(machine, "PACKAGE", folder)
    machine.code.cache_clear()
    yield folder
    machine.code.cache_clear()


def git(folder, *arguments):
    names = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


def commit(package):
    git(package, "init", "--quiet", package.parents[1])
    git(package, "add", ".")
    git(package, "commit", "--quiet", "--message", "x")


def test_of_a_checkout(package):
    commit(package)
    assert re.fullmatch(re.escape(__version__) + r"\+[0-9a-f]{10}", machine.code())


def test_of_a_changed_checkout(package):
    commit(package)
    (package / "__init__.py").write_text("x = 1")
    assert machine.code().endswith("-dirty")


@pytest.mark.parametrize("name", ["rules/a.smk", "cr5/systems/mine.py", "../Snakefile"])
def test_of_a_checkout_with_something_new(package, name):
    commit(package)
    new = package.parent / name
    new.parent.mkdir(exist_ok=True)
    new.write_text("x = 1")
    assert machine.code().endswith("-dirty")


def test_what_lies_beside_the_workflow_changes_nothing(package):
    commit(package)
    (package.parents[1] / "notes.txt").write_text("x")
    assert not machine.code().endswith("-dirty")


def test_of_a_copy_that_is_in_no_repository(package, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(package.parents[2]))
    assert machine.code() == __version__


def test_without_git(package, monkeypatch):
    commit(package)
    monkeypatch.setenv("PATH", "")
    assert machine.code() == __version__
