"""Mistakes of newcomers: each meets the message that docs/reliability.md tells of; no traceback."""

import json
import lzma
import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir, contextmanager
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.base.files import alone
from cr5.plan import config, config_files
from tests.kit.run import ROOT

HELP = {"corpus": {"name": "tiny", "source": "libreoffice_help"}, "languages": ["en", "xx"]}
OFFLINE = """#!/bin/sh
echo "W: Failed to fetch http://debian.invalid/  Could not resolve 'debian.invalid'" >&2
case "$*" in *update*) ;; *) exit 100 ;; esac
"""
ONE = HELP | {"systems": {"lexical_overlap": {}}}


def table():
    """What is wrong, and parts of what is said, in the rows of that page."""
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8").split("## Error messages")[1]
    rows = re.findall(r"^\| ([^|`]+) \| `(.+?)` \| .+ \|$", page, re.MULTILINE)
    return {wrong: said.split("...") for wrong, said in rows}


def start(run, *arguments, **how):
    """As ./run does; both outputs of what has failed."""
    done = run.started(*arguments, **how)
    assert done.returncode != 0, done.stdout
    return done.stdout


def refused(**changes):
    """Read a configuration with other keys as a run does; None takes one away."""

    def provoke(run):
        keys = run.configuration | changes
        run.configure({key: value for key, value in keys.items() if value is not None})
        return said_by_the_reader(run)

    return provoke


def said_by_the_reader(run):
    """What a run would say of its configuration, without starting one."""
    with chdir(run.folder):
        try:
            config.validated(config_files.read(Path("run.yaml")))
        except UserError as error:
            return str(error)
    return ""


def made(target, **changes):
    """Make one file of a run with other keys."""

    def provoke(run):
        return start(run.change(**changes), f"results/tiny/{target}")

    return provoke


def tabbed(run):
    (run.folder / "run.yaml").write_text("seed: 1\n\tlanguages: [da, en]\n")
    return said_by_the_reader(run)


def absent(run):
    return start(run, "-n", name="nowhere.yaml")


def damaged(run):
    path = run.folder / "corpus" / "it.jsonl.xz"
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    lines[6] = '{"concept": "Q6"'
    path.write_bytes(lzma.compress("\n".join(lines).encode()))
    said = made("documents/it")(run)
    assert not run.files("documents")
    return said


def unshared(run):
    for language in ("da", "en"):
        texts = [{"concept": f"{language}{i}", "text": "a b c d e f g"} for i in range(40)]
        text = "\n".join(map(json.dumps, texts)).replace("a b", f"{language} b")
        (run.folder / "corpus" / f"{language}.jsonl.xz").write_bytes(lzma.compress(text.encode()))
    bags = {"unique_words": [1, 1000], "min_documents": 1}
    return made("draws/1", languages=["da", "en"], bags=bags)(run)


def uninstalled(run):
    (run.folder / "toy_system.py").write_text("import not_there\nDEFAULTS = {'dimension': 8}\n")
    said = start(run)
    assert not run.files("documents")
    return said


def few_programs(run):
    """A PATH on which nothing optional is."""
    programs = run.folder / "programs"
    programs.mkdir()
    for name in ("sh", "bash", "env", "git", "which"):
        if place := shutil.which(name):
            (programs / name).symlink_to(place)
    (programs / "python").symlink_to(sys.executable)
    return str(programs)


def without_apt(run):
    programs = few_programs(run)
    run.configure(ONE)
    return start(run, PATH=programs)


def offline_apt(run):
    programs = run.folder / "programs"
    programs.mkdir()
    (programs / "apt-get").write_text(OFFLINE)
    (programs / "apt-get").chmod(0o755)
    run.configure(ONE)
    return start(run, PATH=f"{programs}:{os.environ['PATH']}")


def unknown_package(run):
    (run.folder / "packages").mkdir()
    run.configure(ONE | {"corpus": {**HELP["corpus"], "path": "packages"}})
    return start(run)


@contextmanager
def small_disk(folder, size):
    """A file system of that size in memory, which root can mount."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root only")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def full_disk(run):
    with small_disk(run.folder / "results", "24k"):
        return start(run, "results/tiny/documents/da")


def taken(run):
    with alone(run.results):
        assert "output: results/tiny/documents/da" in run("--dry-run").stdout
        said = start(run)
    assert not run.files("documents")
    return said


PROVOKED = {
    "a key is misspelt": refused(languages=None, langauges=["da", "en"]),
    "a value is of the wrong kind": refused(seed="many"),
    "the layout of the file": tabbed,
    "the file is not there": absent,
    "a system is unknown": refused(systems={"cr6": {}}),
    "the corpus lacks a language": made("documents/zz", languages=["da", "zz"]),
    "there are no help pages in a language": unknown_package,
    "a line of a document is damaged": damaged,
    "languages share too few documents": unshared,
    "a package is missing": uninstalled,
    "apt-get is missing": without_apt,
    "no network, for apt-get": offline_apt,
    "the disk is full": full_disk,
    "another run writes there": taken,
}


def test_each_row_of_the_page_is_provoked():
    assert table().keys() == PROVOKED.keys()


@pytest.mark.parametrize("wrong", PROVOKED)
def test_a_mistake_meets_its_message(new_run, wrong):
    run = new_run()
    said = PROVOKED[wrong](run)
    assert "Traceback" not in said
    plain = " ".join(said.split())
    assert re.search(".*".join(re.escape(x.strip()) for x in table()[wrong]), plain), said[-3000:]
    assert not list((run.folder / "results").rglob("*.part-*"))
