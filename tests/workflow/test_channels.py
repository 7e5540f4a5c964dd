"""Text of one language alone: from a file to word vectors, and to a system that learns from it."""

import pytest

from tests.kit import inside

pytestmark = pytest.mark.slow

LEARNER = '''"""Reports what its channel has."""

from cr5.base.parts import System
from cr5.fitting.contract import Fit
from cr5.systems.baselines.words import LexicalOverlap


class Learner(System):
    """Overlap, and what its channel has."""

    @property
    def needs(self):
        return ("channels", "counts")

    def fit(self, training):
        found = {x: each.relevance.toarray().tolist() for x, each in training.channels.items()}
        return Fit(LexicalOverlap().fit(training).model, {"relevant": found})
'''


def test_a_system_and_vectors_learn_from_it(new_run):
    run = new_run(
        languages=["da", "en"],
        systems={"learner": {"module": "learner.py"}, "procrustes": {"seeds": "identical"}},
        vectors={"algorithm": "word2vec", "dimension": 10, "epochs": 1, "min_count": 1},
        channels={
            "documents": "{language}.titles",
            "queries": "{language}.queries",
            "qrels": "qrels",
            "languages": ["en"],
            "train_vectors": True,
        },
    )
    (run.folder / "learner.py").write_text(LEARNER)
    (run.folder / "en.titles").write_text("t1\tnowhere\nt2\tnowhere nowhere\n")
    (run.folder / "en.queries").write_text("q\tnowhere\n")
    (run.folder / "qrels").write_text("q 0 t2 3\n")
    run("--until", "fit")
    assert inside.fit_of(run.results, "joint", "learner")["fit"] == {"relevant": {"en": [[0, 3]]}}
    has = {x for x in ("da", "en") if "nowhere" in inside.words_with_vectors(run.results, x)}
    assert has == {"en"}
