"""Mistakes that are told before any job, with what to do, and leave nothing half-made."""

import json
import lzma
import os
import shutil
import subprocess
import sys

import pandas as pd
import pytest

TABLE = "results/tiny/tables/table1.md"
DOCUMENTS = "results/tiny/documents/aa.parquet"
BROKEN = "\n\ndef fit(training, options):\n    raise ValueError(1)\n"
SENTENCES = [
    "市图书馆每天上午九点开门，读者可以借阅书籍和报纸。",
    "火车经过一座古老的石桥，桥下的河水流得很慢。",
    "她在大学里学习数学，周末常常去河边散步。",
]


def refused(done):
    assert done.returncode != 0
    assert "Traceback" not in done.stdout
    return done.stdout


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {
                "systems": {"word_by_word": {}},
                "alignments": {"path": "no/{source}-{target}"},
                "settings": {"joint": {}},
            },
            "alignments.path: there is no file no/aa-bb",
        ),
        (
            {"corpus": {"name": "x", "source": "libreoffice_help", "path": "nowhere"}},
            "corpus.path: there is no file or folder nowhere",
        ),
    ],
)
def test_a_wrong_configuration_stops_before_any_job(new_run, changes, expected):
    assert expected in refused(new_run(**changes)("--dry-run", check=False))


def test_command_line_keys_change_the_default_and_a_file_with_a_corpus_stands_alone(new_run):
    run = new_run()
    changed = run.default("--dry-run", "--config", "corpus={path: nowhere}", check=False)
    assert "corpus.path: there is no file or folder nowhere" in changed.stdout
    own = run("--dry-run", "--config", "seed=-1", check=False)
    assert "seed: expected 0 or more" in own.stdout


@pytest.mark.slow
def test_what_failed_is_done_again_though_older_tables_are_there(new_run):
    """Snakemake takes the model away; tables made under other settings must not stand for it."""
    run = new_run(
        languages=["aa", "bb"],
        systems={"lexical_overlap": {}, "toy": {"module": "toy_system.py"}},
        settings={"joint": {}},
    )
    run(TABLE)
    with (run.folder / "toy_system.py").open("a") as file:
        file.write(BROKEN)
    assert run(TABLE, check=False).returncode != 0
    again = run(TABLE, check=False)
    assert again.returncode != 0
    assert "Nothing to be done" not in again.stdout


def test_another_configuration_of_the_corpus_is_refused(new_run):
    run = new_run()
    run(DOCUMENTS)
    assert (run.results / "made_by.txt").read_text() == "tiny.yaml\n"
    shutil.copy(run.folder / "tiny.yaml", run.folder / "other.yaml")
    said = refused(run.default("--configfile", "other.yaml", check=False))
    assert "results/tiny was made by tiny.yaml; other.yaml would overwrite it" in said
    (run.results / "made_by.txt").unlink()
    run.default("--configfile", "other.yaml", "--dry-run")
    assert not (run.results / "made_by.txt").exists()


def test_an_input_replaced_by_an_older_one_is_read_again_and_a_touched_one_is_not(new_run):
    run = new_run()
    path = run.folder / "corpus" / "aa.jsonl.xz"
    older = run.folder / "older.xz"
    with lzma.open(path, "rt", encoding="utf-8") as file:
        changed = file.read().replace("xaaa", "xaab")
    with lzma.open(older, "wt", encoding="utf-8") as file:
        file.write(changed)
    os.utime(older, (1, 1))
    run(DOCUMENTS)
    path.touch()
    assert "Nothing to be done" in run(DOCUMENTS, "--dry-run").stdout
    shutil.copy2(older, path)
    planned = run(DOCUMENTS, "--dry-run").stdout
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
    assert 'corpus/bb.jsonl.xz, line 1: "text" is missing' in bad.stdout
    assert "Traceback" not in bad.stdout
    assert not run.results.exists()


def test_a_dry_run_of_wikipedia_says_what_is_to_come(new_run):
    corpus = {"name": "w", "source": "wikipedia"}
    run = new_run(
        corpus=corpus, languages=["en", "da"], systems={"cr5": {}}, settings={"joint": {}}
    )
    said = run("--dry-run").stdout
    assert "error    corpus.contact: Wikimedia asks for a User-Agent" in said
    assert "download: 46 GB, " in said
    real = run(check=False)
    assert real.returncode != 0
    assert "Nothing was started" in real.stdout


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
    stages = {line.split()[0] for line in done.stdout.splitlines()}
    assert "tables" in stages
    assert not stages & {"figures", "report"}


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


def test_a_variant_has_the_words_of_its_language_and_a_wrong_code_is_told(new_run):
    pytest.importorskip("icu4py")
    run = new_run(
        corpus={"name": 2024, "source": "files", "path": "corpus/{language}.jsonl"},
        languages=["zh", "zh_cn", "jp"],
        bags={"unique_words": [1, 1000], "min_documents": 1},
        systems={"lexical_overlap": {}},
        settings={"joint": {}},
    )
    for language in ("zh", "zh_cn", "jp"):
        entries = ({"concept": f"Q{i}", "text": text} for i, text in enumerate(SENTENCES))
        lines = (json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        # not the very same file, which would be refused
        content = "".join(lines) + ["zh", "zh_cn", "jp"].index(language) * "\n"
        (run.folder / "corpus" / f"{language}.jsonl").write_text(content, encoding="utf-8")
    bags = {x: f"results/2024/bags/{x}" for x in ("zh", "zh_cn", "jp")}
    told = run(*bags.values()).stdout
    words = {x: pd.read_parquet(run.folder / path / "words.parquet") for x, path in bags.items()}
    pd.testing.assert_frame_equal(words["zh_cn"], words["zh"])
    assert len(words["zh"]) > 2 * len(words["jp"])
    assert told.count("its words look wrong") == 1
    assert "Language 'jp': its words look wrong" in told
