"""Published figures beside ours: which, in which direction and unit, and every verdict."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from cr5.plan import shown
from cr5.plan.config import validated
from cr5.report.published import DOCUMENTS, cells, compared, figures
from cr5.report.tolerance import chance, tolerances
from cr5.scores.summary import ALL, SCORES

PAPERS = sorted((Path(__file__).parents[2] / "config" / "papers").glob("*.yaml"))
# Of Multilingual Reuters words are numbers, so nothing translates them word by word.
NOT_MADE = {
    ("OPCA", "3", "Word-by-word (dim=N/A)"),
    ("OPCA", "3", "Word-by-word (dim=50)"),
}
CANDIDATES = 200_000
MULTILINGUAL = {"paper": "Cr5", "table": "1b", "setting": "joint", "task": "documents"}
ENTRY = MULTILINGUAL | {"rows": {"Cr5 joint": "ours"}, "queries": 1000, "candidates": 100}
OURS = {
    **dict.fromkeys(SCORES),
    **{"setting": "joint", "series": "joint", "kind": "joint", "system": "ours"},
    **{"task": "documents", "query": "da", "target": "en", "similarity": "cosine"},
    **{"metric": "Success@1", "ci_low": 0.3, "ci_high": 0.5},
    **{"n_queries": 1000, "n_candidates": 200},
}
# the paper prints 79,000
PAIRS = pd.DataFrame([{"setting": "joint", "query": "da", "target": "en", "train": 80_000}])
WORDS = {"paper": "RCSLS", "table": "2", "setting": "joint", "task": "words", "candidates": 1}
WORDS |= {"rows": {"CSLS (spectral) Full": "ours"}, "queries": 1500}


def published_value():
    of = figures().query("table == '1b' and similarity == 'cosine' and metric == 'P@1'")
    return of.query("query_lang == 'da' and target_lang == 'en'")["value"].item()


def judged(difference, entry, train=80_000):
    """The row of one direction, where ours is published plus a difference in points."""
    value = (published_value() + difference) / 100
    scores = pd.DataFrame([OURS | {"value": value}])
    found = compared([entry], scores, PAIRS.assign(train=train))
    found = found[(found["query"] == "da") & (found["target"] == "en")]
    return found[(found["similarity"] == "cosine") & (found["metric"] == "Success@1")].iloc[0]


@pytest.mark.parametrize(
    ("difference", "changes", "train", "verdict"),
    [
        # two standard errors of a difference are 2 sqrt(2 .626 .374 / 1000) = .0433
        *[(x, {}, 80_000, "equal") for x in (0, 4.3, -4.3)],
        *[(4.4, {}, 80_000, "higher"), (-4.4, {}, 80_000, "lower")],
        (0, {"candidates": 201}, 80_000, "fewer candidates"),
        (0, {"concepts": [1, 79_999]}, 80_000, "other training concepts"),
        (0, {"concepts": [75_000, 85_000]}, 80_000, "equal"),
        *[(0, {}, x, "other training concepts") for x in (70_000, 88_000, 158_000)],
        (0, {"queries": None}, 80_000, "not judged"),
        (0, {"departures": ["systems.ours.rank"]}, 80_000, "other options"),
        (0, {"departures": ["bags.case"]}, 80_000, "other options"),
        (0, {"departures": ["systems.other.rank", "tasks.words.k"]}, 80_000, "equal"),
    ],
)
def test_a_verdict_has_two_sides_and_conditions(difference, changes, train, verdict):
    assert published_value() == 62.6
    row = judged(difference, ENTRY | changes, train)
    assert row["verdict"] == verdict
    assert row["difference"] == pytest.approx(difference)
    assert row["concepts"] == train


@pytest.mark.parametrize(
    ("percent", "half_digit", "queries", "ours", "expected"),
    [
        (50, 0.05, 1000, 1000, 4.472),  # 200 sqrt(.25 / 500)
        (50, 0.05, 1000, 250, 7.071),  # 200 sqrt(.25 (1 / 1000 + 1 / 250))
        (97.42, 0.005, 18415, 18415, 0.3304),
        (50, 0.05, 10**8, 10**8, 0.05),  # half a digit
        (0.62, 0.005, 100, 100, 0.3045),  # half the way to chance, 1 of 100 candidates at k = 1
    ],
)
def test_a_tolerance_follows_from_the_figure_and_its_queries(
    percent, half_digit, queries, ours, expected
):
    printed = pd.DataFrame([{"metric": "Success@1", "published": percent, "averaged": 1}])
    printed["half_digit"] = half_digit
    n = 10**5 if percent > 1 else 9090.909  # 1 / 9090 is .011 %
    found = tolerances(printed, {"queries": queries}, pd.Series([ours]), pd.Series([n]))
    assert found.item() == pytest.approx(expected, abs=1e-3)
    unknown = tolerances(printed, {}, pd.Series([ours]), pd.Series([n]))
    assert unknown.isna().all()


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("Success@1", 1 / 4),
        ("Success@10", 1),
        ("RR", (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4),
        ("AP", (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4),
        ("nDCG@2", (1 + 1 / np.log2(3)) / 4),
    ],
)
def test_chance_is_one_document_at_any_rank(metric, expected):
    assert chance(metric, 4.0) == pytest.approx(expected)


def test_numbers_of_documents_are_those_that_train():
    scores = pd.DataFrame([OURS | {"value": 0.5}])
    found = compared([ENTRY], scores, PAIRS)
    row = found[found["metric"] == DOCUMENTS].query("query == 'da' and target == 'en'")
    assert set(row["ours"]) == {80_000} and set(row["verdict"]) <= {"not judged"}


def test_a_mean_over_both_directions_is_compared_with_ours():
    entry = {"paper": "OPCA", "table": "1", "setting": "joint", "task": "documents"}
    entry |= {"rows": {"OPCA (dim=1000)": "ours"}, "queries": 18_415, "candidates": 1}
    means = pd.DataFrame([OURS | {"value": 0.9742, "query": ALL, "target": ALL}])
    found = compared([entry], means, PAIRS)
    row = found[found["metric"] == "Success@1"].iloc[0]
    assert (row["query"], row["target"]) == (ALL, ALL)
    assert row["ours"] == pytest.approx(97.42)
    assert row["published"] == pytest.approx(97.42)  # Platt et al., Table 1: .9742
    found = compared([entry | {"direction": ["da", "en"]}], means, PAIRS)
    assert set(found["query"]) == {"da"} and set(found["verdict"]) == {"missing"}


def test_a_printed_average_is_compared_with_our_mean_over_its_directions():
    """Table 2 of the RCSLS paper averages eight directions, without Chinese: 76.4."""
    others = ["es", "fr", "de", "ru"]
    pairs = [x for other in others for x in (("en", other), (other, "en"))]
    ours = {"task": "words", "similarity": "csls", "n_queries": 100}
    rows = [
        OURS | ours | {"query": x, "target": y, "value": 0.7 + 0.01 * i}
        for i, (x, y) in enumerate([*pairs, ("en", "zh"), ("zh", "en")])
    ]
    average = compared([WORDS], pd.DataFrame(rows), PAIRS).query("query == 'avg8'").iloc[0]
    assert (average["published"], average["n_queries"]) == (76.4, 800)
    assert average["ours"] == pytest.approx(73.5) and average["verdict"] == "equal"
    # 200 sqrt(.764 .236 (1 / 12,000 + 1 / 800))
    assert average["tolerance"] == pytest.approx(3.101, abs=1e-3)
    average = compared([WORDS], pd.DataFrame(rows[1:]), PAIRS).query("query == 'avg8'").iloc[0]
    assert average["verdict"] == "missing"


def test_rows_that_are_quoted_are_compared_in_the_direction_of_their_source():
    """Table 4 of the Cr5 paper and Table 3 of the RCSLS paper have the same figure."""
    of = figures().query("row_system == 'Mikolov et al. 2013a' and table == '4'")
    one = of.query("query_lang == 'en' and target_lang == 'it' and metric == 'P@1'")["value"]
    other = figures().query("row_system == 'Mikolov et al. (2013)' and query_lang == 'en'")["value"]
    assert set(one) == set(other) == {33.8}


@cache
def configured(path):
    config = validated(yaml.safe_load(path.read_text(encoding="utf-8")))
    return config, shown.facts(config, config.matrix)["published"]


def made(entry, values, share=1.0):
    """Verdicts of an entry where ours are these values, in percent, on all the paper's queries."""
    printed = cells(entry)
    sizes = printed[printed["metric"] == DOCUMENTS]
    figures = printed[(printed["metric"] != DOCUMENTS) & ~is_average(printed)]
    queries = entry.get("queries", 1000)
    if isinstance(queries, dict):
        queries = figures["query"].map(queries)
    rows = figures[["system", "query", "target", "similarity", "metric"]].assign(
        **{"setting": "s", "series": entry["setting"], "task": entry["task"]},
        **{"value": values(figures) / 100, "ci_low": np.nan, "ci_high": np.nan},
        **{"n_queries": queries, "n_candidates": max(entry["candidates"], CANDIDATES)},
    )
    rows = rows.reindex(columns=[*rows.columns, *{*SCORES}.difference(rows.columns)])
    train = sizes.assign(setting="s", train=share * sizes["published"])
    if sizes.empty:
        concepts = share * np.mean(entry.get("concepts", [1000]))
        train = figures.assign(setting="s", train=concepts)
    found = compared([entry], rows, train[["setting", "query", "target", "train"]])
    return found[found["metric"] != DOCUMENTS].reset_index(drop=True)


def is_average(frame):
    return frame["query"].str.startswith("avg")


ENTRIES = [(path.stem, i) for path in PAPERS for i in range(len(configured(path)[1]))]


@pytest.mark.parametrize(("name", "number"), ENTRIES)
def test_no_verdict_of_a_paper_can_be_equal_for_what_finds_nothing(name, number):
    _, entries = configured(PAPERS[0].with_name(f"{name}.yaml"))
    entry = entries[number]
    assert entry["departures"] == [], "the configuration is not as the paper states"
    same = made(entry, lambda of: of["published"])
    if "queries" not in entry:
        assert set(same["verdict"]) == {"not judged"}
        return
    assert set(same["verdict"]) == {"equal"}
    assert (same["tolerance"] > 0).all()
    tolerance = same.loc[~is_average(same), "tolerance"].to_numpy()
    n = float(max(entry["candidates"], CANDIDATES))
    at_chance = [100 * chance(x, n) for x in same.loc[~is_average(same), "metric"]]
    for value in (0, np.array(at_chance), entry["chance"]):
        nothing = made(entry, lambda of, value=value: value + 0 * of["published"])
        assert set(nothing["verdict"]) == {"lower"}
    for sign, verdict in ((1, "higher"), (-1, "lower")):
        far = made(entry, lambda of, x=sign: of["published"] + 2 * x * tolerance)
        assert set(far["verdict"]) == {verdict}
    if "concepts" in entry or entry["table"] in ("1b", "1c"):
        twice = made(entry, lambda of: of["published"], share=2.0)
        assert set(twice["verdict"]) == {"other training concepts"}


def test_every_row_that_a_configuration_can_make_is_named():
    rows = ["paper", "table", "row"]
    every = [cells(entry) for path in PAPERS for entry in configured(path)[1]]
    named = set(pd.concat(every)[rows].itertuples(index=False, name=None))
    wanted = set(figures()[["paper", "table", "row_system"]].itertuples(index=False, name=None))
    assert wanted - named == NOT_MADE


@pytest.mark.parametrize(
    ("name", "changes", "systems"),
    [
        ("wikipedia", {"systems": {"cr5": {"rank": 50}}}, {"cr5"}),
        ("wikipedia", {"vectors": {"dimension": 50}}, {"advrefine", "wiki_multi", "cr5"}),
        ("wacky", {"systems": {"rcsls": {"seeds": "identical"}}}, {"rcsls"}),
    ],
)
def test_other_options_than_the_paper_states_have_no_verdict(name, changes, systems):
    given = yaml.safe_load(PAPERS[0].with_name(f"{name}.yaml").read_text(encoding="utf-8"))
    for section, keys in changes.items():
        for key, value in keys.items():
            part = given.setdefault(section, {})
            part[key] = {**part.get(key, {}), **value} if isinstance(value, dict) else value
    config = validated(given)
    entries = shown.facts(config, config.matrix)["published"]
    frames = [made(entry, lambda of: of["published"]) for entry in entries]
    found = pd.concat(frames)
    assert systems <= set(found.loc[found["verdict"] == "other options", "system"])
    if "systems" in changes:
        assert set(found.loc[found["verdict"] == "other options", "system"]) == systems
