"""Runs and qrels, as other programs read them; that they compute our figures is a promise."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.scores import ranks, runs


def lines(path):
    return [line.split() for line in path.read_text().splitlines()]


def test_scores_that_tie_fall_strictly_in_the_order_of_the_ranks(tmp_path, keys, found):
    """And a query of which nothing was found is there with what it found, as 0."""
    candidates = ["c0", "50 %", "c2"]
    run = pd.DataFrame({"query": np.repeat(["c0", "c1"], 3), "candidate": 2 * candidates})
    run = run.assign(rank=2 * [1, 2, 3], score=np.float32([40, 40, 40, 7, 7, 0]))
    list(ranks.write(tmp_path / "r", keys, [replace(found("da", "en", [1, None]), run=run)]))
    runs.write(tmp_path / "runs", [tmp_path / "r"])
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


def test_ranks_without_runs_say_which_key_keeps_them(tmp_path, keys, found):
    list(ranks.write(tmp_path / "ranks", keys, [found("da", "en", [1])]))
    with pytest.raises(UserError, match=r"not kept; set evaluation\.run_depth"):
        runs.write(tmp_path / "runs", [tmp_path / "ranks"])
    assert not (tmp_path / "runs").exists()
