"""Settings, repetitions, tasks, a directed system; and the same with languages in another order."""

import json

import pandas as pd
import pytest

from tests.workflow.matrix_run import LANGUAGES, MATRIX, NUMBERS, PAIR, REPETITIONS, TURNED, give

pytestmark = pytest.mark.slow

FIGURES = ("figures/overlap.png", "figures/add_data.png", "figures/precision_at_k.png")
PAIRS = {"joint": 6, "near": 2, "two_by_two_aa-cc": 2, "two_by_two_aa-bb": 2}


@pytest.fixture(scope="module")
def run_of(corpus, tmp_path_factory, new_run_in):
    def run(*targets, **changes):
        made = new_run_in(tmp_path_factory.mktemp("matrix"), **{**MATRIX, **changes})
        give(made.folder)
        made(*targets)
        return made

    return run


@pytest.fixture(scope="module")
def run(run_of):
    return run_of("report_items")


def test_a_system_may_have_a_term_frequency_of_its_own(run):
    found = {}
    for system in MATRIX["systems"]:
        stored = json.loads(run.results.joinpath(f"models/joint/{system}/1/model.json").read_text())
        found[system] = stored["fields"]["term_frequency"]["value"]
    assert found == {"cr5": "log", "word_by_word": "raw"}


@pytest.fixture(scope="module")
def scores(run):
    return pd.read_csv(run.results / "tables" / "scores.csv")


def test_every_setting_task_and_direction_has_its_scores(scores):
    found = scores.groupby(["system", "task", "setting"])[["query", "target"]].apply(
        lambda frame: len(frame.drop_duplicates())
    )
    assert found["cr5", "documents"].to_dict() == PAIRS
    assert found["cr5", "mine"].to_dict() == {x: n for x, n in PAIRS.items() if x != "near"}
    assert found["cr5", "lexicon_induction"].to_dict() == {"joint": 3, "near": 1}  # one way only
    for task in ("documents", "mine"):
        assert found["word_by_word", task].to_dict() == {"joint": 6}
    assert (scores["repetitions"] == REPETITIONS).all()
    series = scores.groupby("setting")[["series", "kind"]].first()
    assert series.loc["two_by_two_aa-bb"].tolist() == ["two_by_two", "pairwise"]
    assert series.loc["near"].tolist() == ["near", "joint"]


def test_a_mean_is_over_repetitions_of_their_own_queries(run, scores):
    keys = ["setting", "system", "task", "query", "target", "similarity", "metric"]
    parts = pd.read_csv(run.results / "tables" / "repetitions.csv")
    assert set(parts["repetition"]) == {1, 2}
    means = parts.groupby(keys)["value"].mean()
    pd.testing.assert_series_equal(
        scores.set_index(keys)["value"].sort_index(), means.sort_index(), rtol=1e-4
    )
    draws = [
        set(pd.read_parquet(run.results / "draws" / r / "queries.parquet")["concept"])
        for r in ("1", "2")
    ]
    assert draws[0] != draws[1]


def test_translated_word_by_word_a_document_is_found(scores):
    """The words of these languages are each other's translations, letter for letter."""
    chosen = scores[(scores["metric"] == "RR") & (scores["similarity"] == "cosine")]
    means = chosen.groupby(["task", "system"])["value"].mean()
    assert means["documents", "word_by_word"] > 0.3
    assert means["mine", "word_by_word"] > 0.3


def test_a_task_with_graded_answers_has_its_own_metrics_and_table(run, scores):
    of_task = scores[(scores["task"] == "mine") & (scores["similarity"] == "cosine")]
    assert {"AP", "nDCG@10", "Judged@10", "Success@5"} <= set(of_task["metric"])
    means = of_task.groupby("metric")["value"].mean()
    assert 0 < means["P@5"] <= 2 / 5 < means["Success@5"]  # two documents of a query are relevant
    table = (run.results / "tables" / "tasks" / "mine.md").read_text(encoding="utf-8")
    assert "Mine on tiny" in table
    assert "nDCG@10" in table
    systems = (run.results / "tables" / "systems.md").read_text(encoding="utf-8")
    assert all(f" {x} |" in systems for x in ("Success@1", "nDCG@10", "AP", "RR", "P@10"))


def test_the_configuration_names_other_metrics_of_a_task(scores):
    found = scores.groupby("task", sort=False)["metric"].unique()
    assert found["lines"].tolist() == ["RR", "R@3"]
    assert found["documents"].tolist() == ["Success@1", "Success@5", "Success@10", "RR"]


def test_words_are_translated_and_what_no_dictionary_has_is_named(run, scores):
    chosen = scores[(scores["task"] == "lexicon_induction") & (scores["similarity"] == "cosine")]
    found = chosen[chosen["metric"] == "Success@1"].groupby("system")["value"].mean()
    assert found["word_by_word"] > 0.9  # its tables have these very entries
    folder = run.results / "tables"
    coverage = pd.read_csv(folder / "dictionaries" / "lexicon_induction.csv").set_index(
        ["query", "target"]
    )
    there = coverage[coverage["file"].notna()]
    assert set(there.index) == {("aa", "bb"), ("aa", "cc"), ("bb", "cc")}
    assert (there["other_part"] == 1).all() and (there["no_word"] == 1).all()
    reasons = ["other_part", "no_word", "twice", "query_unknown", "answer_unknown", "used"]
    assert (there[reasons].sum(axis=1) == there["entries"]).all()
    asked = chosen.groupby(["query", "target"])["n_queries"].first()
    assert asked.to_dict() == there["queries"].to_dict()
    assert (
        "No dictionary for bb→aa, cc→aa, cc→bb."
        in (folder / "tasks" / "lexicon_induction.md").read_text()
    )


def test_aligned_lines_are_searched_and_what_was_left_out_is_told(run, scores):
    """As many lines of each pair as both languages have an article of; the last is of one word."""
    chosen = scores[(scores["task"] == "lines") & (scores["metric"] == "RR")]
    assert (chosen["n_queries"] == 20).all()
    means = chosen[chosen["similarity"] == "cosine"].groupby("system")["value"].mean()
    assert means["word_by_word"] > 0.3
    there = {x: set() for x in LANGUAGES}
    for language, found in there.items():
        lines = (run.folder / "given" / f"{language}.lines").read_text().splitlines()
        found |= {number for number, line in enumerate(lines) if line}
    empty = 61 - len(there["aa"] & there["bb"])
    table = (run.results / "tables" / "tasks" / "lines.md").read_text(encoding="utf-8")
    assert f"aa–bb 61, of these {empty} empty, 0 with the words of" in table


@pytest.fixture(scope="module")
def turned(run, run_of):
    ranked = {f"ranks/{x.parent}" for x in run.files("ranks") if x.parts[2] == "1"}
    tables = ("tables/scores.csv", "tables/table1.md", *FIGURES)
    return run_of(*(f"results/tiny/{x}" for x in (*sorted(ranked), *tables)), **TURNED)


def test_the_order_of_languages_changes_no_rank_and_loses_no_direction(run, turned):
    parts = ("draws", "settings", "models", "ranks")
    made = [p for p in turned.files() if p.parts[0] in parts and p.suffix != ".csv"]
    same = [p for p in made if p.parts[1] in (*PAIRS, "1")]  # draws are below their repetition
    assert len(same) > 50
    for path in same:
        if path.name != "fit.json":  # that holds the configuration
            assert (turned.results / path).read_bytes() == (run.results / path).read_bytes(), path


def trained(run, setting):
    """By language, the concepts that train, as they were written."""
    table = pd.read_parquet(run.results / "settings" / setting / "1.parquet")
    return table.groupby("language")["concept"].agg(set).to_dict()


def existing(run, language):
    return set(pd.read_parquet(run.results / "bags" / language / "documents.parquet")["concept"])


def test_transitive_no_concept_trains_in_both_languages_of_the_pair_and_dropped_in_none(turned):
    found = trained(turned, "transitive_aa-bb")
    assert found["aa"] & found["cc"]
    assert found["bb"] & found["cc"]
    assert not found["aa"] & found["bb"]
    both = existing(turned, "aa") & existing(turned, "bb")
    assert len(found["aa"] & both) > 20
    assert len(found["bb"] & both) > 20
    dropped = set().union(*trained(turned, "dropped_aa-bb").values())
    assert not dropped & both


def test_fewer_concepts_are_some_of_more(turned):
    few, more = (trained(turned, f"low_resource_aa-bb_{n}") for n in NUMBERS)
    assert [len(few["aa"]), len(more["aa"])] == NUMBERS
    assert few["aa"] == few["bb"] < more["aa"] == more["bb"] < trained(turned, "joint")["aa"]


def test_the_pair_alone_is_searched_with_the_queries_of_all_settings(turned):
    names = [f"low_resource_aa-bb_{n}" for n in NUMBERS] + ["transitive_aa-bb"]
    scores = pd.read_csv(turned.results / "tables" / "scores.csv")
    for name in names:
        found = scores[scores["setting"] == name]
        assert set(zip(found["query"], found["target"], strict=True)) == {PAIR, PAIR[::-1]}
    queries = {
        name: pd.read_parquet(turned.results / "ranks" / name / "cr5/1/documents/queries.parquet")
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
    of_pair = scores["query"].isin(PAIR) & scores["target"].isin(PAIR)
    chosen = scores[of_pair & (scores["metric"] == "RR") & (scores["similarity"] == "cosine")]
    means = chosen.groupby("setting")["value"].mean()
    few, more = (means[f"low_resource_aa-bb_{n}"] for n in NUMBERS)
    assert few < 0.6 < 0.9 < more  # more concepts help


def test_figures_and_their_numbers(turned):
    numbers = pd.read_csv(turned.results / "figures" / "add_data.csv")
    near = trained(turned, "near")  # the curve ends with all of the pair
    assert numbers["concepts"].tolist() == [*NUMBERS, len(near["aa"] & near["bb"])] * 2
    points = [*(f"low_resource_aa-bb_{n}" for n in NUMBERS), "near"]
    assert numbers["setting"].tolist() == points * 2
    overlap = pd.read_csv(turned.results / "figures" / "overlap.csv", keep_default_na=False)
    joint = overlap[overlap["setting"] == "joint"]
    assert joint["concepts"].sum() == len(
        set().union(*(existing(turned, x) for x in ("aa", "bb", "cc")))
    )
    whole = joint[(joint["exist"] == "aa bb cc") & (joint["train"] == "aa bb cc")]
    assert whole["concepts"].sum() == len(set.intersection(*trained(turned, "joint").values()))
    for path in FIGURES:
        assert (turned.results / path).stat().st_size > 5000
    table = (turned.results / "tables" / "table1.md").read_text(encoding="utf-8")
    assert r"## Cr5, low\_resource\_aa-bb\_6" in table
    assert "## Cr5, transitive" in table
