"""The workflow as a module of somebody else's Snakefile, as docs/extending.md shows it."""

import subprocess
import sys

import pytest

from cr5.plan import manifest
from tests.tiny_run import ROOT

pytestmark = pytest.mark.slow
PAGE = ROOT / "docs" / "extending.md"


def shown():
    """Return the Snakefile of the page."""
    return PAGE.read_text(encoding="utf-8").split("```text\nmodule cr5:")[1].split("```")[0]


def test_a_workflow_that_has_this_one_as_a_module(new_run, tmp_path):
    small = {"systems": {"cr5": {"rank": 10, "ridges": [1.0]}}, "settings": {"joint": {}}}
    run = new_run(languages=["aa", "bb"], **small)
    text = f'configfile: "tiny.yaml"\n\nmodule cr5:{shown()}'.replace("path/to/cr5/", "")
    (tmp_path / "Snakefile").write_text(text)

    def snakemake():
        command = [sys.executable, "-m", "snakemake", "--cores", "2", "summary.txt"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stderr

    snakemake()
    assert len((tmp_path / "summary.txt").read_text().splitlines()) == 3
    made = manifest.read(run.results)
    assert "summary.txt" not in made.outputs()
    assert "run.json" in made.outputs()
    (run.results / manifest.NAME).unlink()  # as of a run whose Snakefile calls no hooks
    assert "Nothing to be done" in snakemake()
    assert (run.results / "run.json").exists()
