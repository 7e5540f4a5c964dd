"""What README and docs/reliability.md promise, of one finished run of everything small."""

import importlib.metadata
import json
import os
import re
import sys
from itertools import product

import numpy as np
import pandas as pd
import pytest

from tests.kit import inside
from tests.kit.corpus import CORPUS
from tests.kit.run import ROOT, ended, scores

TABLES = (
    "systems",
    "table1",
    "table2",
    "languages",
    "pairs",
    "sentences_sentences",
    "dictionaries_dictionary",
    "dictionaries_lexicon_induction",
    "task_classes",
    "task_lexicon_induction",
    "task_search",
    "task_sentences",
)
FIGURES = ("precision_at_k", "precision_at_k_pairs", "validation", "overlap", "add_data")
DIRECTION = ["query", "target"]
ROW = ["setting", "system", "task"] + DIRECTION + ["similarity"]
OF_OTHER_TASKS = ("other_tasks_da-en", "procrustes")  # a setting with all but the first; its system


@pytest.fixture(scope="module")
def results(finished):
    return finished.results


@pytest.fixture(scope="module")
def all_scores(results):
    return scores(results)


@pytest.fixture(scope="module")
def drawn(results):
    return inside.queries(results)


def test_the_report_links_to_all_tables_and_figures_and_needs_no_network(results):
    report = (results / "report.html").read_text()
    links = set(re.findall(r'(?:href|src)="([^"#:]+)"', report))
    expected = {"explore/index.html"}
    for table, ending in product(TABLES, ("csv", "md", "tex")):
        expected.add(f"report/{table}.{ending}")
    for figure, ending in product(FIGURES, ("svg", "png", "pdf")):
        expected.add(f"report/{figure}.{ending}")
    assert expected <= links
    assert [link for link in links if not (results / link).is_file()] == []
    elsewhere = r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//[^"]+'
    for page in [results / "report.html"] + list(results.glob("explore/*.html")):
        assert re.findall(elsewhere, page.read_text()) == []


def test_no_query_trains_and_all_settings_ask_the_same(finished, results, all_scores, drawn):
    for setting in inside.settings(results):
        for language in finished.configuration["languages"]:
            trained = inside.trained(results, setting, language)
            assert not set(trained) & set(drawn["concept"])
    tested = drawn[drawn["role"] == "test"].groupby(["first", "second"])["concept"].agg(set)
    documents = all_scores[all_scores["task"] == "documents"]
    for place in documents[ROW[:5]].drop_duplicates().itertuples(index=False):
        assert inside.asked(results, *place) == tested[tuple(sorted(place[3:]))]


def test_no_word_that_is_asked_for_was_learnt(finished, results):
    """The same dictionary trains with its first entries and asks for others."""
    limit = finished.configuration["dictionary"]["limit"]
    for query, target in (("da", "en"), ("en", "da")):
        lines = (finished.folder / "given" / f"{query}-{target}.dict").read_text().splitlines()
        trained = {line.split()[0] for line in lines[:limit]}
        asked = inside.asked(results, *OF_OTHER_TASKS, "lexicon_induction", query, target)
        assert asked and not asked & trained
    pairs = inside.fit_of(results, *OF_OTHER_TASKS)["fit"]["pairs"]
    assert all(0 < number["seed_pairs"] <= limit for number in pairs.values())


def test_settings_train_on_what_they_say(results):
    """`transitive` learns from what each language of a pair shares with a third one alone."""
    danish = trained_concepts(results, "transitive_da-it", "da")
    english = trained_concepts(results, "transitive_da-it", "en")
    italian = trained_concepts(results, "transitive_da-it", "it")
    assert danish & english
    assert english & italian
    assert not danish & italian
    of_20_concepts = trained_concepts(results, "low_resource_da-it_20", "da")
    of_40_concepts = trained_concepts(results, "low_resource_da-it_40", "da")
    assert len(of_20_concepts) == 20
    assert len(of_40_concepts) == 40
    assert of_20_concepts < of_40_concepts < trained_concepts(results, "joint", "da")


def trained_concepts(results, setting, language):
    return set(inside.trained(results, setting, language))


CALL = """
import json
import sys

import pandas as pd

import cr5

given = json.load(open(sys.argv[1]))
cr5.fit(pd.DataFrame(given["texts"]), given["system"], **given["options"]).save(sys.argv[2])
"""


@pytest.mark.slow
@pytest.mark.parametrize("system", ["cr5", "procrustes", "lexical_overlap"])
def test_a_call_from_python_makes_the_same_bytes(finished, results, tmp_path, system):
    """In a process that uses the same instructions of the processor as jobs do."""
    config = json.loads((results / "run.json").read_text())["config"]
    names = ("bags", "weighting", "splits", "vectors", "dictionary", "validation")
    options = {key: config[key] for key in (*names, "seed")} | config["systems"][system]
    rows = []
    for language, documents in CORPUS.documents.items():
        for concept, text in documents.items():
            title = f"{language} {concept}"
            row = {"language": language, "concept": concept, "title": title, "text": text}
            rows.append(row)
    arguments = {"texts": rows, "system": system, "options": options}
    (tmp_path / "given").write_text(json.dumps(arguments))
    environment = {**inside.common_processor(), "PYTHONPATH": str(ROOT / "workflow")}
    call = [sys.executable, "-c", CALL, tmp_path / "given", tmp_path / "m"]
    done = ended(call, finished.folder, **environment)
    assert done.returncode == 0, done.stdout
    expected = results / "models" / "joint" / system / "1"
    files = list(expected.rglob("*.safetensors"))
    assert len(files) >= 4
    for path in files:
        made_by_call = tmp_path / "m" / path.relative_to(expected)
        assert made_by_call.read_bytes() == path.read_bytes()
    fit = json.loads((tmp_path / "m" / "fit.json").read_text())["fit"]
    assert fit == inside.fit_of(results, "joint", system)["fit"]


def test_what_is_left_out_is_named(results):
    left_out = pd.read_csv(results / "tables" / "left_out.csv")
    reasons = left_out.loc[left_out["system"] == "nothing_shared", "reason"]
    assert len(reasons) and reasons.str.contains("0 pairs of words").all()
    for name in ("report/systems.md", "report.html"):
        assert "0 pairs of words (seeds: numerals)" in (results / name).read_text(encoding="utf-8")


def test_results_say_what_made_them(results):
    run_file = json.loads((results / "run.json").read_text(encoding="utf-8"))
    fit = inside.fit_of(results, "joint", "network")
    assert fit["seed"] == 123
    assert run_file["config"]["systems"]["network"]["hidden"] == [64]
    assert run_file["versions"]["snakemake"] == importlib.metadata.version("snakemake")
    assert fit["versions"]["numpy"] == np.__version__
    assert run_file["sources"]["da"]["files"] == ["da.jsonl.xz"]
    assert run_file["machine"]["processor"]


def test_jobs_keep_to_what_common_processors_have(results):
    """Where there is something to leave out, by what libraries say."""
    if inside.common_processor().keys() - os.environ.keys():
        kernels = inside.fit_of(results, "joint", "network")["processor"]["kernels"]
        assert kernels == ["Haswell"]


def test_every_job_has_a_log_and_long_ones_a_benchmark(finished):
    logs = names_below(finished, "logs")
    assert len(logs) > 20
    rule_of_results = {"vectors": "vectors", "models": "fit", "ranks": "rank"}
    expected = set()
    for log in logs:
        results, _, wildcards = log.partition("/")
        if results in rule_of_results:
            expected.add(f"{rule_of_results[results]}/{wildcards}")
    assert names_below(finished, "benchmarks") == expected


def names_below(finished, folder):
    """Paths of files below a folder of the results, without their endings."""
    return {str(path.relative_to(folder).with_suffix("")) for path in finished.files(folder)}


def test_nothing_that_jobs_hand_on_has_a_path_of_this_machine(finished, results):
    here = str(finished.folder).encode()
    parts = ("bags", "draws", "settings", "models", "ranks", "tables", "report")
    for part in parts:
        for path in finished.files(part):
            assert here not in (results / path).read_bytes(), path


def test_verify_finds_nothing(finished, results):
    finished.cr5("verify", str(results.relative_to(finished.folder)))
