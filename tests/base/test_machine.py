"""What is said of the machine, and of the code, in repositories made for the test."""

import json
import re
import subprocess

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from cr5 import __version__
from cr5.base import machine


def test_blas_its_kernels_and_its_threads_are_named():
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(1, user_api="blas"):
        libraries = machine.machine()["libraries"]
    blas = [library for library in libraries if library["user_api"] == "blas"]
    assert blas
    for library in blas:
        assert library["num_threads"] == 1
        assert {"internal_api", "version"} <= library.keys()
    assert "/" not in json.dumps(libraries)


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


@pytest.mark.parametrize(
    ("new", "dirty"),
    [
        (None, False),
        ("../notes.txt", False),
        ("cr5/__init__.py", True),
        ("rules/a.smk", True),
        ("../Snakefile", True),
    ],
)
def test_code_is_named_by_its_commit_and_what_changed_since(package, new, dirty):
    git(package, "init", "--quiet", package.parents[1])
    git(package, "add", ".")
    git(package, "commit", "--quiet", "--message", "x")
    if new:
        path = package.parent / new
        path.parent.mkdir(exist_ok=True)
        path.write_text("x = 1")
    version = re.escape(__version__)
    state = "-dirty" if dirty else ""
    assert re.fullmatch(rf"{version}\+[0-9a-f]{{10}}{state}", machine.code())


def test_of_a_copy_that_is_in_no_repository(package, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(package.parents[2]))
    assert machine.code() == __version__
