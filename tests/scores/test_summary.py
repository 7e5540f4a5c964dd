import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.scores import ranks, summary
from cr5.scores.intervals import interval

NAMES = ["setting", "series", "kind", "system", "task", "query", "target", "similarity"]


@pytest.fixture
def read(tmp_path, keys):
    """A function: what was found in each repetition, written and read back."""

    def make(*repetitions):
        read = []
        for number, found in enumerate(repetitions):
            folder = tmp_path / str(number)
            list(ranks.write(folder, {**keys, "repetition": number}, found))
            read.append(ranks.read(folder))
        return read

    return make


def values(frame):
    return frame.set_index(["query", "target", "similarity", "metric"])["value"].to_dict()


def test_scores_of_one_repetition_by_hand(read, found, keys):
    repetitions = read(
        [found("da", "en", [1, 2, 6, 20]), found("da", "en", [1, 1, 1, None], "csls")]
    )
    scores = summary.scores(repetitions, ["P@1", "P@5", "MRR"], 200, 0)
    assert values(scores) == {
        ("da", "en", "cosine", "P@1"): 0.25,
        ("da", "en", "cosine", "P@5"): 0.5,
        ("da", "en", "cosine", "MRR"): pytest.approx((1 + 1 / 2 + 1 / 6 + 1 / 20) / 4),
        ("da", "en", "csls", "P@1"): 0.75,
        ("da", "en", "csls", "P@5"): 0.75,
        ("da", "en", "csls", "MRR"): 0.75,
    }
    assert scores.columns.tolist() == [
        *(*NAMES, "metric", "value", "ci_low", "ci_high"),
        *("n_queries", "n_candidates", "repetitions"),
    ]
    for name in NAMES[:5]:
        assert set(scores[name]) == {keys[name]}
    assert set(scores["n_queries"]) == {4}
    assert set(scores["n_candidates"]) == {20}
    assert set(scores["repetitions"]) == {1}
    per_query = np.array([[1.0], [0], [0], [0]])
    low, high = interval([per_query], 200, 0)
    first = scores.iloc[0]
    assert (first["ci_low"], first["ci_high"]) == (low[0], high[0])


def test_two_repetitions_are_averaged(read, found):
    """Each repetition counts as much, however many queries it has."""
    repetitions = read(
        [found("da", "en", [1, 2], n_candidates=10)],
        [found("da", "en", [1, 1, 1, 4], n_candidates=30)],
    )
    scores = summary.scores(repetitions, ["P@1", "MRR"], 100, 0)
    assert values(scores) == {
        ("da", "en", "cosine", "P@1"): (1 / 2 + 3 / 4) / 2,
        ("da", "en", "cosine", "MRR"): (1.5 / 2 + 3.25 / 4) / 2,
    }
    assert set(scores["n_queries"]) == {3}
    assert set(scores["n_candidates"]) == {20}
    assert set(scores["repetitions"]) == {2}
    assert (scores["ci_low"] <= scores["value"]).all()
    assert (scores["ci_high"] >= scores["value"]).all()


def test_queries_of_all_repetitions_or_of_each(read, found):
    """The same queries are drawn once for all repetitions, see `intervals`."""
    first, second = [1, 2, 2, 1, 9], [1, 1, 2, 1, 3]
    same = read([found("da", "en", first)], [found("da", "en", second)])
    hits = [np.array([[rank == 1] for rank in ranks], float) for ranks in (first, second)]
    for is_same in (True, False):
        if not is_same:
            same[1].queries["da", "en", "cosine"]["query"] += "x"
            same[1].answers["da", "en", "cosine"]["query"] += "x"
        scores = summary.scores(same, ["P@1"], 500, 3)
        curves = summary.curves(same, 1, 500, 3)
        low, high = interval(hits, 500, 3, is_same)
        for frame in (scores, curves):
            assert frame["ci_low"].tolist() == low.tolist()
            assert frame["ci_high"].tolist() == high.tolist()


def test_a_direction_of_one_repetition_only(read, found):
    repetitions = read(
        [found("da", "en", [1, 2]), found("vi", "en", [1, 1])],
        [found("en", "vi", [4, 4]), found("da", "en", [1, 1])],
    )
    scores = summary.scores(repetitions, ["P@1"], 50, 0)
    directions = (scores["query"] + "-" + scores["target"]).tolist()
    assert directions == ["da-en", "vi-en", "en-vi"]  # as they first come
    assert scores["repetitions"].tolist() == [2, 1, 1]
    assert scores["value"].tolist() == [0.75, 1, 0]
    curves = summary.curves(repetitions, 2, 50, 0)
    assert (curves["query"] + "-" + curves["target"]).unique().tolist() == directions


def test_each_repetition_by_itself(read, found, keys):
    repetitions = read(
        [found("da", "en", [1, 2]), found("en", "da", [1, 1])], [found("da", "en", [1, 1, 4, 4])]
    )
    table = summary.by_repetition(repetitions, ["P@1", "MRR"])
    rows = table[["query", "metric", "repetition", "value", "n_queries"]].to_numpy().tolist()
    assert rows == [
        ["da", "P@1", 0, 0.5, 2],
        ["da", "MRR", 0, 0.75, 2],
        ["en", "P@1", 0, 1, 2],
        ["en", "MRR", 0, 1, 2],
        ["da", "P@1", 1, 0.5, 4],
        ["da", "MRR", 1, 0.625, 4],
    ]
    assert set(table["setting"]) == {keys["setting"]}


def test_a_certain_value_has_a_point_for_an_interval(read, found):
    repetitions = read([found("da", "en", [1] * 9)], [found("da", "en", [1] * 5)])
    scores = summary.scores(repetitions, ["P@1"], 50, 0)
    np.testing.assert_allclose(scores[["value", "ci_low", "ci_high"]], 1)


def test_a_curve_by_hand_with_chance(read, found):
    curves = summary.curves(read([found("da", "en", [1, 3, 3, None])]), 5, 100, 0)
    assert curves["k"].tolist() == [1, 2, 3, 4, 5]
    assert curves["value"].tolist() == [0.25, 0.25, 0.75, 0.75, 0.75]
    np.testing.assert_allclose(curves["chance"], [0.05, 0.1, 0.15, 0.2, 0.25])
    assert curves.columns.tolist() == [
        *NAMES,
        *("k", "value", "ci_low", "ci_high", "chance", "repetitions"),
    ]


def test_curves_of_two_repetitions_end_with_the_fewer_candidates(read, found):
    repetitions = read(
        [found("da", "en", [1, 3], n_candidates=3)], [found("da", "en", [2, 4], n_candidates=4)]
    )
    curves = summary.curves(repetitions, 100, 100, 0)
    assert curves["k"].tolist() == [1, 2, 3]
    assert curves["value"].tolist() == [0.25, 0.5, 0.75]
    np.testing.assert_allclose(curves["chance"], [7 / 24, 7 / 12, 7 / 8])
    assert set(curves["repetitions"]) == {2}


def test_a_curve_ends_at_the_depth(read, found):
    repetitions = read(
        [found("da", "en", [1, 3], depth=4)], [found("da", "en", [2, None], depth=3)]
    )
    curves = summary.curves(repetitions, 100, 100, 0)
    assert curves["k"].tolist() == [1, 2, 3]
    assert curves["value"].tolist() == [0.25, 0.5, 0.75]
    np.testing.assert_allclose(curves["chance"], [0.05, 0.1, 0.15])
    assert values(summary.scores(repetitions, ["P@3"], 100, 0))["da", "en", "cosine", "P@3"] == 0.75
    with pytest.raises(UserError, match="P@4 needs ranks beyond 3"):
        summary.scores(repetitions, ["P@4"], 100, 0)


def test_the_same_seed_gives_the_same_intervals(read, found):
    repetitions = read([found("da", "en", [1, 2, 6, 20])], [found("da", "en", [3, 1, 6, 9])])
    one, other, third = (summary.scores(repetitions, ["MRR"], 100, seed) for seed in (5, 5, 6))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert not one.equals(third)


def test_of_no_repetition_there_is_nothing():
    for table in (
        summary.scores([], ["P@1"], 10, 0),
        summary.by_repetition([], ["P@1"]),
        summary.curves([], 10, 10, 0),
    ):
        assert table.empty
