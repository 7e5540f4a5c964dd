"""The package as others get it: built, unpacked elsewhere, and used with what it depends on."""

import json
import re
import shutil
import sys
import tomllib
import zipfile
from importlib import metadata

import numpy as np
import pytest
from packaging.requirements import Requirement

import cr5
from tests.kit.run import ROOT, ended

PACKAGE = ROOT / "workflow" / "cr5"
BUILD = "import sys; from pdm import backend; backend.build_wheel(sys.argv[1])"

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COMMAND = "from cr5.cli import main; main()"


def call(*command, status=0, folder=ROOT):
    """Run this Python; returns what it prints."""
    arguments = [str(argument) for argument in command]
    done = ended([sys.executable, *arguments], folder)
    assert done.returncode == status, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build a wheel of a copy, as the backend writes notes beside what it builds."""
    folder = tmp_path_factory.mktemp("wheel")
    copied = folder / "copied"
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, copied / "workflow" / "cr5", ignore=compiled)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copied)
    call("-c", BUILD, folder, folder=copied)
    return next(folder.glob("*.whl"))


def brought(lines):
    """Names of the packages that requirements bring along, with those that these need."""
    names = set()
    for line in lines:
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            names.add(wanted.name)
            names |= brought(metadata.requires(wanted.name) or ())
    return names


@pytest.fixture(scope="module")
def light(wheel, tmp_path_factory):
    """Run a program where `pip install cr5` has put the wheel and what it depends on, no more."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    for needed in brought(PROJECT["dependencies"]):
        installed = metadata.distribution(needed)
        names = {file.parts[0] for file in installed.files}
        for name in names - {".."}:
            if not (folder / name).exists():  # __pycache__ is of several
                (folder / name).symlink_to(installed.locate_file(name))
    start = f"import sys; sys.path.append({str(folder)!r})\n"

    def run(program, *arguments, status=0):
        return call("-I", "-S", "-c", start + program, *arguments, status=status)

    return run


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel):
    ours = set()
    for path in PACKAGE.rglob("*"):
        if path.is_file() and path.parent.name != "__pycache__":
            ours.add(f"cr5/{path.relative_to(PACKAGE)}")
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if not name.endswith("/")}
    assert {name for name in packed if ".dist-info/" not in name} == ours
    assert "cr5/report/published_figures.csv" in packed


def test_the_version_is_said_once(wheel):
    assert wheel.name.split("-")[:2] == ["cr5", cr5.__version__]
    assert "version" not in PROJECT and PROJECT["dynamic"] == ["version"]
    assert "version:" not in (ROOT / "CITATION.cff").read_text().replace("cff-version:", "")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{cr5.__version__}]" in changes


@pytest.mark.slow
def test_a_light_install_has_the_commands(light, small_folder, tmp_path):
    printed = light(COMMAND, "embed", small_folder, "a cat", "--from", "en")
    row = json.loads(printed.splitlines()[-1])
    assert np.allclose(row["vector"], [1, 0, 0])
    texts = tmp_path / "docs.jsonl"
    texts.write_text('{"id": "mare", "text": "mare"}\n{"id": "gatto", "text": "gatto"}\n')
    index = tmp_path / "index"
    light(COMMAND, "index", small_folder, index, "--to", "it", "--file", texts)
    printed = light(COMMAND, "search", index, "a cat", "--from", "en", "-k", "1")
    answer = json.loads(printed.splitlines()[-1])
    assert [hit["id"] for hit in answer["hits"]] == ["gatto"]
    light("from cr5.cli_texts import write_table; write_table([{'rank': 1}])")
    light(COMMAND, "export", small_folder, "word2vec", tmp_path / "vectors")


@pytest.mark.slow
def test_a_light_install_says_which_extra_has_what_else_is_needed(light, small_folder, tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "cat.html").write_text("<p>gatto</p>")
    index = (COMMAND, "index", small_folder, tmp_path / "index", "--to", "it", "--file", pages)
    for call_of_user, expected_extra in [
        ((COMMAND, "explore", small_folder.parents[3]), "workflow"),
        (("import cr5; cr5.fit",), "fit"),
        (index, "fit"),
    ]:
        message = light(*call_of_user, status=1).splitlines()[-1]
        named = re.search(r"needs the package (\w+), .*: pip install 'cr5\[(\w+)\]'$", message)
        assert named and named[2] == expected_extra, message
        package = {"yaml": "pyyaml"}.get(named[1], named[1])
        assert package in brought(PROJECT["optional-dependencies"][expected_extra])
