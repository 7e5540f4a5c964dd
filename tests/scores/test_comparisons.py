import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores import summary
from cr5.scores.comparisons import FIRST, compare
from cr5.scores.significance import p_values
from cr5.scores.summary import ALL, by_query

HIT, RR = "Success@1", "RR"


@pytest.fixture
def values(read):
    """A function: by system what was found in each repetition, as values of queries."""

    def make(**systems):
        frames = [by_query(*each, [HIT, RR]) for each in read(**systems)]
        return pd.concat(frames, ignore_index=True)

    return make


def row(compared, place, metric=HIT, pair="ab"):
    keys = ["query", "target", "metric", "system", "other"]
    [found] = compared[(compared[keys] == [*place, metric, *pair]).all(axis=1)].to_dict("records")
    return found


def test_one_direction_by_hand(values, found):
    """Three queries of four differ, all for a: of eight flips two are as large."""
    every = values(a=[[found("da", "en", [1, 1, 1, 1])]], b=[[found("da", "en", [2, 2, 2, 1])]])
    compared = compare(every, [HIT, RR], 0)
    hit = row(compared, ("da", "en"))
    assert (hit["difference"], hit["p"], hit["n"]) == (0.75, 0.25, 4)
    assert row(compared, ("da", "en"), RR)["difference"] == 0.375
    assert row(compared, (ALL, ALL))["p"] == 0.25


def test_a_query_of_several_repetitions_is_one_unit(values, found):
    """In five repetitions the same three queries are three, not fifteen, and p is no smaller."""
    a, b = [found("da", "en", [1, 1, 1])], [found("da", "en", [2, 2, 2])]
    hit = row(compare(values(a=[a] * 5, b=[b] * 5), [HIT], 0), ("da", "en"))
    assert (hit["difference"], hit["p"], hit["n"]) == (pytest.approx(1), 0.25, 3)


def test_a_concept_of_several_directions_is_one_unit(values, found):
    """c0 wins in both directions, c1 once: of four flips two are as large, of eight all four."""
    a = [found("da", "en", [1, 1]), found("en", "da", [1, 1])]
    b = [found("da", "en", [2, 2]), found("en", "da", [2, 1])]
    pooled = row(compare(values(a=[a], b=[b]), [HIT], 0), (ALL, ALL))
    assert (pooled["difference"], pooled["p"], pooled["n"]) == (0.75, 0.5, 2)


def test_the_difference_is_that_of_the_tables(values, found):
    """Repetitions and directions with unlike numbers of queries count as much."""
    every = values(
        **{
            name: [
                [found("da", "en", first), found("en", "da", [1, 3])],
                [found("da", "en", second), found("en", "da", [2, 2, 2])],
            ]
            for name, first, second in [("a", [1, 2], [1, 1, 1, 5]), ("b", [3, 1], [4, 1, 2, 2])]
        }
    )
    compared, scores = compare(every, [RR], 0), summary.scores(every, [RR], "joint", each=False)
    scores = scores.set_index(["query", "target", "system"])["value"]
    for place in (("da", "en"), ("en", "da"), (ALL, ALL)):
        expected = scores[(*place, "a")] - scores[(*place, "b")]
        assert row(compared, place, RR)["difference"] == pytest.approx(expected)


def test_only_what_both_systems_answered_counts(values, found):
    """b was left out in the second repetition."""
    a = [[found("da", "en", [1, 2])], [found("da", "en", [9, 9, 9])]]
    compared = compare(values(a=a, b=[[found("da", "en", [2, 2])]], c=a), [HIT], 0)
    assert row(compared, ("da", "en"))["difference"] == 0.5
    assert row(compared, ("da", "en"))["n"] == 2
    assert row(compared, ("da", "en"), pair="ac")["n"] == 3


def test_systems_of_other_measures_are_compared_by_their_first_ones_alone(values, found):
    every = values(
        a=[[found("da", "en", [1, 1]), found("da", "en", [2, 2], "csls")]],
        b=[[found("da", "en", [2, 1], "l1")]],
    )
    compared = compare(every, [HIT], 0, "all of it")
    assert set(compared["similarity"]) == {FIRST}
    assert row(compared, ("da", "en"))["difference"] == 0.5
    assert compared["setting"].tolist() == ["joint_da-en", "all of it"]
    assert compare(every[every["system"] == "a"], [HIT], 0).empty  # a system alone


def test_holm_s_family_is_a_column_of_a_table(values, found):
    """Three systems, two directions: six tests by direction, three of both."""
    ranked = {"a": [1] * 8, "b": [2] * 8, "c": [1] * 4 + [2] * 4}
    every = values(
        **{x: [[found("da", "en", r), found("en", "da", r[::-1])]] for x, r in ranked.items()}
    )
    compared = compare(every, [HIT, RR], 0)
    a_b = row(compared, ("da", "en"))
    assert (a_b["p"], a_b["p_holm"]) == (2 / 2**8, 6 * 2 / 2**8)
    assert row(compared, ("da", "en"), pair="ac")["p_holm"] == 4 * 2 / 2**4
    assert row(compared, (ALL, ALL))["p_holm"] == 3 * 2 / 2**8


def test_the_order_of_systems_and_queries_changes_no_p(values, found):
    first, second = np.random.default_rng(0).integers(1, 20, (2, 60)).tolist()
    frame = values(a=[[found("da", "en", first)]], b=[[found("da", "en", second)]])
    turned = frame.iloc[::-1].reset_index(drop=True)
    one, other = (compare(x, [RR], 5) for x in (frame, turned))
    assert row(one, ("da", "en"), RR)["p"] == row(other, ("da", "en"), RR, "ba")["p"]


def test_many_systems_have_the_p_of_each_pair_alone(values, found):
    """Whether all answered the same queries or not."""
    ranks = np.random.default_rng(1).integers(1, 4, (5, 40)).tolist()
    alike = {x: [[found("da", "en", r)]] for x, r in zip("abcde", ranks, strict=True)}
    fewer = alike | {"a": [[found("da", "en", ranks[0][:30])]]}
    for given, same in ((alike, ["p", "p_paired", "n"]), (fewer, ["p_paired", "n"])):
        frame = values(**given)
        compared = compare(frame, [HIT, RR], 4)
        for pair in ("ad", "ae", "bc"):
            alone = compare(frame[frame["system"].isin([*pair])], [HIT, RR], 4)
            of_many, of_two = (row(x, ("da", "en"), RR, pair) for x in (compared, alone))
            expected = [of_two[x] for x in same]
            assert [of_many[x] for x in same] == pytest.approx(expected)


def test_p_is_that_of_the_contributions_of_queries(values, found):
    first, second = np.random.default_rng(2).integers(1, 4, (2, 50)).tolist()
    frame = values(a=[[found("da", "en", first)]], b=[[found("da", "en", second)]])
    differences = (1 / np.array(first) - 1 / np.array(second)) / 50
    differences = differences[np.argsort([f"c{i}" for i in range(50)])]
    given = np.column_stack([differences, np.zeros(50)]), np.array([0]), np.array([1])
    assert row(compare(frame, [RR], 3), ("da", "en"), RR)["p"] == p_values(*given, 3)[0]


def test_t_tests_of_the_same_queries(values, found):
    """Of both directions a query's mean is the unit."""
    a, b = [[1, 1, 1, 2, 1], [1, 2, 1, 1, 1]], [[1, 2, 2, 2, 2], [2, 1, 1, 2, 1]]
    every = {
        x: [[found("da", "en", one), found("en", "da", two)]]
        for x, (one, two) in {"a": a, "b": b}.items()
    }
    compared = compare(values(**every), [HIT], 0)
    one, other = ((np.array(x) == 1).astype(float) for x in (a, b))
    directions = {
        ("da", "en"): (one[0], other[0]),
        (ALL, ALL): [x.mean(axis=0) for x in (one, other)],
    }
    for direction, of_queries in directions.items():
        test = row(compared, direction)
        assert test["p_unpaired"] == pytest.approx(stats.ttest_ind(*of_queries).pvalue)
        assert test["p_paired"] == pytest.approx(stats.ttest_rel(*of_queries).pvalue)
