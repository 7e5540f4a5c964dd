"""Mistakes that are told before any job, and inputs that changed without a newer date."""

import lzma
import os
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


def test_an_input_replaced_by_an_older_one_is_read_again_and_a_touched_one_is_not(new_run):
    run = new_run()
    documents = "results/tiny/documents/aa.parquet"
    path = run.folder / "corpus" / "aa.jsonl.xz"
    older = run.folder / "older.xz"
    with lzma.open(path, "rt", encoding="utf-8") as file:
        changed = file.read().replace("xaaa", "xaab")
    with lzma.open(older, "wt", encoding="utf-8") as file:
        file.write(changed)
    os.utime(older, (1, 1))
    run(documents)
    path.touch()
    assert "Nothing to be done" in run(documents, "--dry-run").stdout
    shutil.copy2(older, path)
    planned = run(documents, "--dry-run").stdout
    assert "rule documents:" in planned
    assert "language=aa" in planned
