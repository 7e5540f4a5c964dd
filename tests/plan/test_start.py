"""Expected orders are written down by hand from how snakemake reads `nargs="+"`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.plan import start

ROOT = Path(__file__).parents[2]
TARGET = "results/mine/tables/table1.md"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.yaml", "more.yml", "my file", "other.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "out.yaml").write_text("results: out")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["-n", "--configfile", "mine.yaml", TARGET], [TARGET, "-n", "--configfile", "mine.yaml"]),
        (["--configfiles", "my file", "a b"], ["a b", "--configfiles", "my file"]),
        (["--configfile", "mine.yaml", "more.yml", "other.json", "quick", "-n"],
         ["quick", "--configfile", "mine.yaml", "more.yml", "other.json", "-n"]),
        (["--configfile", "mine.yaml", "results/mine/run.json", "./results/mine/config.yaml"],
         ["results/mine/run.json", "./results/mine/config.yaml", "--configfile", "mine.yaml"]),
        (["--configfile", "out.yaml", "out/mine/run.json"],
         ["out/mine/run.json", "--configfile", "out.yaml"]),
        (["--configfile", "mine.yaml", "--", TARGET], ["--configfile", "mine.yaml", "--", TARGET]),
        (["--configfile=mine.yaml", TARGET], ["--configfile=mine.yaml", TARGET]),
        (["quick", "--configfile", "mine.yaml"], ["quick", "--configfile", "mine.yaml"]),
        (["--config", "seed=7", "corpus={path: a b}", TARGET],
         [TARGET, "--config", "seed=7", "corpus={path: a b}"]),
        (["-C", "results/a=b", "-j", "2"], ["results/a=b", "-C", "-j", "2"]),
        (["--resources", "downloads=1", "a", "--rerun-triggers", "mtime", "params"],
         ["--resources", "downloads=1", "a", "--rerun-triggers", "mtime", "params"]),
        ([], []),
    ],
)  # fmt: skip
def test_targets_are_told_from_values(given, expected):
    assert start.targets_first(given) == expected


def test_a_key_within_a_section_is_refused():
    with pytest.raises(UserError, match=r"Write bags: \{min_documents: 5\} into a file"):
        start.targets_first(["--config", "seed=7", "bags.min_documents=5"])


def test_all_configuration_files_are_found():
    given = ["--configfile=a.yaml", "x", "--configfiles", "b", "c.yml", "-n", "d.yaml", "--", "e"]
    assert list(start.named_files(given)) == ["a.yaml", "b", "c.yml"]


def test_it_becomes_snakemake(monkeypatch):
    calls = []
    monkeypatch.setattr(os, "execv", lambda *call: calls.append(call))
    start.main(["-n", "--configfile", "mine.yaml", "a b"])
    command = [sys.executable, "-m", "snakemake", "a b", "-n", "--configfile", "mine.yaml"]
    assert calls == [(sys.executable, command)]


@pytest.mark.parametrize("more", [[], [TARGET]])
def test_a_mistake_is_told_in_one_sentence_before_snakemake_starts(monkeypatch, more):
    monkeypatch.setattr(os, "execv", lambda *call: pytest.fail("started"))
    with pytest.raises(SystemExit, match=r"run: There is no configuration file none.yaml\."):
        start.main(["--configfile", "none.yaml", *more])


def test_it_starts_without_what_takes_long():
    """Numbers and tables take seconds to import, snakemake half a second more."""
    code = "import sys, cr5.plan.start; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    names = set(done.stdout.split())
    assert "yaml" in names
    assert not {"numpy", "pandas", "pydantic", "snakemake"} & names
