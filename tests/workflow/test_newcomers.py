"""Mistakes of newcomers: each meets the message that docs/reliability.md tells of; no traceback."""

import json
import lzma
import os
import re
import subprocess
from contextlib import chdir
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.base.files import alone
from cr5.plan import config, config_files
from cr5.texts import debian
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


def start(run, *arguments, **how):
    """As ./run does; both outputs of what has failed."""
    done = run.started(*arguments, **how)
    assert done.returncode != 0, done.stdout
    return done.stdout


def refusal(call, *arguments):
    """What is said of a call that jobs make, without starting one."""
    with pytest.raises(UserError) as refused:
        call(*arguments)
    return str(refused.value)


def read(run):
    """Read the configuration as a run does."""
    with chdir(run.folder):
        config.validated(config_files.read(Path("run.yaml")))


def refused(**changes):
    """Read a configuration with other keys; None takes one away."""

    def provoke(run):
        keys = run.configuration | changes
        run.configure({key: value for key, value in keys.items() if value is not None})
        return refusal(read, run)

    return provoke


def made(target, **changes):
    """Make one file of a run with other keys."""
    return lambda run: start(run.change(**changes), f"results/tiny/{target}")


def tabbed(run):
    (run.folder / "run.yaml").write_text("seed: 1\n\tlanguages: [da, en]\n")
    return refusal(read, run)


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
    (run.folder / "mine.py").write_text("import not_there\n")
    said = start(run.change(systems={"mine": {"module": "mine.py"}}))
    assert not run.files("documents")
    return said


def with_path(run, path):
    """Fetch a package with another PATH."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path)
        return refusal(debian.download, ["any"], run.folder)


def without_apt(run):
    return with_path(run, "")


def offline_apt(run):
    (run.folder / "apt-get").write_text(OFFLINE)
    (run.folder / "apt-get").chmod(0o755)
    return with_path(run, f"{run.folder}:{os.environ['PATH']}")


def unknown_package(run):
    (run.folder / "packages").mkdir()
    corpus = {"name": "tiny", "source": "libreoffice_help", "path": "packages"}
    return start(run.change(corpus=corpus, languages=["en", "xx"]))


def full_disk(run):
    """A file system in memory, which root can mount."""
    run.results.parent.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", run.results.parent]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root only")
    try:
        return start(run, "results/tiny/documents/da")
    finally:
        subprocess.run(["umount", run.results.parent], check=True)


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
