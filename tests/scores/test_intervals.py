"""Intervals against scipy's, against what is drawn many times, and against pandas."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores.intervals import Clusters, Z, interval
from tests.scores.conftest import wilson


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
    figures = interval(frame[["value"]].to_numpy(), Clusters.of(frame))
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
    figures = interval(is_hit, Clusters.of(frame))
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


@pytest.fixture
def incomplete():
    """Rows of two directions and three fits unlike each other; only the first has both."""
    generator = np.random.default_rng(1)
    frames = []
    for target_language, repetition, n in [("a", 0, 5), ("a", 1, 7), ("b", 0, 4), ("a", 2, 6)]:
        query_ids = ids(n, first=repetition)
        values = 0.3 * repetition + generator.uniform(0, 0.3, n)
        frames.append(rows(values, query_ids, target_language, repetition))
    frame = pd.concat(frames, ignore_index=True)
    return frame.sample(frac=1, random_state=2, ignore_index=True)


def squares(contributions, names):
    """The sum of squares of what rows of the same names contribute together."""
    together = contributions.groupby(names).sum()
    return (together**2).sum()


def variance_of(frame):
    """The variance of the mean, by the sums of the docstring in pandas."""
    cells = frame.groupby(["target_language", "repetition"])["value"]
    cell_means = cells.mean()
    directions = cell_means.groupby(level="target_language")
    n_repetitions = frame["target_language"].map(directions.size())
    n_values = cells.transform("size") * n_repetitions * len(directions)
    deviations = frame["value"] - cells.transform("mean")
    contributions = deviations / n_values
    between_queries = squares(contributions, frame["query_id"])
    within = squares(contributions, [frame["query_id"], frame["repetition"]])
    above = cell_means - directions.transform("mean")
    repetition_means = above.groupby(level="repetition").mean()
    n = len(repetition_means)
    between_repetitions = (repetition_means**2).sum() / (n - 1) / n
    explained = (n * within - between_queries) / (n - 1)
    return between_queries + max(between_repetitions - explained, 0)


def test_where_a_direction_lacks_a_repetition(incomplete):
    cells = incomplete.groupby(["target_language", "repetition"])
    cell_means = cells["value"].mean()
    direction_means = cell_means.groupby(level="target_language").mean()
    p = direction_means.mean()
    n = incomplete["query_id"].nunique()
    added = Z**2 / 4
    variance = n**2 * variance_of(incomplete) + added
    largest_variance = n * p * (1 - p) + added
    m = n * largest_variance / variance
    centre = m * p + 2 * added
    half_width = Z * np.sqrt(m * p * (1 - p) + added)
    divisor = m + 4 * added
    low = (centre - half_width) / divisor
    high = (centre + half_width) / divisor
    assert ends(incomplete) == pytest.approx((low, high), abs=1e-12)
