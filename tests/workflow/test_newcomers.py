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
    """What is wrong, and parts of the message, in the rows of that page."""
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8")
    section = page.split("## Error messages")[1]
    rows = re.findall(r"^\| ([^|`]+) \| `(.+?)` \| .+ \|$", section, re.MULTILINE)
    return {mistake: message.split("...") for mistake, message in rows}


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
    lines = [f'{{"concept": "Q{number}", "text": "x"}}' for number in range(6)]
    lines.append('{"concept": "Q6"')
    path.write_bytes(lzma.compress("\n".join(lines).encode()))
    with pytest.raises(UserError) as refused:
        list(records(Files, path, "it"))
    return str(refused.value)


def with_path(path):
    """Fetch a package with another PATH."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(UserError) as refused:
        patch.setenv("PATH", path)
        debian.download(["any"], Path())
    return str(refused.value)


def without_apt(folder):
    return with_path("")


def offline_apt(folder):
    Path("apt-get").write_text(OFFLINE)
    Path("apt-get").chmod(0o755)
    return with_path(f"{folder}:{os.environ['PATH']}")


def failed(run, target="all"):
    """Both outputs of a run that fails, as ./run starts it."""
    done = run.started(target)
    assert done.returncode != 0, done.stdout
    return done.stdout


def without_language(folder):
    return failed(small(folder, languages=["da", "zz"]), "results/tiny/documents/zz")


def full_disk(folder):
    """A file system in memory, which root can mount."""
    run = small(folder)
    run.results.parent.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", run.results.parent]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root only")
    try:
        return failed(run, "results/tiny/documents/da")
    finally:
        subprocess.run(["umount", run.results.parent], check=True)


def taken(folder):
    run = small(folder)
    with alone(run.results):
        assert "output: results/tiny/documents/da" in run("--dry-run").stdout
        message = failed(run)
    assert not run.files("documents")
    return message


PROVOKED = {
    "the corpus lacks a language": without_language,
    "a line of a document is damaged": damaged,
    "apt-get is missing": without_apt,
    "no network, for apt-get": offline_apt,
    "the disk is full": full_disk,
    "another run writes there": taken,
}


def test_each_row_of_the_page_is_provoked():
    assert table().keys() == CALLS.keys() | PROVOKED.keys()


def message_of(mistake, folder):
    if mistake in CALLS:
        return str(error(*CALLS[mistake]))
    return PROVOKED[mistake](folder)


@pytest.mark.parametrize("mistake", table())
def test_a_mistake_meets_its_message(tmp_path, monkeypatch, mistake):
    monkeypatch.chdir(tmp_path)
    message = message_of(mistake, tmp_path)
    pattern = ".*".join(re.escape(part.strip()) for part in table()[mistake])
    assert re.search(pattern, " ".join(message.split())), message[-3000:]
    assert "Traceback" not in message
    assert not list(tmp_path.rglob("*.part-*"))
