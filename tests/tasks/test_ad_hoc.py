"""Ad hoc search: who is asked and what is searched, by hand; the contract has the rest."""

import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.counts.columns import beginning
from cr5.tasks import texts
from cr5.tasks.ad_hoc import AdHoc
from cr5.tasks.base import Data

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
        return {(x.query, x.target): x for x in task.searches(data, ("da", "en"), "test")}

    return made


def test_languages_that_are_searched_and_each_in_itself(asked):
    found = asked(monolingual=True)
    assert list(found) == [("da", "da"), ("en", "en")]
    assert all(x.queries.ids.tolist() == ["q1", "q2", "q3"] for x in found.values())
    assert found["da", "da"].neighbours.ids.tolist() == ["q1", "q2", "q3", "q9"]
    assert found["da", "da"].collection
    few = {"of_english": ["queries"], "searched": ["da"]}  # where none is searched none is needed
    assert list(asked(**few)) == [("en", "da")]
    assert list(asked(**few, monolingual=True)) == [("da", "da")]


@pytest.mark.parametrize(
    ("least", "expected"),
    # known words: of q1 4 of 5, of q2 1 of 3 different ones, of q3 none
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
