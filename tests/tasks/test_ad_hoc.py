"""Ad hoc search: who is asked and what is searched, by hand; the contract has the rest."""

import ir_measures
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.counts.columns import beginning
from cr5.models.word_tables import WordTables
from cr5.scores import ranks
from cr5.scores.metrics import values
from cr5.scores.ranking import rank_all
from cr5.tasks import texts
from cr5.tasks.ad_hoc import AdHoc
from cr5.tasks.base import Data, Texts

DOCUMENTS = [("d1", "rød grøn"), ("d2", "blå blå rød"), ("d3", "grøn"), ("d4", "gul rød blå")]
QUERIES = [("q1", "rød"), ("q2", "blå grøn"), ("q3", "gul"), ("q9", "gul")]
QRELS = "q1 0 d1 1\nq1 0 d2 3\nq2 0 d2 2\nq2 0 d3 0\nq2 0 d1 -1\nq3 0 d4 1.5\nq9 0 none 1\n"
COLOURS = ["rød", "grøn", "blå", "gul"]


@pytest.fixture
def asked(tmp_path):
    """The searches by direction, between two languages that have the same documents."""
    (tmp_path / "qrels").write_text(QRELS)

    def made(queries=QUERIES, words=COLOURS, of_english=("documents", "queries"), **options):
        given = texts.count({"documents": DOCUMENTS, "queries": queries}, "da", words)
        bags = {"da": Bags(None, pd.DataFrame({"word": COLOURS}), None)}
        data = Data(bags, None, {"da": given, "en": {x: given[x] for x in of_english}})
        task = AdHoc(**{"qrels": str(tmp_path / "qrels"), **options})
        return {
            (x.query_language, x.target_language): x
            for x in task.searches(data, ("da", "en"), "test")
        }

    return made


def test_languages_that_are_searched_and_each_in_itself(asked):
    found = asked(monolingual=True)
    assert list(found) == [("da", "da"), ("en", "en")]
    assert all(x.queries.ids.tolist() == ["q1", "q2", "q3", "q9"] for x in found.values())
    assert found["da", "da"].neighbours.ids.tolist() == ["q1", "q2", "q3", "q9"]
    assert found["da", "da"].collection
    few = {"of_english": ["queries"], "searched": ["da"]}  # where none is searched none is needed
    assert list(asked(**few)) == [("en", "da")]
    assert list(asked(**few, monolingual=True)) == [("da", "da")]


@pytest.mark.parametrize(
    ("least", "expected"),
    # known words: of q1 4 of 5, of q2 1 of 3 different ones, of q3 none; q9 is not there
    [(0, ["q1", "q2", "q3"]), (0.3, ["q1", "q2"]), (0.4, ["q1"]), (0.8, ["q1"]), (0.81, [])],
)
def test_queries_with_too_few_known_words_are_not_asked(asked, least, expected):
    """Beginnings, which stand behind the words, are not known words."""
    queries = [("q1", "rød grøn blå gul ukendt"), ("q2", "rød rød rød a b"), ("q3", "a")]
    for words in (COLOURS, [*COLOURS, beginning("uken")]):
        found = asked(queries, words, known_words=least).get(("da", "en"))
        assert (found.queries.ids.tolist() if found else []) == expected


def test_ids_that_no_judgement_knows(asked, tmp_path):
    (tmp_path / "others").write_text("x1 0 d1 1\nq1 0 none 1\n")
    with pytest.raises(UserError, match=r"others: no query in 'da' has an answer among .* 'en'"):
        asked(qrels=str(tmp_path / "others"))


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
OF_FOUR = [dict.fromkeys(("en", "it"), x) for x in (list("abcd"), np.eye(4), np.ones(4))]
KEYS = {"setting": "s", "series": "s", "kind": "joint", "system": "x", "task": "ad_hoc"}


def counted(ids):
    """Texts of a word each, the same one where languages have one number of text."""
    words = sparse.identity(4, dtype=np.int32, format="csr")
    return Texts(pd.DataFrame({"id": ids.split(), "n_words": 1}), words[: len(ids.split())])


def test_what_judgements_name_and_is_not_there_counts_as_not_found(tmp_path):
    """One of two shards of the Italian documents; fr1 is of a language that the setting lacks."""
    (tmp_path / "qrels").write_text(NAMED)
    of = {"en": {"queries": counted("q1 q2 q3 q4")}, "it": {"documents": counted("d1 d2 d3")}}
    data = Data({}, None, of, elsewhere={"documents": {"fr1"}})
    task = AdHoc(qrels=str(tmp_path / "qrels"), searched=("it",))
    [search] = task.searches(data, ("en", "it"), "test")
    assert search.queries.ids.tolist() == ["q1", "q2", "q3"]
    assert search.told == [f"{task.qrels}: {x}" for x in TOLD]

    found = rank_all([search], WordTables(*OF_FOUR), ["cosine"])
    list(ranks.write(tmp_path / "ranks", {**KEYS, "repetition": 1}, found))
    assert ranks.told(tmp_path / "ranks") == search.told
    [ranked] = ranks.read(tmp_path / "ranks")[1].values()
    ranks.write_runs(tmp_path / "runs", [tmp_path / "ranks"])
    [run] = (tmp_path / "runs").rglob("*.run")
    qrels = [*ir_measures.read_trec_qrels(str(run.parent / "en-it.qrels"))]
    expected = {("q1", "d1", 1), ("q1", "d7", 3), ("q2", "d2", 2), ("q3", "d9", 1)}
    assert {(x.query_id, x.doc_id, x.relevance) for x in qrels} == expected
    for name, of_queries in VALUES.items():
        np.testing.assert_allclose(values(ranked, name), of_queries)
        lines = ir_measures.read_trec_run(str(run))
        theirs = ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, lines)
        theirs = {x.query_id: x.value for x in theirs}
        np.testing.assert_allclose([theirs[x] for x in ("q1", "q2", "q3")], of_queries)


@pytest.mark.parametrize(("french", "n_told"), [("d1 d3", 1), ("f1 d3", 0)])
def test_documents_that_a_language_lacks_are_told_where_languages_share_ids(
    tmp_path, french, n_told
):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d3 1\n")
    of = {"en": {"queries": counted("q1")}, "it": {"documents": counted("d1 d2")}}
    data = Data({}, None, of | {"fr": {"documents": counted(french)}})
    task = AdHoc(qrels=str(tmp_path / "qrels"), searched=("it",))
    [search] = task.searches(data, ("en", "it"), "test")
    assert search.relevance.toarray().tolist() == [[1, 0]] and search.absent.empty
    told = "1 of 2 relevant documents, such as 'd3', are in other languages' files of documents"
    assert [told in x and "not in that of 'it'" in x for x in search.told] == [True] * n_told
