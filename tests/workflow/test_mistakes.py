"""Mistakes that are told before any job, with what to do, and leave nothing half-made."""

import re

import yaml

DOCUMENTS = "results/tiny/documents/da"


def test_command_line_keys_change_the_default_and_a_file_with_a_corpus_stands_alone(new_run):
    """And of a file, a key that stands twice is named by plain snakemake too."""
    run = new_run()
    changed = run("--dry-run", "--config", "corpus={path: nowhere}", check=False, name="")
    assert "Missing input files for rule documents" in changed.stdout
    assert "nowhere" in changed.stdout
    own = run("--dry-run", "--config", "seed=-1", check=False)
    assert "seed: Input should be greater than or equal to 0" in own.stdout
    with (run.folder / "run.yaml").open("a") as file:
        file.write("seed: 1\nseed: 2\n")
    refused = run("--dry-run", check=False)
    assert refused.returncode != 0
    assert re.search("run.yaml, line .* the key 'seed' was already on line", refused.stdout)
    assert "Traceback" not in refused.stdout


def test_a_plan_says_what_would_stop_a_run_and_makes_nothing(new_run):
    run = new_run(corpus={"name": "tiny", "source": "wikipedia"}, systems={"lexical_overlap": {}})
    plan = run.started("-n")
    assert plan.returncode == 0
    assert "A run would not start: corpus.contact: " in " ".join(plan.stdout.split())
    assert not run.results.exists()


def test_notes_and_results_may_be_elsewhere(new_run, tmp_path):
    """As where the checkout cannot be written."""
    run, elsewhere = new_run(), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (run.folder / "config/config.yaml").write_text(yaml.safe_dump(run.configuration))
    (run.folder / "corpus").rename(elsewhere / "corpus")
    run(DOCUMENTS, "--directory", elsewhere, name="")
    assert (elsewhere / DOCUMENTS).exists()
    assert not run.files()
