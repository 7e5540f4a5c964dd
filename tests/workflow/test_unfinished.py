"""What data do not allow is left out and named; what fails is named beside what is finished."""

import json
import lzma
import re

import pandas as pd
import pytest
import yaml

pytestmark = pytest.mark.slow

SYSTEM = '''"""Fails where a file says so."""

from pathlib import Path

from cr5.fitting.fit import fit as fit_system
from cr5.systems import lexical_overlap


def fit(training, options):
    if Path("broken").exists():
        raise RuntimeError("out of luck")
    return fit_system(lexical_overlap, training, {})
'''
CHANGES = {
    "languages": ["aa", "bb", "zz"],
    "vectors": {"algorithm": "word2vec", "dimension": 10, "epochs": 1, "min_count": 1},
    "systems": {
        "cr5": {"rank": 10, "ridges": [1.0]},
        "procrustes_identical": {
            "module": "procrustes",
            "seeds": "identical",
            "rounds": 1,
            "min_length": 9,
        },
        "fragile": {"module": "fragile.py"},
    },
    "settings": {
        "pairwise": {"pairs": ["aa-zz", "aa-bb"], "systems": ["cr5"]},
        "two": {"kind": "joint", "languages": ["aa", "bb"]},
    },
    "evaluation": {"measures": ["cosine"]},
}

NO_SHARE = {"test": 0.0, "validation": 0.0, "candidates": 0.0}


@pytest.fixture(scope="module")
def run(new_run_in, tmp_path_factory):
    """No concept of zz is one of another language, no string of nine letters is in two."""
    run = new_run_in(tmp_path_factory.mktemp("unfinished"), **CHANGES)
    text = lzma.decompress((run.folder / "corpus" / "cc.jsonl.xz").read_bytes()).decode()
    alone = text.replace('"concept": "Q', '"concept": "Z').encode()
    (run.folder / "corpus" / "zz.jsonl.xz").write_bytes(lzma.compress(alone))
    (run.folder / "fragile.py").write_text(SYSTEM)
    return run


@pytest.fixture(scope="module")
def done(run):
    return run()


def scores(run, place="tables/scores.csv"):
    return pd.read_csv(run.results / place)


def test_a_pair_that_shares_nothing_does_not_end_the_run(run, done):
    assert set(scores(run)["setting"]) == {"pairwise_aa-bb", "two"}
    left_out = pd.read_csv(run.results / "tables" / "left_out.csv").set_index("setting")
    assert "aa, zz" in left_out.loc["pairwise_aa-zz", "reason"]
    assert left_out.loc["pairwise_aa-zz", "system"] == "cr5"


def test_a_system_that_the_data_do_not_allow_does_not_either(run, done):
    assert set(scores(run)["system"]) == {"cr5", "fragile"}
    fit = run.results / "models" / "two" / "procrustes_identical" / "1"
    assert "0 identical strings" in json.loads((fit / "fit.json").read_text())["left_out"]


def test_the_tables_name_both(run, done):
    for ending in ("md", "html", "tex"):
        text = (run.results / "tables" / f"table1.{ending}").read_text()
        assert re.search("Left out: Cr5, pairwise.?_aa-zz: ", text)
        assert "Left out: Procrustes (identical), two: bb-aa: 0 identical" in text
    assert "pairwise_aa-zz" in (run.results / "tables" / "pairs.csv").read_text()


def test_examples_of_a_system_that_is_left_out_are_a_sentence(run, done):
    assert "aa, zz" in (run.results / "tables" / "table2.md").read_text()


def test_results_of_a_changed_system_of_ones_own_say_so(run, done):
    def made_from():
        return json.loads((run.results / "tables" / "table1.json").read_text())["origin"]

    before = made_from()
    (run.folder / "fragile.py").write_text(SYSTEM + "\n\nUNUSED = 1\n")
    run("results/tiny/tables/table1.md")
    (run.folder / "fragile.py").write_text(SYSTEM)
    assert made_from()["configuration"] != before["configuration"]
    assert made_from()["corpus"] == before["corpus"]


def test_a_failed_run_shows_what_is_finished_and_names_what_is_not(run, done):
    before = scores(run)
    seed = ("--config", "seed=99")
    (run.folder / "broken").touch()
    failed = run(*seed, check=False)
    (run.folder / "broken").unlink()
    (run.results / "models" / "two" / "gone").mkdir()
    assert failed.returncode != 0
    page = (run.results / "partial" / "table1.md").read_text()
    assert "partial/table1.md" in failed.stdout
    assert "Not finished: fragile, two, see results/tiny/logs/fit/two/fragile/1.log." in page
    assert "Not finished: Cr5" not in page
    assert "Cr5, two" in page
    assert "seed 99" in page
    # what was there describes itself, as what it is
    assert scores(run).equals(before)
    for name in ("table1.md", "table2.md", "languages.md", "pairs.md"):
        about = json.loads((run.results / "tables" / name).with_suffix(".json").read_text())
        assert f"seed {about['origin']['seed']}," in (run.results / "tables" / name).read_text()
    for name in ("tables/table1.json", "tables/scores.json", "run.json"):
        assert json.loads((run.results / name).read_text())["origin"]["seed"] == 123
    assert "seed 123" in (run.results / "report.html").read_text()
    told = run(*seed).stdout
    left = "Not of this configuration, remove what is of no use: results/tiny/models/two/gone\n"
    assert told.count(left) == 1
    assert told.count("Not of this configuration") == 1
    assert not (run.results / "partial").exists()
    assert json.loads((run.results / "run.json").read_text())["origin"]["seed"] == 99
    assert "seed 99" in (run.results / "report.html").read_text()
    drawn = json.loads((run.results / "draws" / "1" / "contents.json").read_text())["origin"]
    assert drawn["seed"] == 99


def test_scores_of_other_settings_do_not_count_as_finished(run, done):
    """Nothing of the new settings was made: what an earlier run left is not shown as theirs."""
    path = run.folder / "tiny.yaml"
    before = path.read_text()
    path.write_text(yaml.safe_dump(yaml.safe_load(before) | {"splits": {"max_share": NO_SHARE}}))
    failed = run(check=False)
    path.write_text(before)
    assert failed.returncode != 0
    assert "partial/table1.md" not in failed.stdout


def test_scores_of_an_input_that_has_changed_do_not_either(run, done):
    """The documents cannot be read any more: what came of the old ones is not this run's."""
    path = run.folder / "corpus" / "aa.jsonl.xz"
    before = path.read_bytes()
    path.write_bytes(lzma.compress(lzma.decompress(before) + b"nonsense\n"))
    failed = run(check=False)
    path.write_bytes(before)
    assert failed.returncode != 0
    assert "not JSON" in failed.stdout
    assert "partial/table1.md" not in failed.stdout
    assert not (run.results / "partial").exists()


def test_text_in_another_order_is_another_corpus(run, done):
    """Bags do not tell: but word vectors are trained on the order of words."""
    path = run.folder / "corpus" / "aa.jsonl.xz"
    before = path.read_bytes()
    lines = [json.loads(line) for line in lzma.decompress(before).splitlines()]
    turned = [x | {"text": " ".join(reversed(x["text"].split()))} for x in lines]
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, turned)).encode()))
    about = run.results / "draws" / "1" / "contents.json"
    corpora = []
    for content in (path.read_bytes(), before):
        path.write_bytes(content)
        run("results/tiny/draws/1")
        corpora.append(json.loads(about.read_text())["origin"]["corpus"])
    assert corpora[0] != corpora[1]


def test_one_text_for_two_languages_is_refused(run, done):
    path = run.folder / "corpus" / "zz.jsonl.xz"
    before = path.read_bytes()
    path.write_bytes((run.folder / "corpus" / "aa.jsonl.xz").read_bytes())
    failed = run("-n", check=False)
    path.write_bytes(before)
    assert failed.returncode != 0
    assert "are the same text" in failed.stdout
