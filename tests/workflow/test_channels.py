"""Text of one language alone: from a file to a system that learns from it, and to word vectors."""

import json

import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.slow

LEARNER = '''"""Reports what its channel has."""

from cr5.fitting.contract import Fit
from cr5.systems.lexical_overlap import fit as overlap

NEEDS = ("channels",)
OPTIONS = {}


def fit(training, options):
    found = {}
    for language, channel in training.channels.items():
        words = training.words[language]
        rows = channel.documents.toarray().tolist()
        found[language] = {
            "texts": [{w: n for w, n in zip(words, row) if n} for row in rows],
            "relevant": channel.relevance.toarray().tolist(),
        }
    return Fit(overlap(training, {"paper_weights": False}).model, {"channels": found})
'''


def test_a_system_and_vectors_learn_from_it(new_run):
    run = new_run(
        languages=["aa", "bb"],
        systems={"learner": {"module": "learner.py"}, "procrustes": {"seeds": "identical"}},
        settings={"joint": {}},
        channels={
            "documents": "{language}.titles",
            "queries": "{language}.queries",
            "qrels": "qrels",
            "languages": ["bb"],
            "train_vectors": True,
        },
    )
    (run.folder / "learner.py").write_text(LEARNER)
    (run.folder / "bb.titles").write_text("t1\tnowhere\nt2\tnowhere nowhere\n")
    (run.folder / "bb.queries").write_text("q\tnowhere\n")
    (run.folder / "qrels").write_text("q 0 t2 3\n")
    run("--until", "fit")
    about = json.loads((run.results / "models/joint/learner/1/fit.json").read_text())
    # "nowhere" is no word of the documents: the channel is counted in their words
    assert about["fit"]["channels"] == {"bb": {"texts": [{}, {}], "relevant": [[0, 3]]}}
    with_vectors = {
        x: pq.read_table(run.results / f"vectors/{x}/1.parquet")["word"].to_pylist()
        for x in ("aa", "bb")
    }
    assert "nowhere" in with_vectors["bb"]
    assert "nowhere" not in with_vectors["aa"]
