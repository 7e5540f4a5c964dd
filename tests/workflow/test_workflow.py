import importlib.metadata
import json
import os
import re

import pandas as pd
import pytest

from cr5.base import processor

DIRECTED = 12


def test_everything_is_there(finished):
    stems = ("systems", "table1", "reproduction", "table2", "languages", "pairs")
    for stem in (*stems, "by_accuracy/documents"):
        for ending in ("csv", "md", "tex", "html"):
            assert (finished.results / "tables" / f"{stem}.{ending}").stat().st_size > 0
    for stem in ("precision_at_k", "precision_at_k_csls", "validation"):
        for ending in ("svg", "pdf", "png"):
            assert (finished.results / "figures" / f"{stem}.{ending}").stat().st_size > 0
    page = (finished.results / "report.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'(?:href|src)="([^"#:]+)"', page))
    assert len(linked) > 30
    assert [x for x in linked if not (finished.results / x).exists()] == []
    assert "report page" in (finished.results / "jobs.html").read_text(encoding="utf-8")


def test_scores_of_all_settings_systems_and_directions(finished):
    scores = pd.read_csv(finished.results / "tables" / "scores.csv")
    expected = ["setting", "series", "kind", "system", "task", "query", "target", "similarity"]
    expected += ["metric", "value", "ci_low", "ci_high", "n_queries", "n_candidates"]
    expected += ["repetitions", "published_row", "published"]
    assert list(scores) == expected
    fits = scores.groupby(["setting", "system"]).size().to_dict()
    joint = {
        ("joint", system): DIRECTED * 2 * 4
        for system in ("cr5", "advrefine", "procrustes_identical", "lexical_overlap", "toy")
    }
    assert fits == {**joint, ("pairwise_aa-bb", "cr5"): 2 * 2 * 4}
    means = (
        scores[(scores["metric"] == "Success@1") & (scores["similarity"] == "cosine")]
        .groupby(["setting", "system"])["value"]
        .mean()
    )
    chance = (1 / scores["n_candidates"]).mean()
    assert means["joint", "lexical_overlap"] > 2 * chance  # a tenth of the words is shared
    assert means["joint", "cr5"] > means["joint", "lexical_overlap"]


def test_tables_of_scores_have_the_numbers_of_queries_and_candidates(finished):
    tables = finished.results / "tables"
    for name in ("scores", "repetitions", "curves", "means", "table1", "systems"):
        frame = pd.read_csv(tables / f"{name}.csv")
        assert (frame[["n_queries", "n_candidates"]] > 1).all(axis=None), name
    for name in ("table1", "systems"):
        for ending in ("md", "tex", "html"):
            text = (tables / f"{name}.{ending}").read_text(encoding="utf-8")
            assert "Queries" in text
            assert "Candidates" in text


def test_systems_of_a_setting_are_tested_against_each_other(finished):
    tables = finished.results / "tables"
    tests = pd.read_csv(tables / "significance.csv")
    assert set(tests["setting"]) == {"joint"}  # there is but Cr5 in the other
    systems = 5
    directions = DIRECTED + 1  # and all of them
    assert len(tests) == systems * (systems - 1) / 2 * directions * 2 * 4
    chosen = (tests["query"] == "all") & (tests["metric"] == "Success@1") & (tests["p_holm"] < 0.05)
    won = tests[chosen & (tests["similarity"] == "cosine")].set_index(["system", "other"])
    assert won.loc[("cr5", "lexical_overlap"), "difference"] > 0.1
    table = pd.read_csv(tables / "systems.csv")
    first = table[(table["metric"] == "Success@1") & (table["similarity"] == "cosine")]
    best = first["best"].fillna(False).astype(bool)
    assert first.loc[best, "system"].tolist() == ["cr5"]
    scores = pd.read_csv(tables / "scores.csv")
    keys = ["series", "system", "similarity", "metric"]
    means = scores.groupby(keys)["value"].mean()
    pd.testing.assert_series_equal(table.set_index(keys)["value"].sort_index(), means, rtol=1e-4)


def test_systems_by_falling_accuracy_have_the_dimensions_of_their_fits(finished):
    table = (finished.results / "tables" / "by_accuracy" / "documents.md").read_text("utf-8")
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")]
    shown = [[cell.strip() for cell in row] for row in rows if row[0].strip() != "System"]
    joint = {name: dimension for name, dimension, *_ in shown[:5]}
    assert (joint["Cr5"], joint["toy"], joint["Lexical overlap"]) == ("10", "20", "–")
    accuracy = [float(row[2].strip("*\\ ")) for row in shown[:5]]
    assert accuracy == sorted(accuracy, reverse=True)
    means = pd.read_csv(finished.results / "tables" / "systems.csv")
    chosen = (means["metric"] == "Success@1") & (means["similarity"] == "cosine")
    chosen &= means["setting"] == "joint"
    assert accuracy[0] == pytest.approx(100 * means.loc[chosen, "value"].max(), abs=0.006)


def test_no_figure_of_other_languages_compares_with_the_paper_s(finished):
    table = pd.read_csv(finished.results / "tables" / "reproduction.csv")
    assert table.empty
    page = (finished.results / "tables" / "reproduction.md").read_text(encoding="utf-8")
    assert "None of the papers has figures for pairs of these languages." in page


def test_ranks_of_every_query_are_kept(finished):
    drawn = pd.read_parquet(finished.results / "draws" / "1" / "queries.parquet")
    of_pair = (drawn["first"] == "aa") & (drawn["second"] == "cc")
    queries = drawn.loc[of_pair & (drawn["role"] == "test"), "concept"]
    folder = finished.results / "ranks" / "joint" / "cr5" / "1" / "documents"
    for name in ("answers", "queries"):
        ranks = pd.read_parquet(folder / f"{name}.parquet")
        ranks = ranks[(ranks["query_language"] == "cc") & (ranks["target_language"] == "aa")]
        assert set(ranks["similarity"]) == {"cosine", "csls"}
        for _, group in ranks.groupby("similarity"):
            assert group["query"].tolist() == sorted(queries)


def fields(path):
    return [line.split() for line in path.read_text().splitlines()]


def test_runs_and_qrels_give_the_scores(finished):
    scores = pd.read_csv(finished.results / "tables" / "scores.csv")
    keys = ["setting", "system", "task", "query", "target", "similarity"]
    expected = scores[scores["metric"] == "Success@1"].set_index(keys)
    folder = finished.results / "runs"
    for setting, system, task, query, target, measure in expected.index:
        files = folder / setting / system / "1" / task / f"{query}-{target}"
        relevant = {(x, document) for x, _, document, _ in fields(files.with_suffix(".qrels"))}
        run = fields(files.with_suffix(f".{measure}.run"))
        hits = [(x, document) in relevant for x, _, document, rank, *_ in run if rank == "1"]
        row = expected.loc[setting, system, task, query, target, measure]
        assert len(hits) == row["n_queries"]
        assert sum(hits) / len(hits) == pytest.approx(row["value"], abs=1e-6)
    assert len(list(folder.rglob("*.run"))) == len(expected)


def test_nothing_of_a_test_concept_trains(finished):
    drawn = pd.read_parquet(finished.results / "draws" / "1" / "queries.parquet")
    assert set(drawn["role"]) == {"test", "validation"}
    paths = sorted((finished.results / "settings").glob("*/1.parquet"))
    assert [path.parent.name for path in paths] == ["joint", "pairwise_aa-bb"]
    for trained in map(pd.read_parquet, paths):
        assert len(trained)
        assert not set(trained["concept"]) & set(drawn["concept"])


def test_results_say_what_made_them(finished):
    fit = json.loads((finished.results / "models" / "joint" / "cr5" / "1" / "fit.json").read_text())
    assert fit["seed"] == 123
    assert fit["options"]["rank"] == 10
    assert fit["fit"]["ridge"] in (0.1, 1.0)
    assert "numpy" in fit["versions"]
    assert fit["processor"]["choice"] == "common"
    assert fit["processor"]["kernels"]
    run = json.loads((finished.results / "run.json").read_text())
    assert run["config"]["systems"]["toy"]["dimension"] == 20
    assert len(run["sources"]["aa"]["files"][0]["sha256"]) == 64
    assert run["installed"]["snakemake"] == importlib.metadata.version("snakemake")
    assert run["machine"]["processor"]
    blas = [each for each in run["machine"]["libraries"] if each["user_api"] == "blas"]
    assert {each["num_threads"] for each in blas} == {1}  # as all jobs have it


def test_jobs_keep_to_what_common_processors_have(finished):
    environment = dict(os.environ)
    processor.limit("common", environment)
    path = finished.results / "models" / "joint" / "toy" / "1" / "fit.json"
    fit = json.loads(path.read_text())
    assert fit["fit"]["kind"] == environment.get("OPENBLAS_CORETYPE")
    if environment.keys() - os.environ.keys():  # where they can be limited, and were not before
        assert fit["processor"]["kernels"] == ["Haswell"]


def test_every_job_has_a_log_and_a_benchmark(finished):
    logs = {path.with_suffix("") for path in finished.files("logs")}
    assert len(logs) > 20
    assert logs == {path.with_suffix("") for path in finished.files("benchmarks")}


def test_the_page_needs_no_network(finished):
    page = (finished.results / "report.html").read_text(encoding="utf-8")
    for marker in ('src="http', "src='http", 'link href="http', "@import url(http"):
        assert marker not in page


def test_a_second_run_has_nothing_to_do(finished):
    assert "Nothing to be done" in finished().stdout


@pytest.fixture
def append(finished):
    """Append to code of the finished run; taken back at the end."""
    before = {}

    def append(path, text):
        before.setdefault(path, path.read_text())
        path.write_text(before[path] + text)

    yield append
    for path, text in before.items():
        path.write_text(text)


def test_a_comment_reruns_nothing_wherever_it_stands(finished, append):
    paths = [*finished.workflow.rglob("*.py"), finished.folder / "toy_system.py"]
    assert len(paths) > 100
    for path in paths:
        append(path, "\n# A comment.\n")
    assert "Nothing to be done" in finished("--dry-run").stdout


@pytest.mark.parametrize(
    ("module", "system"),
    [
        ("workflow/cr5/systems/procrustes.py", "procrustes_identical"),
        ("workflow/cr5/systems/reduced_rank/dense.py", "cr5"),
        ("toy_system.py", "toy"),
    ],
)
def test_a_changed_system_is_fitted_again_and_no_other(finished, append, module, system):
    append(finished.folder / module, "\nNEW = 1\n")
    planned = finished.plan()
    fits = {path for path in planned if path.parts[0] == "models"}
    assert fits
    assert all(system in path.parts for path in fits)
    assert {path.parts[0] for path in planned} >= {"ranks", "tables", "figures"}
    assert not {path.parts[0] for path in planned} & {
        "documents",
        "bags",
        "draws",
        "settings",
        "vectors",
    }


def test_a_changed_tokeniser_reruns_everything_after_it(finished, append):
    append(finished.workflow / "cr5" / "counts" / "tokens.py", "\nNEW = 1\n")
    folders = {path.parts[0] for path in finished.plan()}
    made = {path.parts[0] for path in finished.files() if len(path.parts) > 1}
    assert "documents" in made
    assert folders >= made - {"documents", "logs", "benchmarks"}
    assert "documents" not in folders
