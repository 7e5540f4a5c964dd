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
        assert each.query_ids.tolist() == ["c0", "c1", "c2"]
        assert (each.n_relevant == 1).all() and (each.n_candidates == 20).all()
    assert [x.depth for x in read.values()] == [np.inf, np.inf, 9]


def test_a_direction_of_which_no_answer_was_found(tmp_path, keys, found):
    for order in (1, -1):  # the first one decides the types of the file
        each = [found("da", "en", [None, None]), found("en", "da", [2, 1])][::order]
        list(ranks.write(tmp_path, keys, each))
        _, read = ranks.read(tmp_path)
        assert read["da", "en", "cosine"].best.tolist() == [np.inf, np.inf]
        assert read["en", "da", "cosine"].best.tolist() == [2, 1]
        best = ranks.nearest(tmp_path).set_index(["query_language", "query"])["rank"]
        assert best["da"].isna().all()
        assert best["en"].tolist() == [2, 1]


def test_the_nearest_and_the_rank_of_the_best_answer(tmp_path, keys, two):
    more = two[0].answers.iloc[[0]].assign(candidate="other", rank=2, grade=3.0)
    two[0] = replace(two[0], answers=pd.concat([two[0].answers, more]))
    list(ranks.write(tmp_path, keys, two))
    every = ranks.nearest(tmp_path)
    assert set(keys) <= set(every)
    read = every[every["similarity"] == "cosine"]
    directions = read["query_language"] + "-" + read["target_language"]
    assert directions.tolist() == ["en-da"] * 3 + ["da-en"] * 3
    assert read["query"].tolist() == ["c0", "c1", "c2"] * 2
    np.testing.assert_array_equal(read["rank"], [2, np.nan, 1, 1, 2, 8])
    assert [list(each) for each in read["nearest"][:2]] == [["c01", "c02"], ["c11", "c12"]]
    assert every.loc[every["similarity"] == "csls", "rank"].tolist() == [1, 2, 7]


def lines(path):
    return [line.split() for line in path.read_text().splitlines()]


def test_scores_that_tie_fall_strictly_in_the_order_of_the_ranks(tmp_path, keys, found):
    """And a query of which nothing was found is there with what it found, as 0."""
    each = found("da", "en", [1, None])
    each.queries["nearest"] = [["c0", "50 %", "c2"]] * 2
    each.queries["scores"] = [np.float32([40, 40, 40]), np.float32([7, 7, 0])]
    list(ranks.write(tmp_path / "r", keys, [each]))
    ranks.write_runs(tmp_path / "runs", [tmp_path / "r"])
    folder = tmp_path / "runs" / "joint_da-en" / "cr5" / "0" / "documents"
    qrels = [[x, "0", y, "0"] for x, y in (("c1", "c0"), ("c1", "50%20%25"), ("c1", "c2"))]
    assert lines(folder / "da-en.qrels") == [["c0", "0", "c0", "1"], *qrels]
    written = lines(folder / "da-en.cosine.run")
    for query, of_query in (("c0", written[:3]), ("c1", written[3:])):
        assert [row[:4] + row[5:] for row in of_query] == [
            [query, "Q0", candidate, rank, "cr5"]
            for candidate, rank in (("c0", "1"), ("50%20%25", "2"), ("c2", "3"))
        ]
        assert (np.diff(np.float32([row[4] for row in of_query])) < 0).all()
