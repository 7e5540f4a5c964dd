"""What data do not allow is left out and named; what a failed run leaves is as it was."""

import json
import lzma
import os
import re

import pandas as pd
import pytest

from tests.kit import inside
from tests.kit.run import scores, small

pytestmark = pytest.mark.slow

SYSTEM = """
from pathlib import Path

from cr5.contracts.catalogue import SYSTEMS


class Fragile(SYSTEMS.kind("lexical_overlap", {})):
    def fit(self, training):
        if Path("broken").exists():
            raise RuntimeError("out of luck")
        return super().fit(training)
"""
CHANGES = {
    "languages": ["da", "en", "zz"],
    "vectors": {"algorithm": "word2vec", "dimension": 10, "epochs": 1, "min_count": 1},
    "systems": {
        "cr5": {"rank": 10, "ridges": [1.0]},
        "fragile": {"module": "fragile.py"},
        "procrustes": {"seeds": "identical", "rounds": 0},
    },
    "settings": {
        "pairwise": {"pairs": ["da-zz", "da-en"], "systems": ["cr5"]},
        "two": {"kind": "joint", "languages": ["da", "en"]},
    },
    "evaluation": {"measures": ["cosine"]},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """No concept of zz is one of another language."""
    run = small(tmp_path_factory.mktemp("left_out"), **CHANGES)
    text = lzma.decompress((run.folder / "corpus" / "it.jsonl.xz").read_bytes()).decode()
    alone = text.replace('"concept": "Q', '"concept": "Z').encode()
    (run.folder / "corpus" / "zz.jsonl.xz").write_bytes(lzma.compress(alone))
    (run.folder / "fragile.py").write_text(SYSTEM)
    run()
    return run


def seed(run):
    return json.loads((run.results / "run.json").read_text())["seed"]


def test_a_pair_that_shares_nothing_is_left_out_and_named(run):
    assert set(scores(run.results)["setting"]) == {"pairwise_da-en", "two"}
    left_out = pd.read_csv(run.results / "tables" / "left_out.csv").set_index("setting")
    assert "da-zz 0" in left_out.loc["pairwise_da-zz", "reason"]
    text = (run.results / "report" / "table1.tex").read_text()
    assert re.search("Left out of documents: Cr5, pairwise.?_da-zz: ", text)
    assert "pairwise_da-zz" in (run.results / "report" / "pairs.csv").read_text()


def test_what_was_there_describes_itself_after_a_failed_run_as_well(run):
    before = (run.results / "tables" / "scores.csv").read_bytes()
    other_seed = ("--config", "seed=99")
    (run.folder / "broken").touch()
    calls = (run(*other_seed, check=False, CR5_REPLACE="yes") for _ in range(2))
    failed = [*calls][-1]  # a second call begins it again
    (run.folder / "broken").unlink()
    assert failed.returncode != 0
    assert "Nothing to be done" not in failed.stdout
    assert (run.results / "tables" / "scores.csv").read_bytes() == before
    assert seed(run) == 123
    assert "seed 123" in (run.results / "report.html").read_text()
    run(*other_seed, CR5_REPLACE="yes")
    assert seed(run) == inside.fit_of(run.results, "two", "cr5")["seed"] == 99
    assert "seed 99" in (run.results / "report.html").read_text()


def test_of_what_snakemake_has_no_notes_only_that_of_today_s_settings_is_kept(run):
    """Notes are lost or cut off; a key of each section, a module and a file are others."""
    notes = [path for path in (run.folder / ".snakemake" / "metadata").rglob("*") if path.is_file()]
    for number, note in enumerate(notes):
        note.unlink() if number % 2 else note.write_bytes(note.read_bytes()[:20])
    (run.folder / "fragile.py").write_text(f"{SYSTEM}\n    def more(self): ...\n")
    corpus = run.folder / "corpus" / "zz.jsonl.xz"
    corpus.write_bytes(lzma.compress(lzma.decompress(corpus.read_bytes()), preset=0))
    os.utime(corpus, (0, 0))
    before = {
        name: (run.results / name / "about.json").read_bytes()
        for name in ("bags/da", "documents/da")
    }
    changed = "--config", "seed=99", "splits={test: 7}"
    lost = "results/tiny/draws/1 is to be made again, and what is made of it: it is damaged or"
    shown = run(*changed, "--dry-run").stdout
    again = set(re.findall("results/tiny/(.*) is to be made again", shown))
    assert lost in shown and again >= {"draws/1", "documents/zz", "models/two/fragile/1"}
    assert not again & {*before, "models/two/cr5/1"}
    assert (run.results / "draws/1").is_dir()
    refused = run(*changed, check=False)  # as finished ranks would go with it
    assert re.search(r"two/cr5.*: splits\.test: .* -> 7", refused.stdout)
    assert (run.results / "draws/1").is_dir()
    assert lost in run("results/tiny/draws/1", *changed, CR5_REPLACE="yes").stdout
    assert {name: (run.results / name / "about.json").read_bytes() for name in before} == before
    bags = "results/tiny/bags/da", "--config", "bags={min_documents: 2}"
    run(*bags, CR5_REPLACE="yes")
    step = json.loads((run.results / "bags" / "da" / "about.json").read_text())["step"]
    assert step["rules"]["min_documents"] == 2
