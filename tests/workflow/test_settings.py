"""Low-resource and transitive settings, with their figures, from documents to the page's items."""

import pandas as pd
import pytest

pytestmark = pytest.mark.slow

PAIR = ("aa", "bb")
NUMBERS = [3, 40]
SETTINGS = {
    "joint": {},
    "low_resource": {"pairs": ["bb-aa"], "concepts": NUMBERS},
    "transitive": {"pairs": ["aa-bb"], "via": ["cc"], "shared": "split"},
    # all but a few concepts are in all languages: none is left
    "dropped": {"kind": "transitive", "pairs": ["aa-bb"], "via": ["cc"]},
}
TABLES = ("tables/scores.csv", "tables/table1.md", "tables/pairs.csv", "tables/left_out.csv")
FIGURES = ("figures/overlap.png", "figures/add_data.png", "figures/precision_at_k.png")


@pytest.fixture(scope="module")
def run(tmp_path_factory, new_run_in):
    made = new_run_in(
        tmp_path_factory.mktemp("settings"),
        languages=["aa", "bb", "cc"],
        systems={"cr5": {"rank": 10, "ridges": [0.1, 1.0]}},
        settings=SETTINGS,
        bags={"unique_words": [5, 1000]},
    )
    made(*(f"results/tiny/{path}" for path in (*TABLES, *FIGURES)))
    return made


@pytest.fixture(scope="module")
def scores(run):
    return pd.read_csv(run.results / "tables" / "scores.csv")


def trained(run, setting):
    """By language, the concepts that train, as they were written."""
    table = pd.read_parquet(run.results / "settings" / setting / "1.parquet")
    return table.groupby("language")["concept"].agg(set).to_dict()


def existing(run, language):
    return set(pd.read_parquet(run.results / "bags" / language / "documents.parquet")["concept"])


def test_transitive_no_concept_trains_in_both_languages_of_the_pair(run):
    found = trained(run, "transitive_aa-bb")
    assert found["aa"] & found["cc"]
    assert found["bb"] & found["cc"]
    assert not found["aa"] & found["bb"]
    both = existing(run, "aa") & existing(run, "bb")
    assert len(found["aa"] & both) > 20
    assert len(found["bb"] & both) > 20


def test_what_is_dropped_trains_nowhere(run):
    found = set().union(*trained(run, "dropped_aa-bb").values())
    assert not found & existing(run, "aa") & existing(run, "bb")


def test_fewer_concepts_are_some_of_more(run):
    few, more = (trained(run, f"low_resource_aa-bb_{n}") for n in NUMBERS)
    assert [len(few["aa"]), len(more["aa"])] == NUMBERS
    assert few["aa"] == few["bb"] < more["aa"] == more["bb"] < trained(run, "joint")["aa"]


def test_the_pair_alone_is_searched_with_the_queries_of_all_settings(run, scores):
    names = [f"low_resource_aa-bb_{n}" for n in NUMBERS] + ["transitive_aa-bb"]
    for name in names:
        found = scores[scores["setting"] == name]
        assert set(zip(found["query"], found["target"], strict=True)) == {PAIR, PAIR[::-1]}
    queries = {
        name: pd.read_parquet(run.results / "ranks" / name / "cr5/1/documents/queries.parquet")
        for name in ["joint", *names]
    }
    for name in names:
        for pair in (PAIR, PAIR[::-1]):
            ours, theirs = (
                frame.loc[
                    (frame["query_language"] == pair[0]) & (frame["target_language"] == pair[1]),
                    ["query", "n_candidates", "similarity"],
                ].reset_index(drop=True)
                for frame in (queries[name], queries["joint"])
            )
            assert len(ours)
            pd.testing.assert_frame_equal(ours, theirs)


def test_more_concepts_of_a_pair_help(scores):
    chosen = scores[(scores["metric"] == "RR") & (scores["similarity"] == "cosine")]
    means = chosen[chosen["query"].isin(PAIR) & chosen["target"].isin(PAIR)]
    means = means.groupby("setting")["value"].mean()
    few, more = (means[f"low_resource_aa-bb_{n}"] for n in NUMBERS)
    assert few < 0.6 < 0.9 < more


def test_figures_and_their_numbers(run):
    numbers = pd.read_csv(run.results / "figures" / "add_data.csv")
    assert numbers["concepts"].tolist() == NUMBERS * 2
    assert set(numbers["setting"]) == {f"low_resource_aa-bb_{n}" for n in NUMBERS}
    overlap = pd.read_csv(run.results / "figures" / "overlap.csv", keep_default_na=False)
    joint = overlap[overlap["setting"] == "joint"]
    assert joint["concepts"].sum() == len(
        set().union(*(existing(run, x) for x in ("aa", "bb", "cc")))
    )
    whole = joint[(joint["exist"] == "aa bb cc") & (joint["train"] == "aa bb cc")]
    assert whole["concepts"].sum() == len(set.intersection(*trained(run, "joint").values()))
    for path in FIGURES:
        assert (run.results / path).stat().st_size > 5000
    table = (run.results / "tables" / "table1.md").read_text(encoding="utf-8")
    assert r"## Cr5, low\_resource\_aa-bb\_3" in table
    assert "## Cr5, transitive" in table
