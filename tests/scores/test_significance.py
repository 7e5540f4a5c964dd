"""scipy's permutation test is the independent implementation; small cases are counted by hand."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from cr5.report.published import figures
from cr5.scores.significance import EXACT, FLIPS, holm, p_values, paired_t, unpaired_t


def scipy_p(differences, resamples=np.inf, seed=None):
    found = stats.permutation_test(
        (differences, np.zeros_like(differences)),
        lambda x, y, axis: (x - y).sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        rng=seed,
    )
    return found.pvalue


def every(differences, seed=0):
    """Each column against nothing."""
    n = differences.shape[1]
    return p_values(np.pad(differences, ((0, 0), (0, 1))), np.arange(n), np.full(n, n), seed)


def one(differences, seed=0):
    return every(np.asarray(differences, float)[:, None], seed)[0]


def test_three_queries_by_hand():
    """Of eight sums of +-1 +-1 +-2, those of 4 and -4 are as large as 4; six are at least 2."""
    assert one([1, 1, 2]) == 2 / 8
    assert one([1, -1, 2]) == 6 / 8
    assert one([1, 1, 0, 2, 0]) == 2 / 8


def test_queries_without_a_difference_say_nothing():
    assert one([0, 0, 0]) == 1
    assert one([0.25]) == 1
    assert one([1, -1]) == 1


@pytest.mark.parametrize("n", [2, 5, 9])
def test_few_queries_are_counted_out(n):
    generator = np.random.default_rng(n)
    for differences in (generator.normal(0.3, 1, n), generator.choice([-1.0, 0, 1], n)):
        sums = [np.dot(signs, differences) for signs in product([-1, 1], repeat=n)]
        expected = np.mean(np.abs(sums) >= abs(differences.sum()) - 1e-12)
        assert one(differences) == pytest.approx(expected, abs=1e-12)
        assert one(differences) == pytest.approx(scipy_p(differences))


def test_hits_are_a_sign_test():
    """Of differences of one size, p is the binomial's (McNemar's exact test)."""
    for won, lost in [(3, 1), (9, 2), (8, 8), (12, 3)]:
        differences = np.repeat([1.0, -1.0, 0.0], [won, lost, 40]) / 56
        assert one(differences) == pytest.approx(stats.binomtest(won, won + lost).pvalue)
    many = np.repeat([1.0, -1.0, 0.0], [60, 35, 40])
    assert one(many) == pytest.approx(stats.binomtest(60, 95).pvalue, rel=0.05)


@pytest.mark.parametrize("shift", [0.0, 0.15, 0.3])
def test_many_queries_as_scipy_draws_them(shift):
    differences = np.random.default_rng(3).normal(shift, 1, 90)
    expected = scipy_p(differences, 20_000, 1)
    noise = 4 * np.sqrt(expected / 20_000) + 2 / 20_000
    assert one(differences) == pytest.approx(expected, abs=noise)


def test_p_is_never_zero_and_ties_count():
    assert one(np.ones(200)) == 1 / (1 + FLIPS)
    assert one(np.tile([0.1, 0.2, -0.3], 30)) == 1
    # the same sum in another order may differ in its last digit
    assert one(np.full(40, 0.1)) < 1e-4


def test_comparisons_do_not_mix_and_the_same_seed_gives_the_same():
    differences = np.random.default_rng(5).normal(0.1, 1, (50, 3))
    found = every(differences, 7)
    assert found.tolist() == [one(differences[:, i], 7) for i in range(3)]
    assert found.tolist() != every(differences, 8).tolist()


def test_sums_of_columns_serve_all_differences_between_them():
    """Those of whole numbers are exact either way, ties too; few that differ are counted out."""
    generator = np.random.default_rng(9)
    of = generator.integers(0, 4, (70, 5)).astype(float)
    of[EXACT:, 4] = of[EXACT:, 0]
    ones, others = map(np.array, zip(*combinations(range(5), 2), strict=True))
    differences = of[:, ones] - of[:, others]
    assert p_values(of, ones, others, 3).tolist() == every(differences, 3).tolist()


def test_holm_by_hand():
    """.01 x 4, .02 x 3, .03 x 2 but no less than .06, .04 but no less."""
    assert holm(np.array([0.04, 0.01, 0.03, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])
    assert holm(np.array([0.5, 0.6])).tolist() == [1, 1]
    assert holm(np.array([0.2])).tolist() == [0.2]
    assert holm(np.array([])).tolist() == []


def test_a_paired_t_test_without_variance():
    """One unit tells nothing; the same difference everywhere cannot be chance."""
    assert paired_t(np.ones((1, 2))).tolist() == [1, 1]
    same = np.tile([0.0, 0.5], (4, 1))
    assert paired_t(same).tolist() == [1, 0]


def test_an_unpaired_t_test_by_hand():
    """Means .75 and .25, both variances 1/4: t = .5 / sqrt(.25 / 4 + .25 / 4) = sqrt(2), 6 free."""
    t = np.sqrt(2)
    # the distribution of t with six degrees of freedom, in closed form
    x = t / np.sqrt(t**2 + 6)
    expected = 1 - x * (1 + (1 - x**2) / 2 + 3 / 8 * (1 - x**2) ** 2)
    assert unpaired_t(hits(3, 4), hits(1, 4)) == pytest.approx([expected])


def test_an_unpaired_t_test_of_other_numbers_of_queries_as_scipy():
    generator = np.random.default_rng(0)
    one, other = generator.random((70, 3)), generator.random((50, 3)) + 0.1
    np.testing.assert_allclose(unpaired_t(one, other), stats.ttest_ind(one, other).pvalue)


def hits(k, n):
    """Of n queries k are hits."""
    return np.repeat([[1.0], [0.0]], [k, n - k], axis=0)


def test_an_unpaired_t_test_without_variance():
    assert unpaired_t(hits(10, 10), hits(10, 10)).tolist() == [1]
    assert unpaired_t(hits(10, 10), hits(0, 10)).tolist() == [0]
    assert unpaired_t(hits(1, 1), hits(0, 1)).tolist() == [1]


def test_a_p_value_that_the_claim_of_platt_et_al_needs():
    """OPCA is better than word-by-word through LSA on Spanish: of six tests, not of 21."""
    of = figures()[(figures()["paper"] == "OPCA") & (figures()["table"] == "3")]
    of = of[(of["metric"] == "accuracy") & (of["query_lang"] == "es")]
    shares, n = of.set_index("row_system")["value"], 12_342
    names = "OPCA (dim=100)", "Word-by-word (dim=50)"
    [p] = unpaired_t(*(hits(round(shares[x] * n), n) for x in names))
    assert p * (len(shares) - 1) < 0.05 < p * 21
