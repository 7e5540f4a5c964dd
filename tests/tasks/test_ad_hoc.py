"""Ad hoc search: who is asked and what is searched, by hand; the contract has the rest."""

from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.models.word_tables import WordTables
from cr5.scores import ranks
from cr5.scores.metrics import values
from cr5.scores.ranking import rank_all
from cr5.tasks import texts
from cr5.tasks.ad_hoc import AdHoc
from cr5.tasks.base import Data, Texts
from tests.tasks.asked import by_direction, grades, query_ids

DOCUMENTS = [("d1", "rød grøn"), ("d2", "blå blå rød"), ("d3", "grøn"), ("d4", "gul rød blå")]
QUERIES = [("q1", "rød"), ("q2", "blå grøn"), ("q3", "gul"), ("q9", "gul")]
QRELS = "q1 0 d1 1\nq1 0 d2 3\nq2 0 d2 2\nq2 0 d3 0\nq2 0 d1 -1\nq3 0 d4 1.5\nq9 0 none 1\n"
COLOURS = ["rød", "grøn", "blå", "gul"]


@pytest.fixture
def searches(tmp_path):
    """Gives the searches by direction, between two languages that have the same documents."""
    (tmp_path / "qrels").write_text(QRELS)

    def make(queries=QUERIES, words=COLOURS, english=("documents", "queries"), **options):
        texts_of_danish = texts.count({"documents": DOCUMENTS, "queries": queries}, "da", words)
        texts_of_english = {name: texts_of_danish[name] for name in english}
        bags = {"da": Bags(None, pd.DataFrame({"word": COLOURS}), None)}
        data = Data(bags, None, {"da": texts_of_danish, "en": texts_of_english})
        task = AdHoc(**{"qrels": str(tmp_path / "qrels"), **options})
        return by_direction(task.searches(data, ("da", "en"), "test"))

    return make


def test_each_language_in_itself(searches):
    monolingual = searches(monolingual=True)
    assert list(monolingual) == [("da", "da"), ("en", "en")]
    for search in monolingual.values():
        assert query_ids(search) == ["q1", "q2", "q3", "q9"]
    assert monolingual["da", "da"].neighbours.ids.tolist() == ["q1", "q2", "q3", "q9"]
    assert monolingual["da", "da"].collection


@pytest.mark.parametrize(("monolingual", "expected"), [(False, ("en", "da")), (True, ("da", "da"))])
def test_where_no_document_is_searched_none_is_needed(searches, monolingual, expected):
    of_danish = searches(english=["queries"], searched=["da"], monolingual=monolingual)
    assert list(of_danish) == [expected]


@pytest.mark.parametrize(
    ("min_share", "expected"),
    # known words: of q1 4 of 5, of q2 1 of 3 different ones, of q3 none; q9 is not there
    [(0, ["q1", "q2", "q3"]), (0.3, ["q1", "q2"]), (0.4, ["q1"]), (0.8, ["q1"]), (0.81, [])],
)
@pytest.mark.parametrize("further_words", [[], ["ukendt"]])
def test_queries_with_too_few_known_words_are_not_asked(
    searches, min_share, expected, further_words
):
    """What stands for unknown words, in columns behind those of the words, is no known word."""
    queries = [("q1", "rød grøn blå gul ukendt"), ("q2", "rød rød rød a b"), ("q3", "a")]
    made = searches(queries, COLOURS + further_words, known_words=min_share)
    search = made.get(("da", "en"))
    assert (query_ids(search) if search else []) == expected


def test_ids_that_no_judgement_knows(searches, tmp_path):
    (tmp_path / "others").write_text("x1 0 d1 1\nq1 0 none 1\n")
    with pytest.raises(UserError, match=r"others: no query in 'da' has an answer among .* 'en'"):
        searches(qrels=str(tmp_path / "others"))


NAMED = """q1 0 d1 1
q1 0 d7 3
q2 0 d2 2
q2 0 fr1 1
q3 0 d9 1
q4 0 d3 0
q5 0 d1 1
"""
TOLD = [
    "2 of 5 relevant documents, such as 'd7', are in no language's file of documents; they count "
    "as not found",
    "1 of 4 queries, such as 'q4', have no relevant document in it and are not asked",
    "1 of 4 queries with relevant documents, such as 'q5', are in no file of queries",
]
VALUES = {  # of q1, q2, q3: d1 and d2 are found first, d7 and d9 are not there
    "AP": [1 / 2, 1, 0],
    "R@2": [1 / 2, 1, 0],
    "nDCG@10": [1 / (3 + 1 / np.log2(3)), 1, 0],
    "RR": [1, 1, 0],
}
KEYS = {
    "setting": "s",
    "series": "s",
    "kind": "joint",
    "system": "x",
    "task": "ad_hoc",
    "repetition": 1,
}


LETTERS = ["a", "b", "c", "d"]
FOUR_WORDS = WordTables(
    dict.fromkeys(("en", "it"), LETTERS),
    dict.fromkeys(("en", "it"), np.eye(4)),
    dict.fromkeys(("en", "it"), np.ones(4)),
)


def counted(ids):
    """Texts of a word each, the same one where languages have one number of text."""
    words = sparse.identity(4, dtype=np.int32, format="csr")
    return Texts(pd.DataFrame({"id": ids.split(), "n_words": 1}), words[: len(ids.split())])


@pytest.fixture
def task(tmp_path):
    (tmp_path / "qrels").write_text(NAMED)
    return AdHoc(qrels=str(tmp_path / "qrels"), searched=("it",))


@pytest.fixture
def shard(task):
    """A search of one of two shards of the Italian documents; another language has fr1."""
    queries = counted("q1 q2 q3 q4")
    documents = counted("d1 d2 d3")
    texts = {"en": {"queries": queries}, "it": {"documents": documents}}
    data = Data({}, None, texts, elsewhere={"documents": {"fr1"}})
    [search] = task.searches(data, ("en", "it"), "test")
    return search


def test_what_judgements_name_and_is_not_there_is_told(shard, task):
    assert query_ids(shard) == ["q1", "q2", "q3"]
    assert shard.told == [f"{task.qrels}: {sentence}" for sentence in TOLD]


def test_what_judgements_name_and_is_not_there_counts_as_not_found(shard, tmp_path):
    """In metrics, and in the run and the qrels that ir-measures reads."""
    folder = tmp_path / "ranks"
    results = rank_all([shard], FOUR_WORDS, ["cosine"])
    list(ranks.write(folder, KEYS, results))
    assert ranks.read_told(folder) == shard.told
    _, by_keys = ranks.read(folder)
    [ranked] = by_keys.values()
    ranks.write_runs(tmp_path / "runs", [folder])
    [run] = (tmp_path / "runs").rglob("*.run")
    qrels = list(ir_measures.read_trec_qrels(str(run.parent / "en-it.qrels")))
    judgements = {(qrel.query_id, qrel.doc_id, qrel.relevance) for qrel in qrels}
    assert judgements == {("q1", "d1", 1), ("q1", "d7", 3), ("q2", "d2", 2), ("q3", "d9", 1)}
    for name, expected in VALUES.items():
        assert_allclose(values(ranked, name), expected)
        assert_allclose(values_by_ir_measures(qrels, run, name), expected)


def values_by_ir_measures(qrels, run, name):
    """A metric of q1, q2 and q3."""
    measure = ir_measures.parse_measure(name)
    lines = ir_measures.read_trec_run(str(run))
    metrics = ir_measures.iter_calc([measure], qrels, lines)
    by_query = {metric.query_id: metric.value for metric in metrics}
    return [by_query["q1"], by_query["q2"], by_query["q3"]]


@pytest.mark.parametrize(("french", "n_told"), [("d1 d3", 1), ("f1 d3", 0)])
def test_documents_that_a_language_lacks_are_told_where_languages_share_ids(task, french, n_told):
    Path(task.qrels).write_text("q1 0 d1 1\nq1 0 d3 1\n")
    texts = {
        "en": {"queries": counted("q1")},
        "it": {"documents": counted("d1 d2")},
        "fr": {"documents": counted(french)},
    }
    [search] = task.searches(Data({}, None, texts), ("en", "it"), "test")
    assert grades(search) == [[1, 0]]
    assert search.absent.empty
    lacking = "1 of 2 relevant documents, such as 'd3', are in other languages' files of documents"
    assert len(search.told) == n_told
    for sentence in search.told:
        assert lacking in sentence
        assert "not in that of 'it'" in sentence
