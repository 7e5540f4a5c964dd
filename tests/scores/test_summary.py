"""Scores by hand; intervals against scipy's, and against what is drawn many times."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores import ranks
from cr5.scores.summary import ALL, MEAN, SCORES, by_query, curves, interval, scores
from tests.scores.conftest import HIT, RR, search, values

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


def wilson(n_hits, n):
    ends = stats.binomtest(n_hits, n).proportion_ci(method="wilson")
    return pytest.approx((ends.low, ends.high), abs=1e-12)


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


def ids(n, first=0):
    return [f"q{number}" for number in range(first, first + n)]


def rows(of_queries, query_id, target_language="da", repetition=0):
    """As `interval` takes them, of one metric."""
    return pd.DataFrame(
        {
            "query_id": query_id,
            "query_language": "en",
            "target_language": target_language,
            "repetition": repetition,
            "value": np.asarray(of_queries, float),
        }
    )


def ends(frame):
    """The interval of one metric."""
    figures = interval(frame[["value"]], frame)
    [mean] = figures.mean
    [low] = figures.low
    [high] = figures.high
    assert low <= mean <= high
    return low, high


def of_repetitions(repetitions, query_ids):
    """Rows of several repetitions, by the values and ids of each."""
    frames = []
    for number, of_repetition in enumerate(repetitions):
        frames.append(rows(of_repetition, query_ids[number], repetition=number))
    return pd.concat(frames, ignore_index=True)


def hits(n_hits, n):
    return (np.arange(n) < n_hits).astype(float)


@pytest.mark.parametrize(
    ("n_hits", "n"),
    [(0, 1), (1, 1), (0, 3), (1, 3), (0, 50), (50, 50), (1, 50), (43, 144), (7, 1000)],
)
def test_a_share_has_the_interval_of_wilson(n_hits, n):
    """scipy computes it in its own way."""
    assert ends(rows(hits(n_hits, n), ids(n))) == wilson(n_hits, n)


def test_the_same_queries_five_times_are_not_five_times_as_many():
    """What is not random repeats its figures; the interval must not narrow."""
    frame = of_repetitions([hits(13, 40)] * 5, [ids(40)] * 5)
    shuffled = frame.sample(frac=1, random_state=1, ignore_index=True)
    assert ends(frame) == wilson(13, 40)
    assert ends(shuffled) == wilson(13, 40)


def test_other_queries_count():
    """Repetitions that differ by no more than their queries do are one large sample."""
    query_ids = [ids(40, 1000 * repetition) for repetition in range(5)]
    assert ends(of_repetitions([hits(12, 40)] * 5, query_ids)) == wilson(60, 200)


N_REPETITIONS = 8
N_QUERIES = 60
N_DRAWS = 2000


def drawn(n_shared, spread):
    """Hits of many draws, what they are drawn around, and the rows.

    Queries are hard or easy, fits good or bad by a spread; some queries are in all repetitions.
    """
    generator = np.random.default_rng(0)
    link = stats.logistic.cdf
    both_spreads = np.hypot(1.5, spread)
    expected = link(generator.normal(-1, both_spreads, 1_000_000)).mean()
    hardness = generator.normal(0, 1.5, (N_REPETITIONS, N_QUERIES, N_DRAWS))
    hardness[:, :n_shared] = hardness[0, :n_shared]
    fits = generator.normal(-1, spread, (N_REPETITIONS, 1, N_DRAWS))
    is_hit = generator.random(hardness.shape) < link(hardness + fits)
    query_ids = []
    for repetition in range(N_REPETITIONS):
        query_ids += ids(n_shared) + ids(N_QUERIES - n_shared, 1000 * (repetition + 1))
    numbers = np.repeat(np.arange(N_REPETITIONS), N_QUERIES)
    return is_hit.reshape(-1, N_DRAWS), expected, rows(0, query_ids, repetition=numbers)


@pytest.mark.parametrize("n_shared", [0, 30, 60])
@pytest.mark.parametrize("spread", [0.0, 0.8])
def test_it_covers_over_repetitions(n_shared, spread):
    is_hit, expected, frame = drawn(n_shared, spread)
    figures = interval(pd.DataFrame(is_hit), frame)
    is_covered = (figures.low <= expected) & (expected <= figures.high)
    assert 0.9 < is_covered.mean() < 0.98


@pytest.fixture
def strata():
    """A function: the interval of two directions with 40 queries of their own, by their hits."""

    def pooled(n_hits, n_other_hits):
        of_queries = np.concatenate([hits(n_hits, 40), hits(n_other_hits, 40)])
        target_languages = ["a"] * 40 + ["b"] * 40
        return ends(rows(of_queries, ids(80), target_languages))

    return pooled


def test_directions_with_queries_of_their_own_are_as_one_sample(strata):
    assert strata(12, 12) == wilson(24, 80)


def test_how_directions_differ_does_not_count(strata):
    low, high = strata(0, 40)
    assert high - low < 0.07  # of one sample .21
