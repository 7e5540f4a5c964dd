import numpy as np
import pytest
from scipy import stats

from cr5.base.errors import UserError
from cr5.scores import summary
from cr5.scores.comparisons import by_query

NAMES = ["setting", "series", "kind", "system", "task", "query", "target", "similarity"]


def averaged(function, repetitions, metrics):
    return function([by_query(ranks, metrics) for ranks in repetitions], metrics)


def values(frame):
    return frame.set_index(["query", "target", "similarity", "metric"])["value"].to_dict()


def test_scores_of_one_repetition_by_hand(read, found, keys):
    repetitions = read(
        [found("da", "en", [1, 2, 6, 20]), found("da", "en", [1, 1, 1, None], "csls")]
    )
    scores = averaged(summary.scores, repetitions, ["Success@1", "Success@5", "RR"])
    assert values(scores) == {
        ("da", "en", "cosine", "Success@1"): 0.25,
        ("da", "en", "cosine", "Success@5"): 0.5,
        ("da", "en", "cosine", "RR"): pytest.approx((1 + 1 / 2 + 1 / 6 + 1 / 20) / 4),
        ("da", "en", "csls", "Success@1"): 0.75,
        ("da", "en", "csls", "Success@5"): 0.75,
        ("da", "en", "csls", "RR"): 0.75,
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
    expected = stats.binomtest(1, 4).proportion_ci(method="wilson")
    first = scores.iloc[0]
    assert (first["ci_low"], first["ci_high"]) == pytest.approx((expected.low, expected.high))


def test_two_repetitions_are_averaged(read, found):
    """Each repetition counts as much, however many queries it has."""
    repetitions = read(
        [found("da", "en", [1, 2], n_candidates=10)],
        [found("da", "en", [1, 1, 1, 4], n_candidates=30)],
    )
    scores = averaged(summary.scores, repetitions, ["Success@1", "RR"])
    assert values(scores) == {
        ("da", "en", "cosine", "Success@1"): (1 / 2 + 3 / 4) / 2,
        ("da", "en", "cosine", "RR"): (1.5 / 2 + 3.25 / 4) / 2,
    }
    assert set(scores["n_queries"]) == {3}
    assert set(scores["n_candidates"]) == {20}
    assert set(scores["repetitions"]) == {2}
    assert (scores["ci_low"] <= scores["value"]).all()
    assert (scores["ci_high"] >= scores["value"]).all()


def test_queries_of_all_repetitions_or_of_each(read, found):
    """The same queries count once, see `intervals`; they may come in another order."""
    same = read([found("da", "en", [1, 2, 2, 1, 9])], [found("da", "en", [1, 2, 2, 1, 9])])
    turned = same[1].queries["da", "en", "cosine"]
    turned[:] = turned.iloc[::-1].to_numpy()
    for n in (5, 10):
        if n == 10:
            same[1].queries["da", "en", "cosine"]["query"] += "x"
            same[1].answers["da", "en", "cosine"]["query"] += "x"
        expected = stats.binomtest(2 * n // 5, n).proportion_ci(method="wilson")
        for frame in (averaged(summary.scores, same, ["Success@1"]), summary.curves(same, 1)):
            assert frame["ci_low"].tolist() == pytest.approx([expected.low])
            assert frame["ci_high"].tolist() == pytest.approx([expected.high])


def test_a_direction_of_one_repetition_only(read, found):
    repetitions = read(
        [found("da", "en", [1, 2]), found("vi", "en", [1, 1])],
        [found("en", "vi", [4, 4]), found("da", "en", [1, 1])],
    )
    scores = averaged(summary.scores, repetitions, ["Success@1"])
    directions = (scores["query"] + "-" + scores["target"]).tolist()
    assert directions == ["da-en", "vi-en", "en-vi"]  # as they first come
    assert scores["repetitions"].tolist() == [2, 1, 1]
    assert scores["value"].tolist() == [0.75, 1, 0]
    curves = summary.curves(repetitions, 2)
    assert (curves["query"] + "-" + curves["target"]).unique().tolist() == directions


def test_each_repetition_by_itself(read, found, keys):
    repetitions = read(
        [found("da", "en", [1, 2]), found("en", "da", [1, 1])], [found("da", "en", [1, 1, 4, 4])]
    )
    table = averaged(summary.by_repetition, repetitions, ["Success@1", "RR"])
    rows = table[["query", "metric", "repetition", "value", "n_queries"]].to_numpy().tolist()
    assert rows == [
        ["da", "Success@1", 0, 0.5, 2],
        ["da", "RR", 0, 0.75, 2],
        ["en", "Success@1", 0, 1, 2],
        ["en", "RR", 0, 1, 2],
        ["da", "Success@1", 1, 0.5, 4],
        ["da", "RR", 1, 0.625, 4],
    ]
    assert set(table["setting"]) == {keys["setting"]}
    assert set(table["n_candidates"]) == {20}


def test_a_curve_by_hand_with_chance(read, found):
    curves = summary.curves(read([found("da", "en", [1, 3, 3, None])]), 5)
    assert curves["k"].tolist() == [1, 2, 3, 4, 5]
    assert curves["value"].tolist() == [0.25, 0.25, 0.75, 0.75, 0.75]
    np.testing.assert_allclose(curves["chance"], [0.05, 0.1, 0.15, 0.2, 0.25])
    assert curves.columns.tolist() == [
        *NAMES,
        *("k", "value", "ci_low", "ci_high", "chance"),
        *("n_queries", "n_candidates", "repetitions"),
    ]
    assert set(curves["n_queries"]) == {4}
    assert set(curves["n_candidates"]) == {20}


def test_curves_of_two_repetitions_end_with_the_fewer_candidates(read, found):
    repetitions = read(
        [found("da", "en", [1, 3], n_candidates=3)], [found("da", "en", [2, 4], n_candidates=4)]
    )
    curves = summary.curves(repetitions, 100)
    assert curves["k"].tolist() == [1, 2, 3]
    assert curves["value"].tolist() == [0.25, 0.5, 0.75]
    np.testing.assert_allclose(curves["chance"], [7 / 24, 7 / 12, 7 / 8])
    assert set(curves["repetitions"]) == {2}


def test_a_curve_ends_at_the_depth(read, found):
    repetitions = read(
        [found("da", "en", [1, 3], depth=4)], [found("da", "en", [2, None], depth=3)]
    )
    curves = summary.curves(repetitions, 100)
    assert curves["k"].tolist() == [1, 2, 3]
    assert curves["value"].tolist() == [0.25, 0.5, 0.75]
    np.testing.assert_allclose(curves["chance"], [0.05, 0.1, 0.15])
    assert (
        values(averaged(summary.scores, repetitions, ["Success@3"]))[
            "da", "en", "cosine", "Success@3"
        ]
        == 0.75
    )
    with pytest.raises(UserError, match="Success@4 needs ranks beyond 3"):
        averaged(summary.scores, repetitions, ["Success@4"])


def test_of_no_repetition_there_is_nothing():
    for table in (summary.scores([], ["Success@1"]), summary.by_repetition([], ["Success@1"])):
        assert table.empty
    assert summary.curves([], 10).empty


def test_mean_curves_are_over_directions_and_count_a_query_once(read, found):
    """Both directions ask the same three queries: the width is that of three, not of six."""
    both = read([found("da", "en", [1, 3, 9]), found("en", "da", [1, 3, 9], n_candidates=10)])
    table = summary.mean_curves(both, 100)
    assert table["k"].tolist() == list(range(1, 11))
    expected = [1 / 3, 1 / 3, *[2 / 3] * 6, 1, 1]
    np.testing.assert_allclose(table["value"], expected)
    assert set(table["n_queries"]) == {3}
    assert set(table["directions"]) == {2}
    for k, hits in ((1, 1), (3, 2), (9, 3)):
        of_k = table[table["k"] == k].iloc[0]
        wilson = stats.binomtest(hits, 3).proportion_ci(method="wilson")
        assert (of_k["ci_low"], of_k["ci_high"]) == pytest.approx((wilson.low, wilson.high))


def test_each_direction_counts_as_much_in_mean_curves(read, found):
    table = summary.mean_curves(read([found("da", "en", [1] * 9), found("en", "da", [2])]), 2)
    assert table["value"].tolist() == [0.5, 1]
    assert summary.mean_curves([], 2).empty
