"""Mistakes around the run: configuration files, folders, two runs at once. No traceback."""

import os
import subprocess
import sys

import pytest

from cr5.base import lock

TABLE = "results/tiny/tables/table1.md"


def refused(done):
    assert done.returncode != 0
    assert "Traceback" not in done.stdout
    return done.stdout


def test_a_target_may_follow_the_configuration_file(new_run):
    """As in the README: ./run --configfile mine.yaml results/mine/tables/table1.md."""
    run = new_run()
    arguments = ["--cores", "2", "-n", "--snakefile", "workflow/Snakefile", "--configfile"]
    done = subprocess.run(
        [sys.executable, "-m", "cr5.plan.start", *arguments, "tiny.yaml", TABLE],
        cwd=run.folder,
        env={**os.environ, "PYTHONPATH": "workflow"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "rule table1:" in done.stdout
    assert "rule report_page:" not in done.stdout


def test_a_key_that_stands_twice_is_named_by_plain_snakemake_too(new_run):
    run = new_run()
    with (run.folder / "tiny.yaml").open("a") as file:
        file.write("seed: 1\nseed: 2\n")
    assert "tiny.yaml, line " in (printed := refused(run("--dry-run", check=False)))
    assert "the key 'seed' was already on line" in printed


def test_an_error_of_syntax_in_the_default_has_its_line(new_run):
    run = new_run()
    (run.folder / "config/config.yaml").write_text("seed: 1\ncorpus: a: b\n")
    printed = refused(run.default("--dry-run", check=False))
    assert "config/config.yaml, line 2, column 10: mapping values are not allowed" in printed


@pytest.mark.parametrize("results", ["toy_system.py", "toy_system.py/below"])
def test_results_that_are_a_file(new_run, results):
    printed = refused(new_run(results=results)("--dry-run", check=False))
    assert f"{results}/tiny: results cannot be written there, because toy_system.py is" in printed


def test_another_run_that_writes_to_the_same_results_is_named(new_run):
    run = new_run()
    with lock.held(run.results):
        assert "output: results/tiny/documents/aa.parquet" in run("--dry-run").stdout
        printed = refused(run("results/tiny/documents/aa.parquet", check=False))
    assert f"results/tiny: another run (process {os.getpid()} on " in printed
    assert not run.files("documents")
    run("results/tiny/documents/aa.parquet")


def test_notes_and_results_may_be_elsewhere(new_run, tmp_path):
    """What ./run advises where the checkout cannot be written."""
    run, elsewhere = new_run(), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (run.folder / "config/config.yaml").write_text((run.folder / "tiny.yaml").read_text())
    (run.folder / "corpus").rename(elsewhere / "corpus")
    (run.folder / "toy_system.py").rename(elsewhere / "toy_system.py")
    run.default("results/tiny/documents/aa.parquet", "--directory", elsewhere)
    assert (elsewhere / "results/tiny/documents/aa.parquet").exists()
    assert not run.files()
