"""An index in PyTerrier, run by it where it is installed."""

import pandas as pd
import pytest

import cr5

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
