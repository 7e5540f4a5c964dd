"""Mistakes that are told before any job, and inputs that changed without a newer date."""

import shutil


def test_another_configuration_of_the_corpus_is_refused(new_run):
    run = new_run()
    documents = "results/tiny/documents/aa.parquet"
    run(documents)
    assert (run.results / "made_by.txt").read_text() == "tiny.yaml\n"
    run(documents, "--dry-run")
    shutil.copy(run.folder / "tiny.yaml", run.folder / "other.yaml")
    other = run.default("--configfile", "other.yaml", check=False)
    assert other.returncode != 0
    assert "results/tiny was made by tiny.yaml; other.yaml would overwrite it" in other.stdout
    assert "Traceback" not in other.stdout
    (run.results / "made_by.txt").unlink()
    run.default("--configfile", "other.yaml", "--dry-run")
    assert not (run.results / "made_by.txt").exists()
