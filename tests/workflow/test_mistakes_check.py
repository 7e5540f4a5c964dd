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


def test_a_check_says_each_thing_and_makes_nothing(new_run):
    run = new_run()
    good = run(CR5_CHECK="1").stdout
    assert "ok       configuration: languages aa, bb, cc, dd; systems advrefine" in good
    assert "ok       corpus.path: corpus/dd.jsonl.xz, its first documents" in good
    with lzma.open(run.folder / "corpus" / "bb.jsonl.xz", "wt") as file:
        file.write('{"concept": "Q1"}\n')
    (run.folder / "toy_system.py").write_text("import not_there\nDEFAULTS = {'dimension': 8}\n")
    bad = run(CR5_CHECK="1", check=False)
    assert bad.returncode == 1
    assert "error    systems.toy: its packages: not installed: not_there" in bad.stdout
    assert 'corpus/bb.jsonl.xz, line 1: the key "text" is missing' in bad.stdout
    assert "Traceback" not in bad.stdout
    assert not run.results.exists()


def test_what_stops_a_fit_stops_the_run_before_its_first_job(new_run):
    run = new_run()
    (run.folder / "toy_system.py").write_text("import not_there\nDEFAULTS = {'dimension': 8}\n")
    done = run(check=False)
    assert done.returncode != 0
    assert "systems.toy: its packages: not installed: not_there" in done.stdout
    assert "Traceback" not in done.stdout
    assert not run.files("documents")
    assert "rule documents:" in run("--dry-run").stdout


def test_a_dry_run_of_wikipedia_says_what_is_to_come(new_run):
    corpus = {"name": "w", "source": "wikipedia"}
    run = new_run(
        corpus=corpus, languages=["en", "da"], systems={"cr5": {}}, settings={"joint": {}}
    )
    said = run("--dry-run").stdout
    assert "error    corpus.contact: Wikimedia asks for a User-Agent" in said
    assert "download: 46 GB, kept on disk" in said
    real = run(check=False)
    assert real.returncode != 0
    assert "Nothing was started" in real.stdout
