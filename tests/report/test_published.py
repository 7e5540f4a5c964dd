"""Published figures beside ours: which, in which direction and unit, and every verdict."""

from pathlib import Path

import pandas as pd
import pytest
import yaml

from cr5.plan.config import validated
from cr5.report.published import cells, compared, figures
from cr5.scores.summary import ALL

PAPERS = sorted((Path(__file__).parents[2] / "config" / "papers").glob("*.yaml"))
# Of Multilingual Reuters words are numbers, so nothing translates them word by word.
NOT_MADE = {
    ("OPCA", "3", "Word-by-word (dim=N/A)"),
    ("OPCA", "3", "Word-by-word (dim=50)"),
}
MULTILINGUAL = {"paper": "Cr5", "table": "1b", "setting": "joint", "task": "documents"}
ENTRY = MULTILINGUAL | {"rows": {"Cr5 joint": "ours"}, "tolerance": 2.0, "candidates": 100}
OURS = {
    **{"setting": "joint", "series": "joint", "kind": "joint", "system": "ours"},
    **{"task": "documents", "query": "da", "target": "en", "similarity": "cosine"},
    **{"metric": "Success@1", "ci_low": 0.3, "ci_high": 0.5, "n_queries": 9, "n_candidates": 200},
}
PAIRS = pd.DataFrame([{"setting": "joint", "query": "da", "target": "en", "train": 50_000}])


def published_value():
    of = figures().query("table == '1b' and similarity == 'cosine' and metric == 'P@1'")
    return of.query("query_lang == 'da' and target_lang == 'en'")["value"].item()


def judged(difference, entry):
    """The row of one direction, where ours is published plus a difference in points."""
    value = (published_value() + difference) / 100
    scores = pd.DataFrame([OURS | {"value": value}])
    found = compared([entry], scores, PAIRS)
    found = found[(found["query"] == "da") & (found["target"] == "en")]
    return found[(found["similarity"] == "cosine") & (found["metric"] == "Success@1")].iloc[0]


@pytest.mark.parametrize(
    ("difference", "changes", "verdict"),
    [
        *[(x, {}, "equal") for x in (0, 2, -2)],
        *[(2.1, {}, "higher"), (-2.1, {}, "lower")],
        (0, {"candidates": 201}, "fewer candidates"),
        (0, {"concepts": [1, 49_999]}, "other training concepts"),
        (0, {"concepts": [45_000, 55_000]}, "equal"),
        (0, {"tolerance": None}, "not judged"),
    ],
)
def test_a_verdict_has_two_sides_and_conditions(difference, changes, verdict):
    row = judged(difference, ENTRY | changes)
    assert row["verdict"] == verdict
    assert row["difference"] == pytest.approx(difference)
    assert row["concepts"] == 50_000


def test_numbers_of_documents_are_those_that_train():
    scores = pd.DataFrame([OURS | {"value": 0.5}])
    found = compared([ENTRY], scores, PAIRS)
    row = found[found["metric"] == "docs_in_intersection"].query("query == 'da' and target == 'en'")
    assert set(row["ours"]) == {50_000} and set(row["verdict"]) <= {"not judged"}


def test_a_mean_over_both_directions_is_compared_with_ours():
    entry = {"paper": "OPCA", "table": "1", "setting": "joint", "task": "documents"}
    entry |= {"rows": {"OPCA (dim=1000)": "ours"}, "tolerance": 2.0, "candidates": 1}
    means = pd.DataFrame([OURS | {"value": 0.9742, "query": ALL, "target": ALL}])
    found = compared([entry], means, PAIRS)
    row = found[found["metric"] == "Success@1"].iloc[0]
    assert (row["query"], row["target"]) == (ALL, ALL)
    assert row["ours"] == pytest.approx(97.42)
    assert row["published"] == pytest.approx(97.42)  # Platt et al., Table 1: .9742


def test_rows_that_are_quoted_are_compared_in_the_direction_of_their_source():
    """Table 4 of the Cr5 paper and Table 3 of the RCSLS paper have the same figure."""
    of = figures().query("row_system == 'Mikolov et al. 2013a' and table == '4'")
    one = of.query("query_lang == 'en' and target_lang == 'it' and metric == 'P@1'")["value"]
    other = figures().query("row_system == 'Mikolov et al. (2013)' and query_lang == 'en'")["value"]
    assert set(one) == set(other) == {33.8}


def configured(path):
    config = validated(yaml.safe_load(path.read_text(encoding="utf-8")))
    return config.plain(), [cells(entry) for entry in config.plain()["published"]]


def test_every_row_that_a_configuration_can_make_is_named():
    rows = ["paper", "table", "row"]
    every = pd.concat([frame for path in PAPERS for frame in configured(path)[1]])
    named = set(every[rows].itertuples(index=False, name=None))
    wanted = set(figures()[["paper", "table", "row_system"]].itertuples(index=False, name=None))
    assert wanted - named == NOT_MADE
