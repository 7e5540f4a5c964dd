"""Scores by hand, with intervals of scipy."""

import numpy as np
import pytest

from cr5.scores import ranks
from cr5.scores.summary import ALL, MEAN, SCORES, by_query, curves, scores
from tests.scores.conftest import HIT, RR, search, values, wilson

FORTH = ("da", "en")
BACK = ("en", "da")
POOLED = (ALL, ALL)


def row_of(table, place=FORTH, repetition=MEAN, metric=HIT, similarity="cosine"):
    """The row of a direction, a repetition, a metric and a measure."""
    keys = ["query_language", "target_language", "repetition", "metric", "similarity"]
    query_language, target_language = place
    wanted = [query_language, target_language, str(repetition), metric, similarity]
    is_row = (table[keys].astype(str) == wanted).all(axis=1)
    [row] = table[is_row].to_dict("records")
    return row


def ends_of(row):
    return row["ci_low"], row["ci_high"]


def test_values_of_queries_are_those_of_their_ranks(tmp_path, keys):
    searches = [search("da-en", [1, 2, None]), search("en-da", [3], "csls", depth=5)]
    list(ranks.write(tmp_path, keys, searches))
    subject, ranked = ranks.read(tmp_path)
    table = by_query(subject, ranked, [HIT, "P@5"])
    columns = ["query_id", "query_language", "target_language", "similarity"]
    columns += ["best", "last", HIT, "P@5"]
    assert table[columns].to_numpy().tolist() == [
        ["c0", "da", "en", "cosine", 1, 20, 1, 0.2],
        ["c1", "da", "en", "cosine", 2, 20, 0, 0.2],
        ["c2", "da", "en", "cosine", np.inf, 20, 0, 0],
        ["c0", "en", "da", "csls", 3, 5, 0, 0.2],
    ]
    for key, value in keys.items():
        assert set(table[key]) == {value}


@pytest.fixture
def one_repetition():
    """Scores of four queries by two measures."""
    of_queries = values(cr5={"da-en": [1, 2, 6, 20], "da-en csls": [1, 1, 1, np.inf]})
    return scores(of_queries, [HIT, RR], "joint")


def test_means_of_one_repetition_by_hand(one_repetition):
    reciprocals = [1, 1 / 2, 1 / 6, 1 / 20]
    hits = row_of(one_repetition)
    assert hits["value"] == 0.25
    reciprocal_ranks = row_of(one_repetition, metric=RR)
    assert reciprocal_ranks["value"] == pytest.approx(sum(reciprocals) / 4)
    by_csls = row_of(one_repetition, similarity="csls", metric=RR)
    assert by_csls["value"] == 0.75


def test_a_row_says_what_it_is_of(one_repetition, keys):
    assert list(one_repetition) == SCORES
    row = row_of(one_repetition)
    expected = {**keys, "repetition": MEAN, "label": "joint"}
    expected |= {"n_queries": 4, "n_candidates": 20, "directions": 1, "repetitions": 1}
    for key, value in expected.items():
        assert row[key] == value
    assert ends_of(row) == wilson(1, 4)


def test_all_directions_have_the_label_of_the_setting(one_repetition):
    row = row_of(one_repetition, POOLED)
    assert row["setting"] == "joint"
    assert row["label"] == "joint"
    assert row["value"] == 0.25


@pytest.fixture
def two_repetitions():
    """Scores of two repetitions with other numbers of queries and candidates."""
    of_queries = values(cr5={"da-en": [[1, 2], [1, 1, 1, 4]]})
    of_queries["n_candidates"] = [10, 10, 30, 30, 30, 30]
    return scores(of_queries, [HIT, RR], "joint")


def test_repetitions_count_as_much(two_repetitions):
    reciprocal_ranks = row_of(two_repetitions, metric=RR)
    assert reciprocal_ranks["value"] == (1.5 / 2 + 3.25 / 4) / 2
    row = row_of(two_repetitions)
    assert row["value"] == (1 / 2 + 3 / 4) / 2
    assert row["ci_low"] < row["value"] < row["ci_high"]
    assert row["n_queries"] == 3
    assert row["n_candidates"] == 20
    assert row["repetitions"] == 2


@pytest.mark.parametrize("place", [FORTH, POOLED])
@pytest.mark.parametrize(
    ("repetition", "value", "n_queries", "n_candidates"), [(0, 0.5, 2, 10), (1, 0.75, 4, 30)]
)
def test_repetitions_are_there_by_themselves(
    two_repetitions, place, repetition, value, n_queries, n_candidates
):
    row = row_of(two_repetitions, place, repetition)
    assert row["value"] == value
    assert row["n_queries"] == n_queries
    assert row["n_candidates"] == n_candidates
    assert row["repetitions"] == 1


@pytest.fixture
def both_ways():
    """Values of the same three queries in both directions."""
    return values(cr5={"da-en": [1, 3, 9], "en-da": [1, 3, 9]})


def test_a_concept_of_both_directions_is_one_query(both_ways):
    both_ways.loc[both_ways["query_language"] == "en", "n_candidates"] = 10
    row = row_of(scores(both_ways, [HIT], "joint"), POOLED)
    assert row["value"] == pytest.approx(1 / 3)
    assert row["n_queries"] == 3
    assert row["n_candidates"] == 15
    assert row["directions"] == 2
    assert ends_of(row) == wilson(1, 3)


def test_directions_count_as_much():
    unlike = values(cr5={"da-en": [1] * 9, "en-da": [2]})
    row = row_of(scores(unlike, [HIT], "joint"), POOLED)
    assert row["value"] == pytest.approx(0.5)


@pytest.mark.parametrize(("place", "last"), [(FORTH, 12), (BACK, 10), (POOLED, 10)])
def test_a_curve_has_each_k_that_its_directions_know(both_ways, place, last):
    """Both directions ask the same three queries: the width is that of three, not of six."""
    is_back = both_ways["query_language"] == "en"
    both_ways.loc[is_back, "last"] = 10
    table = curves(both_ways, 12, "joint")
    assert list(table) == SCORES
    directions = table[["query_language", "target_language"]]
    is_place = (directions == list(place)).all(axis=1)
    curve = table[is_place]
    names = [f"Success@{k}" for k in range(1, last + 1)]
    assert curve["metric"].tolist() == names
    expected = [1 / 3] * 2 + [2 / 3] * 6 + [1] * 4
    np.testing.assert_allclose(curve["value"], expected[:last])
    rows = curve.set_index("metric")
    assert ends_of(rows.loc["Success@1"]) == wilson(1, 3)
    assert ends_of(rows.loc["Success@3"]) == wilson(2, 3)
    assert ends_of(rows.loc["Success@9"]) == wilson(3, 3)
