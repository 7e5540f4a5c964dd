import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.scores import summary
from cr5.scores.comparisons import ALL, FIRST, by_first_measure, by_query, compare, means
from cr5.scores.intervals import interval
from cr5.scores.significance import p_values


def values(read, metrics):
    return pd.concat([by_query(each, metrics) for each in read], ignore_index=True)


def row(compared, metric, place, system="a", other="b"):
    chosen = compared[
        (compared["metric"] == metric)
        & (compared["query"] + compared["target"] == "".join(place))
        & (compared["system"] == system)
        & (compared["other"] == other)
    ]
    [found] = chosen.to_dict("records")
    return found


def test_one_direction_by_hand(read, found):
    """Three queries of four differ, all for a: of eight flips two are as large."""
    every = read(a=[[found("da", "en", [1, 1, 1, 1])]], b=[[found("da", "en", [2, 2, 2, 1])]])
    compared = compare(values(every, ["Success@1", "RR"]), ["Success@1", "RR"], 0)
    hit = row(compared, "Success@1", ("da", "en"))
    assert (hit["difference"], hit["p"], hit["n"]) == (0.75, 0.25, 4)
    assert row(compared, "RR", ("da", "en"))["difference"] == 0.375
    assert row(compared, "Success@1", (ALL, ALL))["p"] == 0.25


def test_a_query_of_several_repetitions_is_one_unit(read, found):
    """In five repetitions the same three queries are three, not fifteen, and p is no smaller."""
    a, b = [found("da", "en", [1, 1, 1])], [found("da", "en", [2, 2, 2])]
    compared = compare(values(read(a=[a] * 5, b=[b] * 5), ["Success@1"]), ["Success@1"], 0)
    hit = row(compared, "Success@1", ("da", "en"))
    assert (hit["difference"], hit["p"], hit["n"]) == (pytest.approx(1), 0.25, 3)


def test_a_concept_of_several_directions_is_one_unit(read, found):
    """c0 wins in both directions, c1 once: of four flips two are as large, of eight all four."""
    a = [found("da", "en", [1, 1]), found("en", "da", [1, 1])]
    b = [found("da", "en", [2, 2]), found("en", "da", [2, 1])]
    compared = compare(values(read(a=[a], b=[b]), ["Success@1"]), ["Success@1"], 0)
    pooled = row(compared, "Success@1", (ALL, ALL))
    assert (pooled["difference"], pooled["p"], pooled["n"]) == (0.75, 0.5, 2)


def test_the_difference_is_that_of_the_tables(read, found):
    """Repetitions and directions with unlike numbers of queries count as much."""
    systems = {
        name: [
            [found("da", "en", first), found("en", "da", [1, 3])],
            [found("da", "en", second), found("en", "da", [2, 2, 2])],
        ]
        for name, first, second in [("a", [1, 2], [1, 1, 1, 5]), ("b", [3, 1], [4, 1, 2, 2])]
    }
    every = read(**systems)
    frame = values(every, ["RR"])
    compared = compare(frame, ["RR"], 0)
    scores = {
        name: summary.scores(
            [by_query(x, ["RR"]) for x in every if x.keys["system"] == name], ["RR"]
        )
        for name in ("a", "b")
    }
    direction = scores["a"]["value"] - scores["b"]["value"]
    assert row(compared, "RR", ("da", "en"))["difference"] == pytest.approx(direction[0])
    assert row(compared, "RR", (ALL, ALL))["difference"] == pytest.approx(direction.mean())
    mean = means(frame, ["RR"]).set_index("system")
    for name in ("a", "b"):
        assert mean.loc[name, "value"] == pytest.approx(scores[name]["value"].mean())
    assert mean.loc["a", ["n_queries", "directions", "repetitions"]].tolist() == [4, 2, 2]


def test_only_what_both_systems_answered_counts(read, found):
    """b was left out in the second repetition."""
    a = [[found("da", "en", [1, 2])], [found("da", "en", [9, 9, 9])]]
    every = read(a=a, b=[[found("da", "en", [2, 2])]], c=a)
    compared = compare(values(every, ["Success@1"]), ["Success@1"], 0)
    assert row(compared, "Success@1", ("da", "en"))["difference"] == 0.5
    assert row(compared, "Success@1", ("da", "en"))["n"] == 2
    assert row(compared, "Success@1", ("da", "en"), "a", "c")["n"] == 3


def test_no_comparison_by_a_measure_that_one_system_lacks(read, found):
    every = read(a=[[found("da", "en", [1])]], b=[[found("da", "en", [1], "l1")]])
    compared = compare(values(every, ["Success@1"]), ["Success@1"], 0)
    assert compared.empty
    assert "p_holm" in compared


def test_holm_s_family_is_a_column_of_a_table(read, found):
    """Three systems, two directions: six tests by direction, three of both."""
    ranked = {"a": [1] * 8, "b": [2] * 8, "c": [1] * 4 + [2] * 4}
    every = read(
        **{x: [[found("da", "en", r), found("en", "da", r[::-1])]] for x, r in ranked.items()}
    )
    compared = compare(values(every, ["Success@1", "RR"]), ["Success@1", "RR"], 0)
    a_b = row(compared, "Success@1", ("da", "en"))
    assert a_b["p"] == 2 / 2**8
    assert a_b["p_holm"] == 6 * 2 / 2**8
    assert row(compared, "Success@1", ("da", "en"), "a", "c")["p_holm"] == 4 * 2 / 2**4
    assert row(compared, "Success@1", (ALL, ALL))["p_holm"] == 3 * 2 / 2**8


def test_the_order_of_systems_and_queries_changes_no_p(read, found):
    generator = np.random.default_rng(0)
    first, second = generator.integers(1, 20, (2, 60)).tolist()
    every = read(a=[[found("da", "en", first)]], b=[[found("da", "en", second)]])
    frame = values(every, ["RR"])
    turned = frame.iloc[::-1].reset_index(drop=True)
    one, other = (compare(x, ["RR"], 5) for x in (frame, turned))
    assert row(one, "RR", ("da", "en"))["p"] == row(other, "RR", ("da", "en"), "b", "a")["p"]
    difference = 1 / np.array(first) - 1 / np.array(second)
    by_name = difference[sorted(range(60), key="c{}".format)]
    assert row(one, "RR", ("da", "en"))["p"] == p_values(by_name[:, None], 5)[0]


def test_many_systems_are_compared_as_two_by_two(read, found):
    """They answered the same, so fewer sums serve all; p is that of the pair alone."""
    generator = np.random.default_rng(1)
    ranked = {x: generator.integers(1, 9, (2, 40)).tolist() for x in "dabce"}
    every = read(
        **{x: [[found("da", "en", r), found("en", "da", q)]] for x, (r, q) in ranked.items()}
    )
    frame = values(every, ["Success@1", "RR"])
    compared = compare(frame, ["Success@1", "RR"], 4)
    assert len(compared) == 10 * 3 * 2
    for one, other in (("d", "a"), ("a", "e"), ("b", "c")):
        alone = compare(frame[frame["system"].isin([one, other])], ["Success@1", "RR"], 4)
        chosen = compared[(compared["system"] == one) & (compared["other"] == other)]
        for name in ("query", "target", "metric", "p", "n"):
            assert chosen[name].tolist() == alone[name].tolist()
        differences = chosen["difference"].tolist()
        assert differences == pytest.approx(alone["difference"].tolist(), abs=1e-12)


def test_the_interval_of_a_mean_over_directions_is_over_concepts(read, found):
    a = [found("da", "en", [1, 1, 2]), found("en", "da", [1, 2, 2])]
    frame = values(read(a=[a]), ["Success@1"])
    low, high = interval(
        [frame[["Success@1"]].to_numpy()], [frame["name"]], [frame["query"] + frame["target"]]
    )
    [mean] = means(frame, ["Success@1"]).to_dict("records")
    assert (mean["ci_low"], mean["ci_high"]) == (low[0], high[0])
    assert (mean["value"], mean["n_queries"]) == (pytest.approx(0.5), 3)


def test_t_tests_of_the_same_queries(read, found):
    """Of both directions a query's mean is the unit."""
    a, b = [[1, 1, 1, 2, 1], [1, 2, 1, 1, 1]], [[1, 2, 2, 2, 2], [2, 1, 1, 2, 1]]
    every = {
        x: [[found("da", "en", one), found("en", "da", two)]]
        for x, (one, two) in {"a": a, "b": b}.items()
    }
    compared = compare(values(read(**every), ["Success@1"]), ["Success@1"], 0)
    one, other = ((np.array(x) == 1).astype(float) for x in (a, b))
    directions = {
        ("da", "en"): (one[0], other[0]),
        (ALL, ALL): [x.mean(axis=0) for x in (one, other)],
    }
    for direction, of_queries in directions.items():
        test = row(compared, "Success@1", direction)
        assert test["p_unpaired"] == pytest.approx(stats.ttest_ind(*of_queries).pvalue)
        assert test["p_paired"] == pytest.approx(stats.ttest_rel(*of_queries).pvalue)


def test_each_system_by_its_first_measure(read, found):
    every = read(
        a=[[found("da", "en", [1, 1]), found("da", "en", [2, 2], "csls")]],
        b=[[found("da", "en", [2, 1], "l1")]],
    )
    frame = by_first_measure(values(every, ["Success@1"]))
    assert frame[["system", "similarity", "Success@1"]].to_numpy().tolist() == [
        *[["a", FIRST, 1], ["a", FIRST, 1], ["b", FIRST, 0], ["b", FIRST, 1]]
    ]
    compared = compare(frame, ["Success@1"], 0)
    assert row(compared, "Success@1", ("da", "en"))["difference"] == 0.5
