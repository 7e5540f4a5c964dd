"""Scores by hand; intervals against scipy's, and against what is drawn many times."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores import ranks
from cr5.scores.summary import ALL, MEAN, SCORES, by_query, curves, interval, scores
from tests.scores.conftest import HIT, RR, values


def of(frame, query="da", target="en", repetition=MEAN, metric=HIT, similarity="cosine"):
    keys = ["query_language", "target_language", "repetition", "metric", "similarity"]
    wanted = [query, target, str(repetition), metric, similarity]
    [found] = frame[(frame[keys].astype(str) == wanted).all(axis=1)].to_dict("records")
    return found


def wilson(k, n):
    found = stats.binomtest(k, n).proportion_ci(method="wilson")
    return pytest.approx((found.low, found.high), abs=1e-12)


def test_values_of_queries_are_those_of_their_ranks(tmp_path, keys, found):
    every = [found("da", "en", [1, 2, None]), found("en", "da", [3], "csls", depth=5)]
    list(ranks.write(tmp_path, keys, every))
    frame = by_query(*ranks.read(tmp_path), [HIT, "P@5"])
    columns = ["query_id", "query_language", "target_language", "similarity"]
    columns += ["best", "last", HIT, "P@5"]
    assert frame[columns].to_numpy().tolist() == [
        ["c0", "da", "en", "cosine", 1, 20, 1, 0.2],
        ["c1", "da", "en", "cosine", 2, 20, 0, 0.2],
        ["c2", "da", "en", "cosine", np.inf, 20, 0, 0],
        ["c0", "en", "da", "csls", 3, 5, 0, 0.2],
    ]
    assert (frame[list(keys)] == list(keys.values())).all(axis=None)


def test_one_repetition_by_hand(keys):
    every = values(cr5={"da-en": [1, 2, 6, 20], "da-en csls": [1, 1, 1, np.inf]})
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
    assert (every["setting"], every["label"], every["value"]) == ("joint", "joint", 0.25)


def test_repetitions_count_as_much_and_are_there_by_themselves():
    every = values(cr5={"da-en": [[1, 2], [1, 1, 1, 4]]})
    every["n_candidates"] = [10, 10, 30, 30, 30, 30]
    table = scores(every, [HIT, RR], "joint")
    mean = of(table)
    assert mean["value"] == (1 / 2 + 3 / 4) / 2
    assert of(table, metric=RR)["value"] == (1.5 / 2 + 3.25 / 4) / 2
    assert mean["ci_low"] < mean["value"] < mean["ci_high"]
    assert mean.items() >= {"n_queries": 3, "n_candidates": 20, "repetitions": 2}.items()
    for repetition, value, n, candidates in ((0, 0.5, 2, 10), (1, 0.75, 4, 30)):
        for place in (("da", "en"), (ALL, ALL)):
            own = of(table, *place, repetition)
            assert (own["value"], own["n_queries"]) == (value, n)
            assert (own["n_candidates"], own["repetitions"]) == (candidates, 1)


def test_directions_count_as_much_and_a_concept_of_both_is_one_query():
    both = values(cr5={"da-en": [1, 3, 9], "en-da": [1, 3, 9]})
    both.loc[both["query_language"] == "en", "n_candidates"] = 10
    mean = of(scores(both, [HIT], "joint"), ALL, ALL)
    assert mean["value"] == pytest.approx(1 / 3)
    assert (mean["n_queries"], mean["n_candidates"], mean["directions"]) == (3, 15, 2)
    assert (mean["ci_low"], mean["ci_high"]) == wilson(1, 3)
    unlike = values(cr5={"da-en": [1] * 9, "en-da": [2]})
    assert of(scores(unlike, [HIT], "joint"), ALL, ALL)["value"] == pytest.approx(0.5)


def test_a_curve_has_each_k_that_its_directions_know():
    """Both directions ask the same three queries: the width is that of three, not of six."""
    both = values(cr5={"da-en": [1, 3, 9], "en-da": [1, 3, 9]})
    both.loc[both["query_language"] == "en", "last"] = 10
    table = curves(both, 12, "joint")
    assert list(table) == SCORES
    for query, target, last in (("da", "en", 12), ("en", "da", 10), (ALL, ALL, 10)):
        is_direction = table["query_language"] == query
        own = table[is_direction & (table["target_language"] == target)]
        assert own["metric"].tolist() == [f"Success@{k}" for k in range(1, last + 1)]
        expected = [1 / 3, 1 / 3, *[2 / 3] * 6, 1, 1, 1, 1]
        np.testing.assert_allclose(own["value"], expected[:last])
        for k, hits in ((1, 1), (3, 2), (9, 3)):
            point = own.iloc[k - 1]
            assert (point["ci_low"], point["ci_high"]) == wilson(hits, 3)


def names(n, first=0):
    return [f"q{i}" for i in range(first, first + n)]


def rows(values, name, target, repetition):
    """As `interval` takes them, of one metric."""
    columns = {"query_id": name, "query_language": "en", "target_language": target}
    columns["repetition"] = repetition
    return pd.DataFrame({**columns, "value": np.asarray(values, float)})


def ends(frame):
    mean, low, high = interval(frame[["value"]], frame)
    assert low[0] <= mean[0] <= high[0]
    return low[0], high[0]


def ends_of(*repetitions, queries=None):
    """The interval of one metric; each repetition has queries of its own unless they are given."""
    if queries is None:
        queries = [names(len(each), 1000 * r) for r, each in enumerate(repetitions)]
    pairs = enumerate(zip(repetitions, queries, strict=True))
    return ends(pd.concat([rows(x, y, "da", r) for r, (x, y) in pairs], ignore_index=True))


def hits(k, n):
    return (np.arange(n) < k).astype(float)


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (1, 1), (0, 3), (1, 3), (0, 50), (50, 50), (1, 50), (43, 144), (7, 1000)]
)
def test_a_share_has_the_interval_of_wilson(k, n):
    """scipy computes it in its own way."""
    assert ends_of(hits(k, n)) == wilson(k, n)


def test_the_same_queries_five_times_are_not_five_times_as_many():
    """What is not random repeats its figures; the interval must not narrow."""
    found = hits(13, 40)
    assert ends_of(*[found] * 5, queries=[names(40)] * 5) == wilson(13, 40)
    orders = [np.random.default_rng(r).permutation(40) for r in range(5)]
    shuffled = [[names(40)[i] for i in order] for order in orders]
    assert ends_of(*(found[x] for x in orders), queries=shuffled) == wilson(13, 40)


def test_other_queries_count():
    """Repetitions that differ by no more than their queries do are one large sample."""
    assert ends_of(*[hits(12, 40)] * 5) == wilson(60, 200)


def covered(found, frame, expected):
    """Share of columns whose interval has what is expected."""
    _, low, high = interval(pd.DataFrame(found), frame)
    return ((low <= expected) & (expected <= high)).mean()


@pytest.mark.parametrize("shared", [0, 30, 60])
@pytest.mark.parametrize("spread", [0.0, 0.8])
def test_it_covers_over_repetitions(shared, spread):
    """Queries are hard or easy, fits good or bad; some queries are in all repetitions."""
    generator = np.random.default_rng(0)
    repetitions, n, draws = 8, 60, 2000
    link = stats.logistic.cdf
    expected = link(generator.normal(-1, np.hypot(1.5, spread), 1_000_000)).mean()
    queries = [names(shared) + names(n - shared, 1000 * (r + 1)) for r in range(repetitions)]
    frame = rows(0, np.ravel(queries), "da", np.repeat(np.arange(repetitions), n))
    hard = generator.normal(0, 1.5, (repetitions, n, draws))
    hard[:, :shared] = hard[0, :shared]
    fits = generator.normal(-1, spread, (repetitions, 1, draws))
    found = generator.random(hard.shape) < link(hard + fits)
    assert 0.9 < covered(found.reshape(-1, draws), frame, expected) < 0.98


def pooled(values, queries, directions):
    """Of one repetition and metric."""
    return ends(rows(values, queries, directions, 0))


def test_directions_with_queries_of_their_own_are_strata():
    """Half of each of two: as of one sample, but that how the two differ does not count."""
    queries, directions = names(80), ["a"] * 40 + ["b"] * 40
    alike = np.concatenate([hits(12, 40), hits(12, 40)])
    assert pooled(alike, queries, directions) == wilson(24, 80)
    apart = np.concatenate([hits(0, 40), hits(40, 40)])
    low, high = pooled(apart, queries, directions)
    assert high - low < 0.07  # of one sample .21
