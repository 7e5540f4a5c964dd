import unicodedata

import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.report.named import asked, resolve
from cr5.splits.drawn import Draw

TITLES = {
    "da": pd.Series({"q1": "Hus", "q2": "Bil", "q3": None, "q4": "Træ", "q5": "Hus", "q6": "Hest"}),
    "en": pd.Series({"q1": "House", "q2": "Car"}),
}
QUERIES = {"da": {"q1", "q3", "q4"}, "en": {"q1", "q2"}}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"language": "da", "title": "Træ"}, ("da", "q4")),
        ({"language": "da", "title": unicodedata.normalize("NFD", " Træ")}, ("da", "q4")),
        ({"language": "da", "concept": "q3"}, ("da", "q3")),
        ({"language": "en", "title": "Car"}, ("en", "q2")),
        ({"language": "da", "title": "Hus"}, ("da", "q1")),  # q5 is no query
    ],
)
def test_found_by_title_or_concept(query, expected):
    assert resolve([query], TITLES, QUERIES) == [expected]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            {"language": "da", "title": "Huus"},
            "'Huus' in 'da': there is no such document .*; the nearest that are: 'Hus', 'Træ'",
        ),
        ({"language": "da", "title": "Bil"}, "'Bil' in 'da': this document is no test query"),
        ({"language": "da", "concept": "q2"}, "this document is no test query .*: 'q"),
        ({"language": "en", "title": "Hus"}, "there is no such document .* are: 'House'"),
    ],
)
def test_others_are_refused_with_the_nearest(query, message):
    with pytest.raises(UserError, match=f"evaluation.examples.named: .*{message}"):
        resolve([query], TITLES, QUERIES)


def test_of_several_documents_of_a_title_one_has_to_be_named():
    with pytest.raises(UserError, match="have this title; name one: q1, q5"):
        resolve([{"language": "da", "title": "Hus"}], TITLES, {"da": {"q1", "q5"}})


def test_test_queries_of_the_pairs_that_are_searched():
    rows = [
        *[("c1", "test", "da", "en"), ("c2", "test", "da", "it"), ("c3", "validation", "da", "en")],
        ("c4", "test", "en", "it"),
    ]
    queries = pd.DataFrame(rows, columns=["concept", "role", "first", "second"])
    pairs = pd.DataFrame({"first": ["da", "da", "en"], "second": ["en", "it", "it"]})
    drawn = Draw(queries, pd.DataFrame(), pairs)
    assert asked(drawn, [("da", "en"), ("da", "it")]) == {
        "da": {"c1", "c2"},
        "en": {"c1"},
        "it": {"c2"},
    }
