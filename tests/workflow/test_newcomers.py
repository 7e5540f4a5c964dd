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
import yaml

from cr5.base import lock
from cr5.base.errors import UserError
from cr5.plan import config, config_files, corpus

ROOT = Path(__file__).parents[2]
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


def start(run, *arguments, path=None):
    """As ./run does; both outputs."""
    command = [sys.executable, "-m", "cr5.plan.start", "--cores", "2"]
    command += ["--workflow-profile", "workflow/profiles/default"]
    done = subprocess.run(
        [*command, "--snakefile", "workflow/Snakefile", "--configfile", *arguments],
        cwd=run.folder,
        env={**os.environ, "PATH": path or os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode != 0, done.stdout
    return done.stdout


def refused(**changes):
    """Read a configuration with other keys as a run does; None takes one away."""

    def provoke(run):
        keys = yaml.safe_load((run.folder / "tiny.yaml").read_text()) | changes
        kept = {key: value for key, value in keys.items() if value is not None}
        (run.folder / "tiny.yaml").write_text(yaml.safe_dump(kept))
        return said_by_the_reader(run)

    return provoke


def said_by_the_reader(run):
    """What a run would say of its configuration, without starting one."""
    with chdir(run.folder):
        try:
            found = config.validated(config_files.read(Path("tiny.yaml")))
        except UserError as error:
            return str(error)
        return "\n".join(corpus.missing(found["corpus"], found["languages"]))


def made(target, **changes):
    """Make one file of a run with other keys."""

    def provoke(run):
        keys = yaml.safe_load((run.folder / "tiny.yaml").read_text()) | changes
        (run.folder / "tiny.yaml").write_text(yaml.safe_dump(keys))
        return start(run, "tiny.yaml", f"results/tiny/{target}")

    return provoke


def tabbed(run):
    (run.folder / "tiny.yaml").write_text("seed: 1\n\tlanguages: [aa, bb]\n")
    return said_by_the_reader(run)


def absent(run):
    return start(run, "nowhere.yaml", "-n")


def damaged(run):
    path = run.folder / "corpus" / "bb.jsonl.xz"
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    lines[6] = '{"concept": "Q6"'
    path.write_bytes(lzma.compress("\n".join(lines).encode()))
    said = made("documents/bb.parquet")(run)
    assert not run.files("documents")
    return said


def unshared(run):
    for language in ("aa", "bb", "cc", "dd"):
        texts = [{"concept": f"{language}{i}", "text": "a b c d e f g"} for i in range(40)]
        text = "\n".join(map(json.dumps, texts)).replace("a b", f"{language} b")
        (run.folder / "corpus" / f"{language}.jsonl.xz").write_bytes(lzma.compress(text.encode()))
    return made("draws/1", bags={"unique_words": [1, 1000], "min_documents": 1})(run)


def uninstalled(run):
    (run.folder / "toy_system.py").write_text("import not_there\nDEFAULTS = {'dimension': 8}\n")
    said = start(run, "tiny.yaml")
    assert not run.files("documents")
    assert "rule documents:" in run("--dry-run").stdout  # which plans all the same
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
    (run.folder / "tiny.yaml").write_text(yaml.safe_dump(ONE))
    return start(run, "tiny.yaml", path=programs)


def offline_apt(run):
    programs = run.folder / "programs"
    programs.mkdir()
    (programs / "apt-get").write_text(OFFLINE)
    (programs / "apt-get").chmod(0o755)
    (run.folder / "tiny.yaml").write_text(yaml.safe_dump(ONE))
    return start(run, "tiny.yaml", path=f"{programs}:{os.environ['PATH']}")


def unknown_package(run):
    (run.folder / "packages").mkdir()
    corpus = {**HELP["corpus"], "path": "packages"}
    keys = ONE | {"corpus": corpus}
    (run.folder / "tiny.yaml").write_text(yaml.safe_dump(keys))
    return start(run, "tiny.yaml")


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
    with small_disk(run.folder / "results", "64k"):
        return start(run, "tiny.yaml", "results/tiny/documents/aa.parquet")


def taken(run):
    with lock.held(run.results):
        assert "output: results/tiny/documents/aa.parquet" in run("--dry-run").stdout
        said = start(run, "tiny.yaml")
    assert f"results/tiny: another run (process {os.getpid()} on " in said
    assert not run.files("documents")
    run("results/tiny/documents/aa.parquet")
    return said


PROVOKED = {
    "a key is misspelt": refused(languages=None, langauges=["aa", "bb"]),
    "a value is of the wrong kind": refused(seed="many"),
    "the layout of the file": tabbed,
    "the file is not there": absent,
    "a system is unknown": refused(systems={"cr6": {}}),
    "the corpus lacks a language": refused(languages=["aa", "zz"], settings={"joint": {}}),
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
    assert not [path for path in run.files() if ".part-" in str(path)]
