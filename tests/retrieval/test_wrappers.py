"""A model in PyTerrier and MTEB; where they are not installed, after what they ask for."""

import inspect

import numpy as np
import pandas as pd
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.models.word_tables import DirectedWordTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.mteb import Encoder

TOPICS = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["the cat", "quo vadis", "sea dog"]})


@pytest.fixture
def index(embedder):
    found = cr5.Index(embedder)
    found.add(["c", "g", "m"], ["cane", "gatto", "mare mare cane"], "it")
    return found


@pytest.fixture
def retriever():
    pytest.importorskip("pyterrier", reason="pyterrier is not installed")
    from cr5.retrieval.pyterrier import Retriever

    return Retriever


@pytest.mark.parametrize("language", ["en", None])
def test_pyterrier_ranks_what_the_index_finds(retriever, index, language):
    found = retriever(index, language, k=2).transform(TOPICS)
    assert sorted(set(found["qid"])) == ["1", "3"]
    for qid, of_query in found.groupby("qid"):
        text = TOPICS.set_index("qid").loc[qid, "query"]
        [hits] = index.search(text, "en", k=2)
        assert of_query["docno"].tolist() == [hit.id for hit in hits]
        assert of_query["score"].tolist() == [hit.score for hit in hits]
        assert of_query["rank"].tolist() == [0, 1]
        assert set(of_query["query"]) == {text}


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, in pyterrier
def test_an_experiment_of_pyterrier(retriever, index):
    """By hand: g is first for 1, m for 3, and 2 finds nothing."""
    import pyterrier

    qrels = pd.DataFrame({"qid": ["1", "2", "3"], "docno": ["g", "g", "m"], "label": [1, 1, 1]})
    found = pyterrier.Experiment([retriever(index)], TOPICS, qrels, ["recip_rank"])
    assert found["recip_rank"].tolist() == [pytest.approx(2 / 3)]


def batches(*texts):
    return [{"text": list(x)} for x in texts]


def test_mteb_gets_a_row_for_each_text(embedder):
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


def test_similarities_for_mteb(embedder):
    one, other = np.array([[2.0, 0], [0, 0]]), np.array([[3.0, 4], [0, 5]])
    encoder = Encoder(embedder)
    assert encoder.similarity(one, other).tolist() == [[pytest.approx(0.6), 0], [0, 0]]
    assert encoder.similarity_pairwise(one, other).tolist() == [pytest.approx(0.6), 0]


def test_what_mteb_cannot_use_is_refused(small_model):
    tables = {x: dict.fromkeys(("en", "it"), table) for x, table in small_model.tables.items()}
    directed = DirectedWordTables(small_model.words, tables, small_model.weights)
    with pytest.raises(UserError, match="embeds a text anew for each language"):
        Encoder(Embedder(directed, {}, "made_up"))


def test_the_protocol_of_mteb(embedder):
    protocols = pytest.importorskip(
        "mteb.models.models_protocols", reason="mteb is not installed, which needs torch"
    )
    assert isinstance(Encoder(embedder), protocols.EncoderProtocol)
    asked = inspect.signature(protocols.EncoderProtocol.encode).parameters
    assert [x for x in asked if asked[x].kind == inspect.Parameter.POSITIONAL_OR_KEYWORD] == [
        "self",
        "inputs",
    ]
