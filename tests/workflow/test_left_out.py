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


class Fragile(SYSTEMS.part_class("lexical_overlap", {})):
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
    finished = small(tmp_path_factory.mktemp("left_out"), **CHANGES)
    corpus = finished.folder / "corpus"
    italian = lzma.decompress((corpus / "it.jsonl.xz").read_bytes())
    alone = italian.replace(b'"concept": "Q', b'"concept": "Z')
    (corpus / "zz.jsonl.xz").write_bytes(lzma.compress(alone))
    (finished.folder / "fragile.py").write_text(SYSTEM)
    finished()
    return finished


def seed(run):
    return json.loads((run.results / "run.json").read_text())["seed"]


def report(run):
    return (run.results / "report.html").read_text()


def about(run, result):
    """The bytes by which a result describes itself."""
    return (run.results / result / "about.json").read_bytes()


def test_a_pair_that_shares_nothing_is_left_out_and_named(run):
    left_out = pd.read_csv(run.results / "tables" / "left_out.csv").set_index("setting")
    table = (run.results / "report" / "table1.tex").read_text()
    pairs = (run.results / "report" / "pairs.csv").read_text()
    assert set(scores(run.results)["setting"]) == {"pairwise_da-en", "two"}
    assert "da-zz 0" in left_out.loc["pairwise_da-zz", "reason"]
    assert re.search("Left out of documents: Cr5, pairwise.?_da-zz: ", table)
    assert "pairwise_da-zz" in pairs


def test_what_was_there_describes_itself_after_a_failed_run_as_well(run):
    path = run.results / "tables" / "scores.csv"
    scores_before = path.read_bytes()
    (run.folder / "broken").touch()
    run("--config", "seed=99", check=False, CR5_REPLACE="yes")
    failed = run("--config", "seed=99", check=False, CR5_REPLACE="yes")  # it begins again
    (run.folder / "broken").unlink()
    assert failed.returncode != 0
    assert "Nothing to be done" not in failed.stdout
    assert path.read_bytes() == scores_before
    assert seed(run) == 123
    assert "seed 123" in report(run)

    run("--config", "seed=99", CR5_REPLACE="yes")
    assert seed(run) == 99
    assert inside.fit_of(run.results, "two", "cr5")["seed"] == 99
    assert "seed 99" in report(run)


def lose_notes(run):
    """Delete every second note of snakemake's, and cut off the others."""
    metadata = run.folder / ".snakemake" / "metadata"
    notes = [path for path in metadata.rglob("*") if path.is_file()]
    for note in notes[1::2]:
        note.unlink()
    for note in notes[::2]:
        note.write_bytes(note.read_bytes()[:20])


def change_files(run):
    """Change the module of a system, and the bytes of a file, but not its text."""
    (run.folder / "fragile.py").write_text(f"{SYSTEM}\n    def more(self): ...\n")
    path = run.folder / "corpus" / "zz.jsonl.xz"
    text = lzma.decompress(path.read_bytes())
    path.write_bytes(lzma.compress(text, preset=0))
    os.utime(path, (0, 0))


def test_of_what_snakemake_has_no_notes_only_that_of_today_s_settings_is_kept(run):
    """Notes are lost or cut off; a key of each section, a module and a file are others."""
    lose_notes(run)
    change_files(run)
    bags_before = about(run, "bags/da")
    documents_before = about(run, "documents/da")
    changed = ("--config", "seed=99", "splits={test: 7}")
    lost = "results/tiny/draws/1 is to be made again, and what is made of it: it is damaged or"
    plan = run("--dry-run", *changed).stdout
    made_again = set(re.findall("results/tiny/(.*) is to be made again", plan))
    assert lost in plan
    assert made_again >= {"draws/1", "documents/zz", "models/two/fragile/1"}
    assert made_again.isdisjoint(["bags/da", "documents/da", "models/two/cr5/1"])
    assert (run.results / "draws/1").is_dir()

    refused = run(*changed, check=False)  # as finished ranks would go with it
    assert re.search(r"two/cr5.*: splits\.test: .* -> 7", refused.stdout)
    assert (run.results / "draws/1").is_dir()

    done = run("results/tiny/draws/1", *changed, CR5_REPLACE="yes")
    assert lost in done.stdout
    assert about(run, "bags/da") == bags_before
    assert about(run, "documents/da") == documents_before

    run("results/tiny/bags/da", "--config", "bags={min_documents: 2}", CR5_REPLACE="yes")
    step = json.loads(about(run, "bags/da"))["step"]
    assert step["rules"]["min_documents"] == 2
