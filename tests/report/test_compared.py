import json
from dataclasses import replace

import pandas as pd
import pytest

from cr5.base import origin
from cr5.base.errors import UserError
from cr5.report import compared
from cr5.scores import ranks
from cr5.search.found import Found

METRICS = {"documents": ["P@1", "MRR"]}


def found(query, target, places):
    names = [f"c{i}" for i in range(len(places))]
    answers = {"query": names, "candidate": names, "grade": 1.0, "rank": places, "score": 0.5}
    queries = {"query": names, "n_relevant": 1, "n_candidates": 20}
    queries = pd.DataFrame(queries).assign(depth=pd.array([None] * len(names), "Int64"))
    return Found(query, target, "cosine", pd.DataFrame(answers), queries.assign(nearest=""))


@pytest.fixture
def ranked(tmp_path):
    """A function: writes ranks of one fit; returns their folder."""

    def make(setting, series, system, *searches, seed=7):
        folder = tmp_path / setting / system
        keys = {"setting": setting, "series": series, "kind": series, "system": system}
        keys |= {"task": "documents", "repetition": 1}
        if searches:
            list(ranks.write(folder, keys, searches))
        else:
            ranks.leave_out(folder, keys, "too few strings")
        origin.write(folder, origin.Origin(seed, "a", "corpus", ("1.0",)))
        return folder

    return make


def pairwise(ranked, *pairs, system="a", places=(1, 1)):
    return [
        ranked(f"two_{query}-{target}", "two", system, found(query, target, list(places)))
        for query, target in pairs
    ]


def test_settings_of_a_series_are_one(ranked):
    pairs = [("da", "en"), ("en", "it")]
    folders = [*pairwise(ranked, *pairs), *pairwise(ranked, *pairs, system="b", places=(2, 1))]
    made = compared.gather(folders, METRICS, 0)
    assert made.means[
        ["setting", "system", "metric", "value", "directions"]
    ].to_numpy().tolist() == [
        ["two", "a", "P@1", 1, 2],
        ["two", "a", "MRR", 1, 2],
        ["two", "b", "P@1", 0.5, 2],
        ["two", "b", "MRR", 0.75, 2],
    ]
    tests = made.significance
    assert list(tests) == compared.SIGNIFICANCE
    assert tests.loc[
        tests["metric"] == "P@1", ["setting", "query", "difference"]
    ].to_numpy().tolist() == [
        ["two_da-en", "da", 0.5],
        ["two_en-it", "en", 0.5],
        ["two", "all", 0.5],
    ]


def test_settings_of_a_series_that_share_a_direction_are_not(ranked):
    """As tables call them by their own names, see `frames.labelled`."""
    folders = [
        ranked(name, "two", "a", found("da", "en", [1, 2])) for name in ("two_by_it", "two_by_vi")
    ]
    made = compared.gather(folders, METRICS, 0)
    assert made.means["setting"].unique().tolist() == ["two_by_it", "two_by_vi"]
    assert made.significance.empty  # a system alone


def test_what_was_left_out_is_not_compared(ranked):
    folders = [
        ranked("joint", "joint", "a", found("da", "en", [1])),
        ranked("joint", "joint", "b"),
    ]
    assert compared.gather(folders, METRICS, 0).means["system"].unique().tolist() == ["a"]
    with pytest.raises(UserError, match="all was left out"):
        compared.gather(folders[1:], METRICS, 0)


def test_ranks_of_different_runs_are_refused(ranked):
    folders = [
        ranked("joint", "joint", "a", found("da", "en", [1])),
        ranked("joint", "joint", "b", found("da", "en", [1]), seed=8),
    ]
    with pytest.raises(UserError, match="different runs"):
        compared.gather(folders, METRICS, 0)


def test_written_with_their_origin_even_where_there_is_no_test(ranked, tmp_path):
    made = compared.gather([ranked("joint", "joint", "a", found("da", "en", [1]))], METRICS, 0)
    compared.write(made, tmp_path / "tables")
    assert len(pd.read_csv(tmp_path / "tables" / "means.csv")) == 2
    assert pd.read_csv(tmp_path / "tables" / "significance.csv").empty
    about = json.loads((tmp_path / "tables" / "significance.json").read_text())
    assert about["origin"]["seed"] == 7


def test_systems_of_different_measures_are_compared_by_their_first_ones(ranked):
    one, other = (found("da", "en", places) for places in ([1, 1], [2, 1]))
    folders = [
        ranked("joint", "joint", "a", one),
        ranked("joint", "joint", "b", replace(other, similarity="l1")),
    ]
    tests = compared.gather(folders, METRICS, 0).significance
    assert set(tests["similarity"]) == {"first"}
    chosen = (tests["metric"] == "P@1") & (tests["query"] == "all")
    assert tests.loc[chosen, ["setting", "system", "other", "difference"]].to_numpy().tolist() == [
        ["joint", "a", "b", 0.5]
    ]
