"""A model in MTEB: run by it where it is installed, and after its protocol everywhere."""

import inspect

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.models.word_tables import DirectedWordTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.mteb import Encoder

ABSENT = "mteb is not installed, which needs torch"
ABOUT = {
    "description": "Made up.",
    "dataset": {"path": "made/up", "revision": "1"},
    "eval_splits": ["test"],
}


def batches(*texts):
    return [{"text": list(x)} for x in texts]


def test_a_row_for_each_text(embedder):
    rows = Encoder(embedder).encode(
        batches(["the cat", "gatto"], ["quo vadis", "sea"]),
        task_metadata=None,
        hf_split="test",
        hf_subset="eng_Latn-ita_Latn",
        batch_size=2,
    )
    assert rows.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert rows.dtype == np.float32
    named = Encoder(embedder, "en").encode(batches(["the cat", "gatto"]))
    assert named.tolist() == [[1, 0, 0], [0, 0, 0]]


def test_similarities(embedder):
    one, other = np.array([[2.0, 0], [0, 0]]), np.array([[3.0, 4], [0, 5]])
    encoder = Encoder(embedder)
    assert encoder.similarity(one, other).tolist() == [[pytest.approx(0.6), 0], [0, 0]]
    assert encoder.similarity_pairwise(one, other).tolist() == [pytest.approx(0.6), 0]


def test_what_mteb_cannot_use_is_refused(small_model):
    tables = {x: dict.fromkeys(("en", "it"), table) for x, table in small_model.tables.items()}
    directed = DirectedWordTables(small_model.words, tables, small_model.weights)
    with pytest.raises(UserError, match="embeds a text anew for each language"):
        Encoder(Embedder(directed, {}, "made_up"))


def test_the_protocol(embedder):
    protocols = pytest.importorskip("mteb.models.models_protocols", reason=ABSENT)
    assert isinstance(Encoder(embedder), protocols.EncoderProtocol)
    asked = inspect.signature(protocols.EncoderProtocol.encode).parameters
    assert [x for x in asked if asked[x].kind == inspect.Parameter.POSITIONAL_OR_KEYWORD] == [
        "self",
        "inputs",
    ]


@pytest.fixture
def evaluated(embedder):
    """Return a function from a task of MTEB to its scores."""
    mteb = pytest.importorskip("mteb", reason=ABSENT)

    def scores(task):
        found = mteb.evaluate(
            Encoder(embedder), task, cache=None, co2_tracker=False, show_progress_bar=False
        )
        [result] = found.task_results
        return result.scores["test"][0]

    return scores


def test_sentences_mined_by_mteb(evaluated):
    """By hand: those of dog and sea are exchanged, so one of three is found."""
    from datasets import Dataset
    from mteb.abstasks import AbsTaskBitextMining
    from mteb.abstasks.task_metadata import TaskMetadata

    class Made(AbsTaskBitextMining):
        metadata = TaskMetadata(
            name="MadeUpMining", type="BitextMining", category="t2t", main_score="accuracy",
            eval_langs=["eng-Latn", "ita-Latn"], **ABOUT,
        )  # fmt: skip

        def load_data(self, **_):
            pairs = {"sentence1": ["the cat", "dog", "sea"], "sentence2": ["gatto", "mare", "cane"]}
            self.dataset, self.data_loaded = {"test": Dataset.from_dict(pairs)}, True

    assert evaluated(Made())["accuracy"] == pytest.approx(1 / 3)


def test_documents_found_by_mteb(evaluated):
    """By hand: g is first for 1; for 2, m is first and c second."""
    from mteb.abstasks import AbsTaskRetrieval
    from mteb.abstasks.task_metadata import TaskMetadata

    class Made(AbsTaskRetrieval):
        metadata = TaskMetadata(
            name="MadeUpRetrieval", type="Retrieval", category="t2t", main_score="ndcg_at_10",
            eval_langs=["eng-Latn", "ita-Latn"], **ABOUT,
        )  # fmt: skip

        def load_data(self, **_):
            self.queries = {"test": {"1": "the cat", "2": "sea dog"}}
            self.corpus = {"test": {"c": "cane", "g": "gatto", "m": "mare mare cane"}}
            self.relevant_docs = {"test": {"1": {"g": 1}, "2": {"c": 1}}}
            self.data_loaded = True

    found = evaluated(Made())
    assert found["ndcg_at_10"] == pytest.approx((1 + 1 / np.log2(3)) / 2, abs=1e-5)
    assert found["recall_at_1"] == 0.5
