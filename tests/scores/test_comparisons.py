"""Against scipy's permutation and t-tests; small cases are counted by hand."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores.comparisons import (
    EXACT,
    FIRST,
    FLIPS,
    compare,
    holm,
    p_values,
    paired_t,
    unpaired_t,
)
from cr5.scores.summary import ALL, scores
from tests.scores.conftest import HIT, RR, values

FORTH, BACK = ("da", "en"), ("en", "da")


def row(compared, place=FORTH, metric=HIT, pair="ab"):
    keys = ["query_language", "target_language", "metric", "system", "other"]
    [found] = compared[(compared[keys] == [*place, metric, *pair]).all(axis=1)].to_dict("records")
    return found


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        # three queries of four differ, all for a: of eight flips two are as large
        ({"da-en": [1, 1, 1, 1]}, {"da-en": [2, 2, 2, 1]}, (0.75, 0.25, 4)),
        # in five repetitions the same three queries are three, not fifteen, and p is no smaller
        ({"da-en": [[1, 1, 1]] * 5}, {"da-en": [[2, 2, 2]] * 5}, (1, 0.25, 3)),
        # c0 wins in both directions, c1 once: of four flips two are as large, of eight all four
        ({"da-en": [1, 1], "en-da": [1, 1]}, {"da-en": [2, 2], "en-da": [2, 1]}, (0.75, 0.5, 2)),
    ],
)
def test_a_query_is_a_unit_by_hand(a, b, expected):
    pooled = row(compare(values(a=a, b=b), [HIT], 0), (ALL, ALL))
    assert (pooled["difference"], pooled["p"], pooled["n"]) == pytest.approx(expected)


def test_the_difference_is_that_of_the_tables():
    """Repetitions and directions with unlike numbers of queries count as much."""
    every = values(
        a={"da-en": [[1, 2], [1, 1, 1, 5]], "en-da": [[1, 3], [2, 2, 2]]},
        b={"da-en": [[3, 1], [4, 1, 2, 2]], "en-da": [[1, 3], [2, 2, 2]]},
    )
    compared, figures = (
        compare(every, [RR], 0),
        scores(every, [RR], "joint", with_repetitions=False),
    )
    figures = figures.set_index(["query_language", "target_language", "system"])["value"]
    for place in (FORTH, BACK, (ALL, ALL)):
        expected = figures[(*place, "a")] - figures[(*place, "b")]
        assert row(compared, place, RR)["difference"] == pytest.approx(expected)


def test_only_what_both_systems_answered_counts():
    """b was left out in the second repetition."""
    of = {"da-en": [[1, 2], [9, 9, 9]]}
    compared = compare(values(a=of, b={"da-en": [2, 2]}, c=of), [HIT], 0)
    assert (row(compared)["difference"], row(compared)["n"]) == (0.5, 2)
    assert row(compared, pair="ac")["n"] == 3


def test_systems_of_other_measures_are_compared_by_their_first_ones_alone():
    every = values(a={"da-en": [1, 1], "da-en csls": [2, 2]}, b={"da-en l1": [2, 1]})
    compared = compare(every, [HIT], 0, "all of it")
    assert set(compared["similarity"]) == {FIRST}
    assert row(compared)["difference"] == 0.5
    assert compared["setting"].tolist() == ["joint_da-en", "all of it"]
    assert compare(every[every["system"] == "a"], [HIT], 0).empty  # a system alone


def test_holm_s_family_is_a_column_of_a_table():
    """Three systems, two directions: six tests by direction, three of both."""
    ranked = {"a": [1] * 8, "b": [2] * 8, "c": [1] * 4 + [2] * 4}
    every = values(**{x: {"da-en": r, "en-da": r[::-1]} for x, r in ranked.items()})
    compared = compare(every, [HIT, RR], 0)
    assert (row(compared)["p"], row(compared)["p_holm"]) == (2 / 2**8, 6 * 2 / 2**8)
    assert row(compared, pair="ac")["p_holm"] == 4 * 2 / 2**4
    assert row(compared, (ALL, ALL))["p_holm"] == 3 * 2 / 2**8


def test_many_systems_have_the_p_of_each_pair_alone():
    """Whether all answered the same queries or not."""
    ranks = np.random.default_rng(1).integers(1, 4, (5, 40)).tolist()
    alike = {x: {"da-en": r} for x, r in zip("abcde", ranks, strict=True)}
    fewer = alike | {"a": {"da-en": ranks[0][:30]}}
    for given, same in ((alike, ["p", "p_paired", "n"]), (fewer, ["p_paired", "n"])):
        frame = values(**given)
        compared = compare(frame, [HIT, RR], 4)
        for pair in ("ad", "ae", "bc"):
            alone = compare(frame[frame["system"].isin([*pair])], [HIT, RR], 4)
            of_many, of_two = (row(x, metric=RR, pair=pair) for x in (compared, alone))
            assert [of_many[x] for x in same] == pytest.approx([of_two[x] for x in same])


def test_t_tests_of_the_same_queries():
    """Of both directions a query's mean is the unit."""
    a, b = [[1, 1, 1, 2, 1], [1, 2, 1, 1, 1]], [[1, 2, 2, 2, 2], [2, 1, 1, 2, 1]]
    of = {x: dict(zip(("da-en", "en-da"), y, strict=True)) for x, y in {"a": a, "b": b}.items()}
    compared = compare(values(**of), [HIT], 0)
    one, other = ((np.array(x) == 1).astype(float) for x in (a, b))
    means = [x.mean(axis=0) for x in (one, other)]
    for direction, of_queries in {FORTH: (one[0], other[0]), (ALL, ALL): means}.items():
        test = row(compared, direction)
        assert test["p_unpaired"] == pytest.approx(stats.ttest_ind(*of_queries).pvalue)
        assert test["p_paired"] == pytest.approx(stats.ttest_rel(*of_queries).pvalue)


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


@pytest.mark.parametrize("n", [2, 5, 9])
def test_few_queries_are_counted_out(n):
    generator = np.random.default_rng(n)
    for differences in (generator.normal(0.3, 1, n), generator.choice([-1.0, 0, 1], n)):
        assert one(differences) == pytest.approx(scipy_p(differences))


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
    corrected = holm(pd.Series([0.04, 0.01, 0.03, 0.02])).sort_index()
    assert corrected.tolist() == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm(pd.Series([0.5, 0.6])).tolist() == [1, 1]


def hits(k, n):
    """Of n queries k are hits."""
    return np.repeat([[1.0], [0.0]], [k, n - k], axis=0)


def test_a_t_test_without_variance():
    """One unit tells nothing; the same difference everywhere cannot be chance."""
    assert paired_t(np.ones((1, 2))).tolist() == [1, 1]
    assert paired_t(np.tile([0.0, 0.5], (4, 1))).tolist() == [1, 0]
    assert unpaired_t(hits(10, 10), hits(10, 10)).tolist() == [1]
    assert unpaired_t(hits(10, 10), hits(0, 10)).tolist() == [0]
    assert unpaired_t(hits(1, 1), hits(0, 1)).tolist() == [1]
