"""Against scipy's permutation and t-tests; small cases are counted by hand."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores.comparisons import (
    FIRST_MEASURE,
    MOST_ENUMERATED,
    N_FLIPS,
    compare,
    holm,
    p_values,
    paired_t,
    unpaired_t,
)
from cr5.scores.summary import ALL, scores
from tests.scores.conftest import HIT, RR, values

FORTH = ("da", "en")
BACK = ("en", "da")
POOLED = (ALL, ALL)


def row_of(compared, place=FORTH, metric=HIT, pair="ab"):
    """The test of two systems of one letter in a direction."""
    keys = ["query_language", "target_language", "metric", "system", "other"]
    query_language, target_language = place
    system, other_system = pair
    wanted = [query_language, target_language, metric, system, other_system]
    is_row = (compared[keys] == wanted).all(axis=1)
    [row] = compared[is_row].to_dict("records")
    return row


@pytest.mark.parametrize(
    ("ranks", "other_ranks", "difference", "p", "n"),
    [
        # three queries of four differ, all for a: of eight flips two are as large
        ({"da-en": [1, 1, 1, 1]}, {"da-en": [2, 2, 2, 1]}, 0.75, 0.25, 4),
        # in five repetitions the same three queries are three, not fifteen, and p is no smaller
        ({"da-en": [[1, 1, 1]] * 5}, {"da-en": [[2, 2, 2]] * 5}, 1, 0.25, 3),
        # c0 wins in both directions, c1 once: of four flips two are as large, of eight all four
        (
            {"da-en": [1, 1], "en-da": [1, 1]},
            {"da-en": [2, 2], "en-da": [2, 1]},
            0.75,
            0.5,
            2,
        ),
    ],
)
def test_a_query_is_a_unit_by_hand(ranks, other_ranks, difference, p, n):
    of_queries = values(a=ranks, b=other_ranks)
    compared = compare(of_queries, [HIT], 0)
    test = row_of(compared, POOLED)
    assert test["difference"] == pytest.approx(difference)
    assert test["p"] == pytest.approx(p)
    assert test["n"] == n


@pytest.mark.parametrize("place", [FORTH, BACK, POOLED])
def test_the_difference_is_that_of_the_tables(place):
    """Repetitions and directions with unlike numbers of queries count as much."""
    of_queries = values(
        a={"da-en": [[1, 2], [1, 1, 1, 5]], "en-da": [[1, 3], [2, 2, 2]]},
        b={"da-en": [[3, 1], [4, 1, 2, 2]], "en-da": [[1, 3], [2, 2, 2]]},
    )
    table = scores(of_queries, [RR], "joint", with_repetitions=False)
    figures = table.set_index(["system", "query_language", "target_language"])["value"]
    expected = figures["a"][place] - figures["b"][place]
    test = row_of(compare(of_queries, [RR], 0), place, RR)
    assert test["difference"] == pytest.approx(expected)


def test_only_what_both_systems_answered_counts():
    """b was left out in the second repetition."""
    twice = {"da-en": [[1, 2], [9, 9, 9]]}
    compared = compare(values(a=twice, b={"da-en": [2, 2]}, c=twice), [HIT], 0)
    with_b = row_of(compared)
    assert with_b["difference"] == 0.5
    assert with_b["n"] == 2
    with_c = row_of(compared, pair="ac")
    assert with_c["n"] == 3


def test_systems_without_a_query_in_common_are_not_compared():
    """c has the queries of both."""
    of_queries = values(a={"da-en": [1, 1, 2]}, b={"da-en": [2, 1, 1]}, c={"da-en": [1, 1, 1]})
    is_first = of_queries["query_id"] == "c0"
    is_left_out = is_first & (of_queries["system"] == "b")
    is_left_out |= ~is_first & (of_queries["system"] == "a")
    compared = compare(of_queries[~is_left_out], [HIT], 0)
    directed = compared[compared["query_language"] == "da"]
    pairs = directed[["system", "other", "n"]].to_numpy().tolist()
    assert pairs == [["a", "c", 1], ["b", "c", 2]]


def test_systems_of_other_measures_are_compared_by_their_first_ones_alone():
    of_queries = values(a={"da-en": [1, 1], "da-en csls": [2, 2]}, b={"da-en l1": [2, 1]})
    compared = compare(of_queries, [HIT], 0, "all of it")
    assert set(compared["similarity"]) == {FIRST_MEASURE}
    assert row_of(compared)["difference"] == 0.5
    assert compared["setting"].tolist() == ["joint_da-en", "all of it"]


def test_a_system_alone_has_no_tests():
    assert compare(values(a={"da-en": [1, 1], "da-en csls": [2, 2]}), [HIT], 0).empty


def test_holm_s_family_is_a_column_of_a_table():
    """Three systems, two directions: six tests by direction, three of both."""
    ranks = {"a": [1] * 8, "b": [2] * 8, "c": [1] * 4 + [2] * 4}
    both_ways = {}
    for name, row in ranks.items():
        both_ways[name] = {"da-en": row, "en-da": row[::-1]}
    compared = compare(values(**both_ways), [HIT, RR], 0)
    p_of_eight = 2 / 2**8
    p_of_four = 2 / 2**4
    forth = row_of(compared)
    assert forth["p"] == p_of_eight
    assert forth["p_holm"] == 6 * p_of_eight
    least_significant = row_of(compared, pair="ac")
    assert least_significant["p_holm"] == 4 * p_of_four
    pooled = row_of(compared, POOLED)
    assert pooled["p_holm"] == 3 * p_of_eight


ALIKE = ["p", "p_paired", "n"]


@pytest.mark.parametrize(("n_of_a", "columns"), [(40, ALIKE), (30, ["p_paired", "n"])])
def test_many_systems_have_the_p_of_each_pair_alone(n_of_a, columns):
    """Whether all answered the same queries or not."""
    ranks = np.random.default_rng(1).integers(1, 4, (5, 40)).tolist()
    systems = {name: {"da-en": row} for name, row in zip("abcde", ranks, strict=True)}
    ranks_of_a = ranks[0]
    systems["a"] = {"da-en": ranks_of_a[:n_of_a]}
    of_queries = values(**systems)
    all_compared = compare(of_queries, [HIT, RR], 4)
    for pair in ("ad", "ae", "bc"):
        is_of_pair = of_queries["system"].isin(list(pair))
        pair_compared = compare(of_queries[is_of_pair], [HIT, RR], 4)
        together = row_of(all_compared, metric=RR, pair=pair)
        alone = row_of(pair_compared, metric=RR, pair=pair)
        for column in columns:
            assert together[column] == pytest.approx(alone[column])


RANKS = np.array([[1, 1, 1, 2, 1], [1, 2, 1, 1, 1]])  # directions x queries
OTHER_RANKS = np.array([[1, 2, 2, 2, 2], [2, 1, 1, 2, 1]])
HITS = (RANKS == 1).astype(float)
OTHER_HITS = (OTHER_RANKS == 1).astype(float)


@pytest.mark.parametrize(
    ("place", "hits", "other_hits"),
    [
        (FORTH, HITS[0], OTHER_HITS[0]),
        (POOLED, HITS.mean(axis=0), OTHER_HITS.mean(axis=0)),  # a query's mean is the unit
    ],
)
def test_t_tests_of_the_same_queries(place, hits, other_hits):
    forth, back = RANKS.tolist()
    other_forth, other_back = OTHER_RANKS.tolist()
    of_queries = values(
        a={"da-en": forth, "en-da": back}, b={"da-en": other_forth, "en-da": other_back}
    )
    test = row_of(compare(of_queries, [HIT], 0), place)
    assert test["p_unpaired"] == pytest.approx(stats.ttest_ind(hits, other_hits).pvalue)
    assert test["p_paired"] == pytest.approx(stats.ttest_rel(hits, other_hits).pvalue)


def difference_of_sums(values, other_values, axis):
    return (values - other_values).sum(axis=axis)


def scipy_p(differences, resamples=np.inf, seed=None):
    test = stats.permutation_test(
        (differences, np.zeros_like(differences)),
        difference_of_sums,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        rng=seed,
    )
    return test.pvalue


def p_of_columns(differences, seed=0):
    """Each column against nothing."""
    n = differences.shape[1]
    with_nothing = np.pad(differences, ((0, 0), (0, 1)))
    nothing = np.full(n, n)
    return p_values(with_nothing, np.arange(n), nothing, seed)


def p_of(differences):
    column = np.asarray(differences, float)[:, None]
    [p] = p_of_columns(column)
    return p


@pytest.mark.parametrize("n", [2, 5, 9])
def test_few_queries_are_counted_out(n):
    generator = np.random.default_rng(n)
    normal = generator.normal(0.3, 1, n)
    assert p_of(normal) == pytest.approx(scipy_p(normal))
    whole = generator.choice([-1.0, 0, 1], n)
    assert p_of(whole) == pytest.approx(scipy_p(whole))


@pytest.mark.parametrize("shift", [0.0, 0.15, 0.3])
def test_many_queries_as_scipy_draws_them(shift):
    differences = np.random.default_rng(3).normal(shift, 1, 90)
    expected = scipy_p(differences, 20_000, 1)
    noise = 4 * np.sqrt(expected / 20_000) + 2 / 20_000
    assert p_of(differences) == pytest.approx(expected, abs=noise)


def test_flips_are_enumerated_up_to_sixteen_differing_queries_and_then_drawn():
    """Of 2^n flips, two are as large as n equal differences."""
    assert p_of(np.ones(MOST_ENUMERATED)) == 2 / 2**16
    n_as_large = p_of(np.ones(MOST_ENUMERATED + 1)) * (1 + N_FLIPS)
    assert n_as_large == pytest.approx(round(n_as_large))


def test_p_is_never_zero():
    assert p_of(np.ones(200)) == 1 / (1 + N_FLIPS)


def test_ties_count():
    assert p_of(np.tile([0.1, 0.2, -0.3], 30)) == 1
    # the same sum in another order may differ in its last digit
    assert p_of(np.full(40, 0.1)) < 1e-4


def test_sums_of_columns_serve_all_differences_between_them():
    """Those of whole numbers are exact either way, ties too; few that differ are counted out."""
    contributions = np.random.default_rng(9).integers(0, 4, (70, 5)).astype(float)
    contributions[MOST_ENUMERATED:, 4] = contributions[MOST_ENUMERATED:, 0]
    pairs = np.array(list(combinations(range(5), 2)))
    first = pairs[:, 0]
    second = pairs[:, 1]
    differences = contributions[:, first] - contributions[:, second]
    p = p_values(contributions, first, second, 3)
    assert p.tolist() == p_of_columns(differences, 3).tolist()


@pytest.mark.parametrize(
    ("p", "corrected"),
    [
        # .01 x 4, .02 x 3, .03 x 2 but no less than .06, .04 but no less
        ([0.04, 0.01, 0.03, 0.02], [0.06, 0.04, 0.06, 0.06]),
        ([0.5, 0.6], [1, 1]),
    ],
)
def test_holm_by_hand(p, corrected):
    assert holm(pd.Series(p)).sort_index().tolist() == pytest.approx(corrected)


def hits(n_hits, n):
    """Of n queries some are hits."""
    return np.repeat([[1.0], [0.0]], [n_hits, n - n_hits], axis=0)


def test_one_unit_tells_nothing():
    assert paired_t(np.ones((1, 2))).tolist() == [1, 1]
    assert unpaired_t(hits(1, 1), hits(0, 1)).tolist() == [1]


def test_the_same_difference_everywhere_cannot_be_chance():
    assert paired_t(np.tile([0.0, 0.5], (4, 1))).tolist() == [1, 0]
    assert unpaired_t(hits(10, 10), hits(0, 10)).tolist() == [0]


def test_without_a_difference_there_is_none_to_find():
    assert unpaired_t(hits(10, 10), hits(10, 10)).tolist() == [1]
