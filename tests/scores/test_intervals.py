import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores.intervals import Z, interval


def names(n, first=0):
    return [f"q{i}" for i in range(first, first + n)]


def rows(values, name, target, repetition):
    """As `interval` takes them, of one metric."""
    columns = {"name": name, "query": "en", "target": target, "repetition": repetition}
    return pd.DataFrame({**columns, "value": np.asarray(values, float)})


def ends(frame):
    mean, low, high = interval(frame[["value"]], frame)
    assert low[0] <= mean[0] <= high[0]
    return low[0], high[0]


def of(*repetitions, queries=None):
    """The interval of one metric; each repetition has queries of its own unless they are given."""
    if queries is None:
        queries = [names(len(each), 1000 * r) for r, each in enumerate(repetitions)]
    pairs = enumerate(zip(repetitions, queries, strict=True))
    return ends(pd.concat([rows(x, y, "da", r) for r, (x, y) in pairs], ignore_index=True))


def hits(k, n):
    return (np.arange(n) < k).astype(float)


def wilson(k, n):
    found = stats.binomtest(k, n).proportion_ci(method="wilson")
    return found.low, found.high


@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (1, 1), (0, 3), (1, 3), (0, 50), (50, 50), (1, 50), (43, 144), (7, 1000)]
)
def test_a_share_has_the_interval_of_wilson(k, n):
    """scipy computes it in its own way."""
    assert of(hits(k, n)) == pytest.approx(wilson(k, n), abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("n", [1, 9, 200])
def test_an_edge_has_a_width(value, n):
    """All queries answered first, or none: a bootstrap would say that this is certain."""
    low, high = of(np.full(n, value))
    assert high - low == pytest.approx(Z**2 / (n + Z**2))
    assert (high if value else low) == value


@pytest.mark.parametrize("n", [1, 2, 9, 200])
def test_equal_values_have_a_width(n):
    """At least what one more query of a share could move the mean by, and less than of a share."""
    low, high = of(np.full(n, 0.5))
    one_more = 0.5 / (n + 1)
    assert low + high == pytest.approx(1)
    assert one_more < 0.5 - low < (wilson(n, 2 * n)[1] - wilson(n, 2 * n)[0]) * 0.75


def test_of_many_values_it_is_the_normal_one():
    values = np.random.default_rng(0).beta(0.5, 1.5, 40_000)
    half = 1.96 * values.std() / 200
    assert of(values) == pytest.approx((values.mean() - half, values.mean() + half), abs=5e-5)


def test_metrics_do_not_mix():
    generator = np.random.default_rng(2)
    frame = pd.concat([rows(np.zeros(20), names(20, 10 * r), "da", r) for r in range(2)])
    frame = frame.reset_index(drop=True)
    values = pd.DataFrame(generator.random((40, 3)))
    every = np.array(interval(values, frame))
    for metric in range(3):
        alone = interval(values[[metric]], frame)
        np.testing.assert_allclose(np.ravel(alone), every[:, metric])


def test_the_same_queries_five_times_are_not_five_times_as_many():
    """What is not random repeats its figures; the interval must not narrow."""
    found = hits(13, 40)
    assert of(*[found] * 5, queries=[names(40)] * 5) == pytest.approx(wilson(13, 40))
    orders = [np.random.default_rng(r).permutation(40) for r in range(5)]
    shuffled = [[names(40)[i] for i in order] for order in orders]
    assert of(*(found[x] for x in orders), queries=shuffled) == pytest.approx(wilson(13, 40))


def test_other_queries_count():
    """Repetitions that differ by no more than their queries do are one large sample."""
    assert of(*[hits(12, 40)] * 5) == pytest.approx(wilson(60, 200))


def test_queries_that_repetitions_share_in_part_lie_between():
    widths = []
    for first in (0, 20, 40):
        places = [np.arange(40), np.arange(first, first + 40)]
        found = [(x % 10 < 3).astype(float) for x in places]  # what a query gives it always gives
        widths += [np.diff(of(*found, queries=[names(40), names(40, first)]))[0]]
    assert widths[0] > 1.1 * widths[1] > 1.1**2 * widths[2]


def test_what_a_repetition_changes_counts():
    """Fits that differ by far more than their queries: Student's interval without its t."""
    means = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    low, high = of(*(hits(1000 * mean, 1000) for mean in means))
    variance = means.var(ddof=1) / 5
    n = 0.25 / variance  # of a share of 1/2 of so many queries the variance is the same
    centre, half = 0.5, Z / (n + Z**2) * np.sqrt(n * 0.25 + Z**2 / 4)
    assert (low, high) == pytest.approx((centre - half, centre + half), abs=0.003)


def test_it_covers_shares_of_all_kinds_in_95_of_100():
    n = 50
    both = np.array([of(hits(k, n)) for k in range(n + 1)])
    shares = np.linspace(0.005, 0.995, 199)
    chances = stats.binom.pmf(np.arange(n + 1)[:, None], n, shares)
    has = (chances * ((both[:, [0]] <= shares) & (shares <= both[:, [1]]))).sum(axis=0)
    assert has.mean() > 0.95
    assert np.median(has) > 0.95


def covered(found, frame, expected):
    """Share of columns whose interval has what is expected."""
    _, low, high = interval(pd.DataFrame(found), frame)
    return ((low <= expected) & (expected <= high)).mean()


@pytest.mark.parametrize("p", [0.02, 0.1, 0.5, 0.97])
def test_it_covers_reciprocal_ranks(p):
    """Geometric ranks: a mean of other fractions, skewed."""
    values = 1 / np.random.default_rng(0).geometric(p, (50, 2000))
    assert covered(values, rows(values[:, 0], names(50), "da", 0), -p * np.log(p) / (1 - p)) > 0.93


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
    assert covered(found.reshape(-1, draws), frame, expected) > 0.9


def pooled(values, queries, directions):
    """Of one repetition and metric."""
    return ends(rows(values, queries, directions, 0))


def test_directions_with_queries_of_their_own_are_strata():
    """Half of each of two: as of one sample, but that how the two differ does not count."""
    queries, directions = names(80), ["a"] * 40 + ["b"] * 40
    alike = np.concatenate([hits(12, 40), hits(12, 40)])
    assert pooled(alike, queries, directions) == pytest.approx(wilson(24, 80))
    apart = np.concatenate([hits(0, 40), hits(40, 40)])
    low, high = pooled(apart, queries, directions)
    assert high - low < np.diff(wilson(40, 80))[0] / 3


def test_a_concept_that_is_a_query_of_both_directions_counts_once():
    both = np.concatenate([hits(12, 40), hits(12, 40)])
    found = pooled(both, names(40) * 2, ["a"] * 40 + ["b"] * 40)
    assert found == pytest.approx(wilson(12, 40))


def test_it_covers_a_mean_over_directions():
    """Concepts are hard or easy in both directions, and one direction is harder."""
    generator = np.random.default_rng(1)
    link, n = stats.logistic.cdf, 60
    shift = np.array([[-1.5], [0.5]])
    expected = link(generator.normal(0, 1.5, 1_000_000) + shift).mean()
    frame = rows(0, names(n) * 2, ["a"] * n + ["b"] * n, 0)
    hard = generator.normal(0, 1.5, (n, 1000)) + shift[:, :, None]
    found = generator.random(hard.shape) < link(hard)
    assert 0.93 < covered(found.reshape(2 * n, -1), frame, expected) < 0.98
