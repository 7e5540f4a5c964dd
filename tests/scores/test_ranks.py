from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cr5.scores import ranks


@pytest.fixture
def two(found):
    return [
        found("en", "da", [3, None, 1]),
        found("da", "en", [1, 2, 7], "csls"),
        found("da", "en", [1, 2, 8], depth=9),
    ]


def test_written_and_read(tmp_path, keys, two):
    assert list(ranks.write(tmp_path / "ranks", keys, two)) == two
    of, read = ranks.read(tmp_path / "ranks")
    assert of == keys
    assert list(read) == [("en", "da", "cosine"), ("da", "en", "csls"), ("da", "en", "cosine")]
    best = [[3, np.inf, 1], [1, 2, 7], [1, 2, 8]]
    assert [x.best.tolist() for x in read.values()] == best
    for each in read.values():
        assert each.queries.tolist() == ["c0", "c1", "c2"]
        assert (each.n_relevant == 1).all() and (each.n_candidates == 20).all()
    assert [x.depth for x in read.values()] == [np.inf, np.inf, 9]


def test_a_direction_of_which_no_answer_was_found(tmp_path, keys, found):
    for order in (1, -1):  # the first one decides the types of the file
        each = [found("da", "en", [None, None]), found("en", "da", [2, 1])][::order]
        list(ranks.write(tmp_path, keys, each))
        _, read = ranks.read(tmp_path)
        assert read["da", "en", "cosine"].best.tolist() == [np.inf, np.inf]
        assert read["en", "da", "cosine"].best.tolist() == [2, 1]
        best = ranks.nearest(tmp_path, "cosine").set_index(["query_language", "query"])["rank"]
        assert best["da"].isna().all()
        assert best["en"].tolist() == [2, 1]


def test_the_nearest_and_the_rank_of_the_best_answer(tmp_path, keys, two):
    more = two[0].answers.iloc[[0]].assign(candidate="other", rank=2, grade=3.0)
    two[0] = replace(two[0], answers=pd.concat([two[0].answers, more]))
    list(ranks.write(tmp_path, keys, two))
    read = ranks.nearest(tmp_path, "cosine")
    assert set(keys) <= set(read)
    assert set(read["similarity"]) == {"cosine"}
    directions = read["query_language"] + "-" + read["target_language"]
    assert directions.tolist() == ["en-da"] * 3 + ["da-en"] * 3
    assert read["query"].tolist() == ["c0", "c1", "c2"] * 2
    np.testing.assert_array_equal(read["rank"], [2, np.nan, 1, 1, 2, 8])
    assert [list(each) for each in read["nearest"][:2]] == [["c01", "c02"], ["c11", "c12"]]
    assert ranks.nearest(tmp_path, "csls")["rank"].tolist() == [1, 2, 7]
    assert set(ranks.nearest(tmp_path, "l1")["similarity"]) == {"cosine"}  # the first one


def test_left_out_with_a_reason(tmp_path, keys, two):
    list(ranks.write(tmp_path / "ranks", keys, two))
    assert ranks.left_out(tmp_path / "ranks") is None
    ranks.leave_out(tmp_path / "ranks", keys, "too few")
    assert ranks.left_out(tmp_path / "ranks") == {**keys, "reason": "too few"}
    assert {x.name for x in (tmp_path / "ranks").iterdir()} == {"about.json"}
