import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.base.errors import UserError
from cr5.scores.summary import ALL, MEAN, SCORES, by_query, curves, scores

HIT, RR = "Success@1", "RR"


@pytest.fixture
def values(read):
    """A function: what was found in each repetition, as values of queries."""

    def make(*repetitions, metrics=(HIT, RR)):
        every = [by_query(*each, metrics) for each in read(*repetitions)]
        return pd.concat(every, ignore_index=True)

    return make


def of(frame, query="da", target="en", repetition=MEAN, metric=HIT, similarity="cosine"):
    keys = ["query", "target", "repetition", "metric", "similarity"]
    wanted = [query, target, str(repetition), metric, similarity]
    [found] = frame[(frame[keys].astype(str) == wanted).all(axis=1)].to_dict("records")
    return found


def wilson(k, n):
    found = stats.binomtest(k, n).proportion_ci(method="wilson")
    return pytest.approx((found.low, found.high))


def test_one_repetition_by_hand(values, found, keys):
    every = values([found("da", "en", [1, 2, 6, 20]), found("da", "en", [1, 1, 1, None], "csls")])
    table = scores(every, [HIT, RR], "joint")
    assert list(table) == SCORES
    assert of(table)["value"] == 0.25
    assert of(table, metric=RR)["value"] == pytest.approx((1 + 1 / 2 + 1 / 6 + 1 / 20) / 4)
    assert of(table, similarity="csls", metric=RR)["value"] == 0.75
    assert of(table).items() >= {x: y for x, y in keys.items() if x != "repetition"}.items()
    counts = {"n_queries": 4, "n_candidates": 20, "directions": 1, "repetitions": 1}
    assert of(table).items() >= counts.items()
    assert (of(table)["ci_low"], of(table)["ci_high"]) == wilson(1, 4)
    every = of(table, ALL, ALL)
    assert (every["setting"], every["value"]) == ("joint", 0.25)


def test_repetitions_count_as_much_and_are_there_by_themselves(values, found):
    table = scores(
        values(
            [found("da", "en", [1, 2], n_candidates=10)],
            [found("da", "en", [1, 1, 1, 4], n_candidates=30)],
        ),
        [HIT, RR],
        "joint",
    )
    mean = of(table)
    assert mean["value"] == (1 / 2 + 3 / 4) / 2
    assert of(table, metric=RR)["value"] == (1.5 / 2 + 3.25 / 4) / 2
    assert mean["ci_low"] < mean["value"] < mean["ci_high"]
    counts = {"n_queries": 3, "n_candidates": 20, "repetitions": 2}
    assert mean.items() >= counts.items()
    for repetition, value, n, candidates in ((0, 0.5, 2, 10), (1, 0.75, 4, 30)):
        for place in (("da", "en"), (ALL, ALL)):
            own = of(table, *place, repetition)
            assert (own["value"], own["n_queries"]) == (value, n)
            assert (own["n_candidates"], own["repetitions"]) == (candidates, 1)


def test_directions_count_as_much_and_a_concept_of_both_is_one_query(values, found):
    both = values([found("da", "en", [1, 3, 9]), found("en", "da", [1, 3, 9], n_candidates=10)])
    mean = of(scores(both, [HIT], "joint"), ALL, ALL)
    assert mean["value"] == pytest.approx(1 / 3)
    assert (mean["n_queries"], mean["n_candidates"], mean["directions"]) == (3, 15, 2)
    assert (mean["ci_low"], mean["ci_high"]) == wilson(1, 3)
    unlike = values([found("da", "en", [1] * 9), found("en", "da", [2])])
    assert of(scores(unlike, [HIT], "joint"), ALL, ALL)["value"] == pytest.approx(0.5)


def test_a_direction_of_one_repetition_only(values, found):
    every = values(
        [found("da", "en", [1, 2]), found("vi", "en", [1, 1])],
        [found("en", "vi", [4, 4]), found("da", "en", [1, 1])],
    )
    table = scores(every, [HIT], "joint")
    assert [of(table)[x] for x in ("value", "repetitions")] == [0.75, 2]
    assert [of(table, "vi", "en")[x] for x in ("value", "repetitions")] == [1, 1]
    assert of(table, "en", "vi")["value"] == 0
    assert of(table, ALL, ALL)["value"] == pytest.approx((0.75 + 1 + 0) / 3)


def test_a_curve_has_each_k_that_its_directions_know(values, found):
    """Both directions ask the same three queries: the width is that of three, not of six."""
    both = values([found("da", "en", [1, 3, 9]), found("en", "da", [1, 3, 9], n_candidates=10)])
    table = curves(both, 12, "joint")
    assert list(table) == SCORES
    places = (("da", "en", 12), ("en", "da", 10), (ALL, ALL, 10))
    for query, target, last in places:
        own = table[(table["query"] == query) & (table["target"] == target)]
        assert own["metric"].tolist() == [f"Success@{k}" for k in range(1, last + 1)]
        expected = [1 / 3, 1 / 3, *[2 / 3] * 6, 1, 1, 1, 1]
        np.testing.assert_allclose(own["value"], expected[:last])
        for k, hits in ((1, 1), (3, 2), (9, 3)):
            point = own.iloc[k - 1]
            assert (point["ci_low"], point["ci_high"]) == wilson(hits, 3)


def test_curves_of_repetitions_end_with_the_fewest_candidates_or_the_depth(values, found):
    few = values(
        [found("da", "en", [1, 3], n_candidates=3)], [found("da", "en", [2, 4], n_candidates=4)]
    )
    deep = values(
        [found("da", "en", [1, 3], depth=4)], [found("da", "en", [2, None], depth=3)], metrics=[HIT]
    )
    for every in (few, deep):
        own = curves(every, 100, "joint").query("query == 'da'")
        assert own["metric"].tolist() == ["Success@1", "Success@2", "Success@3"]
        assert own["value"].tolist() == [0.25, 0.5, 0.75]
    with pytest.raises(UserError, match="Success@4 needs ranks beyond 3"):
        values([found("da", "en", [1, 3], depth=3)], metrics=["Success@4"])
