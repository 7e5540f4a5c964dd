"""Mistakes of newcomers: each meets the message that docs/reliability.md tells of; no traceback."""

import lzma
import os
import re
import subprocess
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.base.files import alone
from cr5.texts import debian
from cr5.texts.sources.files import Files
from tests.kit.inside import records
from tests.kit.refused import error
from tests.kit.run import ROOT, small

OFFLINE = """#!/bin/sh
echo "W: Failed to fetch http://debian.invalid/  Could not resolve 'debian.invalid'" >&2
case "$*" in *update*) ;; *) exit 100 ;; esac
"""


def table():
    """What is wrong, and parts of what is said, in the rows of that page."""
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8").split("## Error messages")[1]
    rows = re.findall(r"^\| ([^|`]+) \| `(.+?)` \| .+ \|$", page, re.MULTILINE)
    return {wrong: said.split("...") for wrong, said in rows}


CALLS = {  # as of the tables of refusals: a configuration, a reader and its file, a call
    "a key is misspelt": ("config", "langauges: [da, en]"),
    "a value is of the wrong kind": ("config", "seed: many"),
    "the layout of the file": ("readers", "config.yaml", "seed: 1\n\tlanguages: [da, en]\n"),
    "the file is not there": ("api", "config_files.read('nowhere.yaml')"),
    "a system is unknown": ("config", "systems: {cr6: {}}"),
    "there are no help pages in a language": ("api", "find_help(Path('elsewhere'), 'xx')"),
    "languages share too few documents": ("api", "cr5.fit(texts)"),
    "a package is missing": ("readers", "module.py", "import not_there\n"),
}


def damaged(folder):
    path = folder / "corpus" / "it.jsonl.xz"
    path.parent.mkdir()
    lines = [f'{{"concept": "Q{i}", "text": "x"}}' for i in range(6)]
    path.write_bytes(lzma.compress("\n".join([*lines, '{"concept": "Q6"']).encode()))
    with pytest.raises(UserError) as refused:
        list(records(Files, path, "it"))
    return str(refused.value)


def with_path(path):
    """Fetch a package with another PATH."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(UserError) as refused:
        patch.setenv("PATH", path)
        debian.download(["any"], Path())
    return str(refused.value)


def offline_apt(folder):
    Path("apt-get").write_text(OFFLINE)
    Path("apt-get").chmod(0o755)
    return with_path(f"{folder}:{os.environ['PATH']}")


def started(run, *arguments):
    """As ./run does; both outputs of what has failed."""
    done = run.started(*arguments)
    assert done.returncode != 0, done.stdout
    return done.stdout


def without_language(folder):
    return started(small(folder, languages=["da", "zz"]), "results/tiny/documents/zz")


def full_disk(folder):
    """A file system in memory, which root can mount."""
    run = small(folder)
    run.results.parent.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", run.results.parent]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root only")
    try:
        return started(run, "results/tiny/documents/da")
    finally:
        subprocess.run(["umount", run.results.parent], check=True)


def taken(folder):
    run = small(folder)
    with alone(run.results):
        assert "output: results/tiny/documents/da" in run("--dry-run").stdout
        said = started(run)
    assert not run.files("documents")
    return said


PROVOKED = {
    "the corpus lacks a language": without_language,
    "a line of a document is damaged": damaged,
    "apt-get is missing": lambda folder: with_path(""),
    "no network, for apt-get": offline_apt,
    "the disk is full": full_disk,
    "another run writes there": taken,
}


def test_each_row_of_the_page_is_provoked():
    assert table().keys() == {*CALLS, *PROVOKED}


@pytest.mark.parametrize("wrong", table())
def test_a_mistake_meets_its_message(tmp_path, monkeypatch, wrong):
    monkeypatch.chdir(tmp_path)
    said = str(error(*CALLS[wrong])) if wrong in CALLS else PROVOKED[wrong](tmp_path)
    assert "Traceback" not in said
    plain = " ".join(said.split())
    assert re.search(".*".join(re.escape(x.strip()) for x in table()[wrong]), plain), said[-3000:]
    assert not list(tmp_path.rglob("*.part-*"))
