"""The recipes of containers: both set up the same, from files that are there, by `./run`."""

import re
import tomllib
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
DOCKER = (ROOT / "envs" / "Dockerfile").read_text(encoding="utf-8")
APPTAINER = (ROOT / "envs" / "apptainer.def").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def copied_by_docker():
    return {x for line in re.findall(r"^COPY (.+) \S+$", DOCKER, re.M) for x in line.split()}


def copied_by_apptainer():
    block = APPTAINER.split("%files\n")[1].split("\n\n")[0]
    return {line.split()[0] for line in block.splitlines()}


def test_both_are_made_alike():
    assert copied_by_docker() == copied_by_apptainer()
    [image] = re.findall(r"^FROM (.+)$", DOCKER, re.M)
    assert re.findall(r"^From: (.+)$", APPTAINER, re.M) == [image]
    [command] = re.findall(r"^RUN (.+)$", DOCKER, re.M)
    assert APPTAINER.split("%post\n")[1].split("\n")[0].strip() == command


def test_what_they_copy_is_there_and_is_all_that_a_run_needs():
    assert all((ROOT / name).exists() for name in copied_by_docker())
    needed = {"run", "Snakefile", "workflow", "config", "envs", "pyproject.toml"}
    assert copied_by_docker() >= {*needed, PROJECT["readme"], *PROJECT["license-files"]}


def test_their_python_is_one_that_the_package_takes():
    [version] = re.findall(r"^FROM python:([\d.]+)", DOCKER, re.M)
    assert version in SpecifierSet(PROJECT["requires-python"])
