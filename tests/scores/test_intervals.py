import numpy as np
import pytest

from cr5.scores.intervals import interval, resamples


def before(values, n_resamples, seed):
    """The interval of one repetition as the first version of this program had it."""
    n = len(values)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(n, np.full(n, 1 / n), n_resamples).astype(np.float64)
    return np.quantile(drawn @ values / n, [0.025, 0.975], axis=0)


def test_one_repetition_is_the_bootstrap_over_queries():
    values = np.random.default_rng(0).random((50, 3))
    found = interval([values], 300, 7)
    np.testing.assert_array_equal(found, before(values, 300, 7))
    np.testing.assert_array_equal(interval([values], 300, 7, same_queries=True), found)


def test_resamples_draw_each_query_as_often():
    drawn = resamples(40, 5_000, 1)
    assert drawn.shape == (5_000, 40)
    assert (drawn.sum(axis=1) == 40).all()
    np.testing.assert_allclose(drawn.mean(axis=0), 1, atol=0.08)
    np.testing.assert_array_equal(drawn, resamples(40, 5_000, 1))
    assert not np.array_equal(drawn, resamples(40, 5_000, 2))


def test_interval_is_that_of_a_share():
    """For a share p of n queries the bootstrap approaches p +- 1.96 sqrt(p (1 - p) / n)."""
    n, p = 400, 0.3
    values = (np.arange(n) < p * n).astype(float)[:, None]
    low, high = interval([values], 20_000, 0)
    half = 1.96 * np.sqrt(p * (1 - p) / n)
    assert low[0] == pytest.approx(p - half, abs=0.004)
    assert high[0] == pytest.approx(p + half, abs=0.004)


def slowly(values, n_resamples, seed, same_queries):
    """One resample, one repetition, one query at a time."""
    generator, means = np.random.default_rng(seed), []
    for _ in range(n_resamples):
        rows = generator.integers(len(values[0]), size=len(values[0]))  # if one draw serves all
        total = 0.0
        for _ in values:
            repetition = values[generator.integers(len(values))]
            if not same_queries:
                rows = generator.integers(len(repetition), size=len(repetition))
            total += np.mean([repetition[row] for row in rows])
        means.append(total / len(values))
    return np.quantile(means, [0.025, 0.975])


@pytest.mark.parametrize("same_queries", [False, True])
def test_several_repetitions_equal_a_slow_loop(same_queries):
    """Two programs with other random numbers: ends agree to a few hundredths of the width."""
    generator = np.random.default_rng(3)
    hard = generator.normal(0, 1, 30)
    values = [hard + generator.normal(mean, 0.3, 30) for mean in (0, 0.1, 0.3)]
    found = interval([each[:, None] for each in values], 20_000, 0, same_queries)
    expected = slowly(values, 6_000, 1, same_queries)
    width = expected[1] - expected[0]
    np.testing.assert_allclose(np.ravel(found), expected, atol=0.04 * width)


def test_repetitions_of_other_sizes_equal_a_slow_loop():
    generator = np.random.default_rng(5)
    values = [generator.normal(mean, 1, n) for mean, n in ((0, 10), (1, 40))]
    found = interval([each[:, None] for each in values], 20_000, 0)
    expected = slowly(values, 6_000, 1, False)
    np.testing.assert_allclose(np.ravel(found), expected, atol=0.04 * (expected[1] - expected[0]))


def test_what_a_repetition_changes_counts():
    """Queries that never differ: all the spread is between the repetitions."""
    values = [np.full((30, 1), mean) for mean in (0.2, 0.5, 0.8)]
    low, high = interval(values, 5_000, 0)
    # of 27 equally likely draws one is all .2, one all .8: beyond 2.5 % on each side
    assert low[0] == pytest.approx(0.2)
    assert high[0] == pytest.approx(0.8)


def test_what_a_query_changes_counts():
    """Repetitions that never differ: the interval of other queries narrows, that of the same
    queries stays as it is for one repetition.
    """
    values = np.random.default_rng(1).normal(size=(60, 1))
    single, other, same = (
        np.diff(np.ravel(interval(each, 20_000, 0, same_queries)))[0]
        for each, same_queries in (([values], False), ([values] * 4, False), ([values] * 4, True))
    )
    assert same == pytest.approx(single, rel=1e-9)
    assert other == pytest.approx(single / 2, rel=0.04)


def test_metrics_do_not_mix():
    generator = np.random.default_rng(2)
    values = [generator.random((20, 3)) for _ in range(2)]
    every = np.array(interval(values, 200, 4))
    for metric in range(3):
        alone = interval([each[:, [metric]] for each in values], 200, 4)
        np.testing.assert_allclose(np.ravel(alone), every[:, metric])
