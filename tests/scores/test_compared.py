import pandas as pd

from cr5.scores.compared import SIGNIFICANCE, compare_all
from cr5.scores.comparisons import by_query
from cr5.scores.ranks import ANSWERS, QUERIES, Ranks

METRICS = {"documents": ["Success@1", "RR"]}


def values(setting, series, system, query, target, *places, similarity="cosine"):
    """What each query got in one direction, from the ranks of their answers."""
    names = [f"c{i}" for i in range(len(places))]
    direction = (query, target, similarity)
    answers = pd.DataFrame({"query": names, "rank": places, "grade": 1.0})[list(ANSWERS)]
    queries = pd.DataFrame({"query": names, "n_relevant": 1, "n_candidates": 20})
    queries = queries.assign(depth=pd.array([None] * len(names), "Int64"))[list(QUERIES)]
    keys = {"setting": setting, "series": series, "kind": series, "system": system}
    keys |= {"task": "documents", "repetition": 1}
    ranks = Ranks(keys, [direction], {direction: answers}, {direction: queries})
    return by_query(ranks, METRICS["documents"])


def compared(*frames):
    return compare_all(frames, METRICS, 0)


def pairwise(system, *places):
    return [
        values(f"two_{query}-{target}", "two", system, query, target, *places)
        for query, target in (("da", "en"), ("en", "it"))
    ]


def test_settings_of_a_series_are_one():
    made = compared(*pairwise("a", 1, 1), *pairwise("b", 2, 1))
    columns = ["setting", "system", "metric", "value", "directions"]
    assert made["means"][columns].to_numpy().tolist() == [
        ["two", "a", "Success@1", 1, 2],
        ["two", "a", "RR", 1, 2],
        ["two", "b", "Success@1", 0.5, 2],
        ["two", "b", "RR", 0.75, 2],
    ]
    tests = made["significance"]
    assert list(tests) == SIGNIFICANCE
    of_first = tests.loc[tests["metric"] == "Success@1", ["setting", "query", "difference"]]
    assert of_first.to_numpy().tolist() == [
        ["two_da-en", "da", 0.5],
        ["two_en-it", "en", 0.5],
        ["two", "all", 0.5],
    ]


def test_settings_of_a_series_that_share_a_direction_are_not():
    """As tables call them by their own names, see `labelled`."""
    names = ("two_by_it", "two_by_vi")
    made = compared(*(values(name, "two", "a", "da", "en", 1, 2) for name in names))
    assert made["means"]["setting"].unique().tolist() == ["two_by_it", "two_by_vi"]
    assert made["significance"].empty  # a system alone
    assert list(made["significance"]) == SIGNIFICANCE


def test_systems_of_different_measures_are_compared_by_their_first_ones():
    one = values("joint", "joint", "a", "da", "en", 1, 1)
    other = values("joint", "joint", "b", "da", "en", 2, 1, similarity="l1")
    tests = compared(one, other)["significance"]
    assert set(tests["similarity"]) == {"first"}
    chosen = (tests["metric"] == "Success@1") & (tests["query"] == "all")
    assert tests.loc[chosen, ["setting", "system", "other", "difference"]].to_numpy().tolist() == [
        ["joint", "a", "b", 0.5]
    ]
