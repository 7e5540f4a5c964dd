"""Mistakes of newcomers: each meets the message that docs/reliability.md tells of; no traceback."""

import lzma
import os
import re
import subprocess
from pathlib import Path

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.base.files import alone
from cr5.plan import config, config_files
from cr5.texts import debian
from cr5.texts.sources.files import Files
from cr5.texts.sources.libreoffice_help import LibreofficeHelp
from tests.kit.parts import records
from tests.kit.run import ROOT

OFFLINE = """#!/bin/sh
echo "W: Failed to fetch http://debian.invalid/  Could not resolve 'debian.invalid'" >&2
case "$*" in *update*) ;; *) exit 100 ;; esac
"""


def table():
    """What is wrong, and parts of what is said, in the rows of that page."""
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8").split("## Error messages")[1]
    rows = re.findall(r"^\| ([^|`]+) \| `(.+?)` \| .+ \|$", page, re.MULTILINE)
    return {wrong: said.split("...") for wrong, said in rows}


def refusal(call, *arguments):
    """What is said of a call that runs and jobs make, without starting one."""
    with pytest.raises(UserError) as refused:
        call(*arguments)
    return str(refused.value)


def read():
    """Read the configuration as a run does."""
    config.validated(config_files.read(Path("run.yaml")))


def refused(**changes):
    """Read a configuration with other keys; None takes one away."""

    def provoke(run):
        keys = run.configuration | changes
        run.configure({key: value for key, value in keys.items() if value is not None})
        return refusal(read)

    return provoke


def tabbed(run):
    Path("run.yaml").write_text("seed: 1\n\tlanguages: [da, en]\n")
    return refusal(read)


def uninstalled(run):
    Path("mine.py").write_text("import not_there\n")
    return refused(systems={"mine": {"module": "mine.py"}})(run)


def damaged(run):
    path = Path("corpus/it.jsonl.xz")
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    lines[6] = '{"concept": "Q6"'
    path.write_bytes(lzma.compress("\n".join(lines).encode()))
    return refusal(list, records(Files, path, "it"))


def with_path(path):
    """Fetch a package with another PATH."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path)
        return refusal(debian.download, ["any"], Path())


def offline_apt(run):
    Path("apt-get").write_text(OFFLINE)
    Path("apt-get").chmod(0o755)
    return with_path(f"{run.folder}:{os.environ['PATH']}")


def started(run, *arguments):
    """As ./run does; both outputs of what has failed."""
    done = run.started(*arguments)
    assert done.returncode != 0, done.stdout
    return done.stdout


def without_language(run):
    return started(run.change(languages=["da", "zz"]), "results/tiny/documents/zz")


def unshared(run):
    texts = {x: {f"{x}{i}": f"{x} a b c d e f g" for i in range(40)} for x in ("da", "en")}
    return refusal(cr5.fit, texts)


def full_disk(run):
    """A file system in memory, which root can mount."""
    run.results.parent.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", run.results.parent]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root only")
    try:
        return started(run, "results/tiny/documents/da")
    finally:
        subprocess.run(["umount", run.results.parent], check=True)


def taken(run):
    with alone(run.results):
        assert "output: results/tiny/documents/da" in run("--dry-run").stdout
        said = started(run)
    assert not run.files("documents")
    return said


PROVOKED = {
    "a key is misspelt": refused(languages=None, langauges=["da", "en"]),
    "a value is of the wrong kind": refused(seed="many"),
    "the layout of the file": tabbed,
    "the file is not there": lambda run: refusal(config_files.read, "nowhere.yaml"),
    "a system is unknown": refused(systems={"cr6": {}}),
    "the corpus lacks a language": without_language,
    "there are no help pages in a language": lambda run: refusal(
        LibreofficeHelp().find, run.folder, "xx"
    ),
    "a line of a document is damaged": damaged,
    "languages share too few documents": unshared,
    "a package is missing": uninstalled,
    "apt-get is missing": lambda run: with_path(""),
    "no network, for apt-get": offline_apt,
    "the disk is full": full_disk,
    "another run writes there": taken,
}


def test_each_row_of_the_page_is_provoked():
    assert table().keys() == PROVOKED.keys()


@pytest.mark.parametrize("wrong", PROVOKED)
def test_a_mistake_meets_its_message(new_run, monkeypatch, wrong):
    run = new_run()
    monkeypatch.chdir(run.folder)
    said = PROVOKED[wrong](run)
    assert "Traceback" not in said
    plain = " ".join(said.split())
    assert re.search(".*".join(re.escape(x.strip()) for x in table()[wrong]), plain), said[-3000:]
    assert not list((run.folder / "results").rglob("*.part-*"))
