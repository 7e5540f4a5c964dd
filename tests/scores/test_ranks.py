"""Ranks are read as they were written, and run files have them in their order."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cr5.scores import ranks
from tests.scores.conftest import search


def searches():
    """Three searches of two directions."""
    return [
        search("en-da", [3, None, 1]),
        search("da-en", [1, 2, 7], "csls"),
        search("da-en", [1, 2, 8], depth=9),
    ]


def test_what_is_written_is_yielded(tmp_path, keys):
    three = searches()
    assert list(ranks.write(tmp_path / "ranks", keys, three)) == three


def test_written_and_read(tmp_path, keys):
    list(ranks.write(tmp_path / "ranks", keys, searches()))
    subject, ranked = ranks.read(tmp_path / "ranks")
    assert subject == keys
    assert list(ranked) == [("en", "da", "cosine"), ("da", "en", "csls"), ("da", "en", "cosine")]
    first, second, third = ranked.values()
    assert first.best_rank.tolist() == [3, np.inf, 1]
    assert second.best_rank.tolist() == [1, 2, 7]
    assert third.best_rank.tolist() == [1, 2, 8]
    assert first.depth == np.inf
    assert second.depth == np.inf
    assert third.depth == 9
    for ranks_of_search in ranked.values():
        assert ranks_of_search.query_ids.tolist() == ["c0", "c1", "c2"]
        assert ranks_of_search.n_relevant.tolist() == [1, 1, 1]
        assert ranks_of_search.n_candidates.tolist() == [20, 20, 20]


@pytest.mark.parametrize("step", [1, -1])
def test_a_direction_of_which_no_answer_was_found(tmp_path, keys, step):
    """In either order: the first one decides the types of the file."""
    both = [search("da-en", [None, None]), search("en-da", [2, 1])]
    list(ranks.write(tmp_path, keys, both[::step]))
    _, ranked = ranks.read(tmp_path)
    assert ranked["da", "en", "cosine"].best_rank.tolist() == [np.inf, np.inf]
    assert ranked["en", "da", "cosine"].best_rank.tolist() == [2, 1]
    nearest = ranks.read_queries(tmp_path).set_index(["query_language", "query"])["rank"]
    assert nearest["da"].isna().all()
    assert nearest["en"].tolist() == [2, 1]


def test_the_nearest_and_the_rank_of_the_best_answer(tmp_path, keys):
    first, second, third = searches()
    second_answer = first.answers.iloc[[0]].assign(candidate="other", rank=2, grade=3.0)
    answers = pd.concat([first.answers, second_answer])
    with_two_answers = replace(first, answers=answers)
    list(ranks.write(tmp_path, keys, [with_two_answers, second, third]))
    table = ranks.read_queries(tmp_path)
    assert set(keys) <= set(table)
    by_cosine = table[table["similarity"] == "cosine"]
    assert by_cosine["query_language"].tolist() == ["en"] * 3 + ["da"] * 3
    assert by_cosine["target_language"].tolist() == ["da"] * 3 + ["en"] * 3
    assert by_cosine["query"].tolist() == ["c0", "c1", "c2"] * 2
    np.testing.assert_array_equal(by_cosine["rank"], [2, np.nan, 1, 1, 2, 8])
    first_nearest, second_nearest = by_cosine["nearest"][:2]
    assert list(first_nearest) == ["c01", "c02"]
    assert list(second_nearest) == ["c11", "c12"]
    by_csls = table[table["similarity"] == "csls"]
    assert by_csls["rank"].tolist() == [1, 2, 7]


def lines(path):
    return [line.split() for line in path.read_text().splitlines()]


@pytest.fixture
def runs(tmp_path, keys):
    """The folder of run files of two queries, of which one found its answer; ids need quoting."""
    two = search("da-en", [1, None])
    two.queries["nearest"] = [["c0", "50 %", "c2"]] * 2
    two.queries["scores"] = [np.float32([40, 40, 40]), np.float32([7, 7, 0])]
    list(ranks.write(tmp_path / "ranks", keys, [two]))
    ranks.write_runs(tmp_path / "runs", [tmp_path / "ranks"])
    return tmp_path / "runs" / "joint_da-en" / "cr5" / "0" / "documents"


def test_a_query_of_which_nothing_was_found_has_what_it_found_as_0(runs):
    assert lines(runs / "da-en.qrels") == [
        ["c0", "0", "c0", "1"],
        ["c1", "0", "c0", "0"],
        ["c1", "0", "50%20%25", "0"],
        ["c1", "0", "c2", "0"],
    ]


@pytest.mark.parametrize(("query_id", "start"), [("c0", 0), ("c1", 3)])
def test_scores_that_tie_fall_strictly_in_the_order_of_the_ranks(runs, query_id, start):
    scores = []
    names = []
    for line in lines(runs / "da-en.cosine.run")[start : start + 3]:
        query, constant, candidate, rank, score, tag = line
        names.append([query, constant, candidate, rank, tag])
        scores.append(np.float32(score))
    assert names == [
        [query_id, "Q0", "c0", "1", "cr5"],
        [query_id, "Q0", "50%20%25", "2", "cr5"],
        [query_id, "Q0", "c2", "3", "cr5"],
    ]
    assert scores[0] > scores[1] > scores[2]
