"""The package as others get it: built, unpacked elsewhere, and used with what it depends on."""

import json
import os
import re
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

from tests.kit.run import ROOT, ended

PACKAGE = ROOT / "workflow" / "cr5"
BUILD = "import sys, uv_build; uv_build.build_wheel(sys.argv[1])"

COMMAND = "from cr5.cli import main; main()"


def call(*command, status=0):
    """Run this Python; returns what it prints."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # of uv-build
    done = ended([sys.executable, *map(str, command)], ROOT, PATH=path)
    assert done.returncode == status, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    call("-c", BUILD, folder)
    return next(folder.glob("*.whl"))


def brought(lines):
    """Names of the packages that requirements bring along, with those that these need."""
    names = set()
    for wanted in map(Requirement, lines):
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            names |= {wanted.name} | brought(metadata.requires(wanted.name) or ())
    return names


@pytest.fixture(scope="module")
def light(wheel, tmp_path_factory):
    """Run a program where `pip install cr5` has put the wheel and what it depends on, no more."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for needed in brought(project["dependencies"]):
        installed = metadata.distribution(needed)
        for name in {file.parts[0] for file in installed.files} - {".."}:
            if not (folder / name).exists():  # __pycache__ is of several
                (folder / name).symlink_to(installed.locate_file(name))
    start = f"import sys; sys.path.append({str(folder)!r})\n"

    def run(program, *arguments, status=0):
        return call("-I", "-S", "-c", start + program, *arguments, status=status)

    return run


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel):
    files = {path for path in PACKAGE.rglob("*") if path.is_file()}
    ours = {
        f"cr5/{path.relative_to(PACKAGE)}" for path in files if path.parent.name != "__pycache__"
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    assert {name for name in packed if ".dist-info/" not in name} == ours
    assert "cr5/report/published_figures.csv" in packed


@pytest.mark.slow
def test_a_light_install_has_the_commands(light, small_folder, tmp_path):
    *_, row = light(COMMAND, "embed", small_folder, "a cat", "--from", "en").splitlines()
    assert np.allclose(json.loads(row)["vector"], [1, 0, 0])
    entries = ({"id": word, "text": word} for word in ("mare", "gatto"))
    (tmp_path / "docs.jsonl").write_text("\n".join(map(json.dumps, entries)))
    texts = ("--to", "it", "--file", tmp_path / "docs.jsonl")
    light(COMMAND, "index", small_folder, tmp_path / "index", *texts)
    answer = light(COMMAND, "search", tmp_path / "index", "a cat", "--from", "en", "-k", "1")
    assert [hit["id"] for hit in json.loads(answer.splitlines()[-1])["hits"]] == ["gatto"]
    light("from cr5.cli_texts import write_table; write_table([{'rank': 1}])")
    light(COMMAND, "export", small_folder, "word2vec", tmp_path / "vectors")


@pytest.mark.slow
def test_a_light_install_says_what_else_is_needed(light, small_folder):
    message = light(COMMAND, "explore", small_folder.parents[3], status=1)
    assert re.search(r"needs the package \w+, .*: pip install 'cr5\[workflow\]'$", message)
    message = light("import cr5; cr5.fit", status=1).splitlines()[-1]
    assert re.search(r"needs the package \w+, .*: pip install 'cr5\[fit\]'$", message)
