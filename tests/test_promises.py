"""What README and docs/reliability.md promise, of one finished run of everything small."""

import importlib.metadata
import json
import os
import re
import sys
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
import yaml
from safetensors.numpy import load_file
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import label_ranking_average_precision_score, top_k_accuracy_score
from sklearn.preprocessing import normalize

import cr5
from tests.kit import inside
from tests.kit.corpus import CORPUS
from tests.kit.run import MEANS, ROOT, ended, scores

TABLES = ("systems", "table1", "table2", "languages", "pairs", "sentences_sentences")
TABLES += ("dictionaries_dictionary", "dictionaries_lexicon_induction")
TABLES += ("task_classes", "task_lexicon_induction", "task_search", "task_sentences")
FIGURES = ("precision_at_k", "precision_at_k_pairs", "validation", "overlap", "add_data")
SHOWN = ["Success@1", "Success@5", "Success@10", "RR", "nDCG@10", "AP", "P@10"]  # of means
IN_RUN_FILES = ("Success@1", "Success@5", "Success@10", "AP", "nDCG@10", "P@5")
DIRECTION = ["query", "target"]
ROW = ["setting", "system", "task", *DIRECTION, "similarity"]
OTHERS = ("other_tasks_da-en", "procrustes")  # a setting with all tasks but the first, its system
NEIGHBOURS = 10
ROUNDING = 1e-6  # the evaluation's float32 scores are off by up to 2e-7, csls by twice that


def computed(
    results: Path, setting: str, system: str, query: str, target: str
) -> dict[tuple[str, str], float]:
    """By similarity and metric, of documents in the first repetition."""
    found = [_embedded(results, setting, system, language) for language in (query, target)]
    drawn = inside.queries(results)
    pair = drawn["first"].isin([query, target]) & drawn["second"].isin([query, target])
    wanted = drawn.loc[pair & (drawn["role"] == "test"), "concept"]
    searched = inside.candidates(results, target)
    Q, C = found[0].loc[wanted].to_numpy(), found[1].loc[searched].to_numpy()
    answers = searched.get_indexer(wanted)
    neighbours = found[0].loc[inside.candidates(results, query)].to_numpy()
    cosine = Q @ C.T
    hubs, own = _mean_of_nearest(C @ neighbours.T), _mean_of_nearest(cosine)
    similarities = {"cosine": cosine, "csls": 2 * cosine - own[:, None] - hubs}
    return {
        (name, metric): value
        for name, similarity in similarities.items()
        for metric, value in _metrics(similarity, answers).items()
    }


def _embedded(results: Path, setting: str, system: str, language: str) -> pd.DataFrame:
    """Documents' unit embeddings, by concept."""
    counts, documents, words = inside.counts(results, language)
    rows = documents.isin(inside.trained(results, setting, language))
    counts = counts[:, _vocabulary(results, counts[rows], words)]
    weigh = TfidfTransformer(smooth_idf=False).fit(counts[rows])
    path = results / "models" / setting / system / "1" / f"{language}.safetensors"
    table = load_file(path)[f"tables.{language}"].astype(float)
    embedded = weigh.transform(counts) @ table
    return pd.DataFrame(normalize(embedded), index=documents)


def _vocabulary(results: Path, trained: sparse.csr_matrix, words: list[str]) -> pd.Index:
    """Columns of the words in enough training documents; those that occur most often come first."""
    rules = yaml.safe_load((results / "config.yaml").read_text())["bags"]
    frame = pd.DataFrame({"word": words})
    frame["documents"] = np.asarray((trained > 0).sum(axis=0)).ravel()
    frame["times"] = np.asarray(trained.sum(axis=0)).ravel()
    kept = frame[frame["documents"] >= rules["min_documents"]]
    return kept.sort_values(["times", "word"], ascending=[False, True]).index[: rules["max_words"]]


def _mean_of_nearest(similarities: np.ndarray) -> np.ndarray:
    return np.sort(similarities, axis=1)[:, -NEIGHBOURS:].mean(axis=1)


def _metrics(similarities: np.ndarray, answers: np.ndarray) -> dict[str, float]:
    labels = np.arange(similarities.shape[1])
    one_hot = labels == answers[:, None]
    metrics = {
        f"Success@{cutoff}": top_k_accuracy_score(answers, similarities, k=cutoff, labels=labels)
        for cutoff in (1, 5, 10)
    }
    return metrics | {"RR": label_ranking_average_precision_score(one_hot, similarities)}


def check_index(results: Path, system: str) -> None:
    """Search every test query in the test documents by an index, in every direction and measure."""
    model = cr5.load(results, system, "joint")
    index, texts = cr5.Index(model), {}
    for language in model.languages:
        frame = pd.read_parquet(results / "documents" / language / "documents.parquet")
        texts[language] = frame.set_index("concept")["text"]
        concepts = sorted(inside.candidates(results, language))
        index.add(concepts, texts[language][concepts], language)
    ranks = pd.read_parquet(results / "ranks/joint" / system / "1/documents/queries.parquet")
    assert len(ranks) > 100
    for key, queries in ranks.groupby(["query_language", "target_language", "similarity"]):
        source, target, name = key
        texts_of_queries = texts[source][queries["query"]].tolist()
        hits = index.search(texts_of_queries, source, 25, name, target)
        for nearest, expected, hits_of_query in zip(
            queries["nearest"], queries["scores"], hits, strict=True
        ):
            by_id = {hit.id: hit.score for hit in hits_of_query}
            expected = expected[:10]
            same = [by_id.get(x, np.nan) for x in nearest[:10]]  # ties may stand in another order
            for values in (same, [hit.score for hit in hits_of_query[: len(expected)]]):
                np.testing.assert_allclose(values, expected, 0, ROUNDING, err_msg=str(key))


TITLES = {
    "cr5": "Cr5",
    "procrustes": "Procrustes",
    "bm25_translated": "Word by word + BM25",
    "lexical_overlap": "Lexical overlap",
    "encoder": "Encoder",
    "network": "network",
}
SIMILARITIES = {"cosine": "cosine", "csls": "CSLS", "dot": "dot"}
COUNTS = {"Queries", "Candidates", "Directions", "Repetitions", "Dimension"}  # without names


def check_cells(path: Path, rows: pd.DataFrame) -> None:
    """Each cell is the value of one row, whose names are those of its block, row and column.

    And every row has a cell. Of names that are empty in `rows` the table has none.
    """
    values = {_names(row): f"{100 * row.value:.1f}" for row in rows.itertuples()}
    assert len(values) == len(rows) > 0
    shown = {}
    for part in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, *lines = re.sub(r"[\\*]", "", part).splitlines()
        head, _, *body = ([y.strip() for y in x.strip("|").split("|")] for x in lines if "|" in x)
        for row in body:
            cells = dict(zip(head, row, strict=True))
            place = {*title.split(", ")}
            for column in {"Setting", "System", "Direction"} & cells.keys():
                place |= {*cells.pop(column).strip(")").split(" (")}  # of a measure of its own
            for column in cells.keys() - COUNTS:
                names = place | {*column.split()}
                matching = [key for key in values if key <= names]
                assert len(matching) == (cells[column] != "–"), names
                shown |= {key: cells[column].split()[0] for key in matching}
    assert shown == values


def _names(row) -> frozenset[str]:
    direction = row.query and f"{row.query}→{row.target}"
    task = row.task.replace("_", " ").capitalize()
    similarity = SIMILARITIES[row.similarity]
    names = {TITLES[row.system], row.label, task, direction, similarity, row.metric}
    return frozenset(names - {""})


@pytest.fixture(scope="module")
def results(finished):
    return finished.results


@pytest.fixture(scope="module")
def found(results):
    return scores(results)


@pytest.fixture(scope="module")
def drawn(results):
    return inside.queries(results)


def test_the_report_links_to_all_tables_and_figures_and_needs_no_network(results):
    pages = [
        path.read_text() for path in (results / "report.html", *results.glob("explore/*.html"))
    ]
    links = set(re.findall(r'(?:href|src)="([^"#:]+)"', pages[0]))
    expected = {f"report/{x}.{y}" for x in TABLES for y in ("csv", "md", "tex")}
    expected |= {f"report/{x}.{y}" for x in FIGURES for y in ("svg", "png", "pdf")}
    assert expected | {"explore/index.html"} <= links
    assert [link for link in links if not (results / link).is_file()] == []
    elsewhere = r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//[^"]+'
    assert re.findall(elsewhere, "".join(pages)) == []


def test_every_direction_has_its_scores(finished, found):
    """All systems but those that are left out, in all directions; words one way and the other."""
    directions = found.groupby(["setting", "task", "system"])[DIRECTION].value_counts()
    numbers = directions.groupby(["setting", "task", "system"]).size().to_dict()
    systems = finished.configuration["systems"].keys() - {"nothing_shared"}
    expected = {("joint", "documents", system): 6 for system in systems}
    expected |= {(OTHERS[0], task, OTHERS[1]): 2 for task in finished.configuration["tasks"]}
    del expected[OTHERS[0], "documents", OTHERS[1]]
    for setting in ("transitive_da-it", "low_resource_da-it_20", "low_resource_da-it_40"):
        expected[setting, "documents", "cr5"] = 2
    assert numbers == expected


def test_cells_are_the_values_of_the_scores(results, found):
    """Of each table of scores; and every score has a cell."""
    shown = found[(found["task"] != "documents") | found["metric"].str.startswith("Success@")]
    for task, rows in shown.groupby("task"):
        place = results / "report" / ("table1.md" if task == "documents" else f"task_{task}.md")
        check_cells(place, rows.assign(task=""))
    means = scores(results, MEANS).query("metric in @SHOWN")
    check_cells(results / "report" / "systems.md", means.assign(query="", target=""))


def test_no_query_trains_and_all_settings_ask_the_same(finished, results, found, drawn):
    for setting in inside.settings(results):
        for language in finished.configuration["languages"]:
            trained = inside.trained(results, setting, language)
            assert not set(trained) & set(drawn["concept"])
    tested = drawn[drawn["role"] == "test"].groupby(["first", "second"])["concept"].agg(set)
    documents = found[found["task"] == "documents"]
    for place in documents[ROW[:5]].drop_duplicates().itertuples(index=False):
        assert inside.asked(results, *place) == tested[tuple(sorted(place[3:]))]


def test_no_word_that_is_asked_for_was_learnt(finished, results):
    """The same dictionary trains with its first entries and asks for others."""
    limit = finished.configuration["dictionary"]["limit"]
    for query, target in (("da", "en"), ("en", "da")):
        lines = (finished.folder / "given" / f"{query}-{target}.dict").read_text().splitlines()
        trained = {line.split()[0] for line in lines[:limit]}
        asked = inside.asked(results, *OTHERS, "lexicon_induction", query, target)
        assert asked and not asked & trained
    pairs = inside.fit_of(results, *OTHERS)["fit"]["pairs"]
    assert all(0 < number["seed_pairs"] <= limit for number in pairs.values())


def test_settings_train_on_what_they_say(results):
    """`transitive` learns from what each language of a pair shares with a third one alone."""
    da, en, it = (
        set(inside.trained(results, "transitive_da-it", language))
        for language in ("da", "en", "it")
    )
    assert da & en and en & it and not da & it
    names = ("low_resource_da-it_20", "low_resource_da-it_40", "joint")
    few, more, every = (set(inside.trained(results, setting, "da")) for setting in names)
    assert (len(few), len(more)) == (20, 40)
    assert few < more < every


def test_scores_are_those_of_an_independent_computation(results, found):
    ours = found.set_index([*ROW, "metric"])["value"]
    for setting, *pair in (("joint", "da", "en"), ("transitive_da-it", "it", "da")):
        expected = computed(results, setting, "cr5", *pair)
        for (similarity, metric), value in expected.items():
            our_value = ours[setting, "cr5", "documents", *pair, similarity, metric]
            assert our_value == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("system", ["cr5", "procrustes", "lexical_overlap"])
def test_an_index_finds_what_the_evaluation_found(results, system):
    check_index(results, system)


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
    rows = [
        {"language": x, "concept": concept, "title": f"{x} {concept}", "text": text}
        for x, of in CORPUS.documents.items()
        for concept, text in of.items()
    ]
    (tmp_path / "given").write_text(
        json.dumps({"texts": rows, "system": system, "options": options})
    )
    environment = {**inside.common_processor(), "PYTHONPATH": str(ROOT / "workflow")}
    call = [sys.executable, "-c", CALL, tmp_path / "given", tmp_path / "m"]
    done = ended(call, finished.folder, **environment)
    assert done.returncode == 0, done.stdout
    expected = results / "models" / "joint" / system / "1"
    files = list(expected.rglob("*.safetensors"))
    assert len(files) >= 4
    for path in files:
        assert path.read_bytes() == (tmp_path / "m" / path.relative_to(expected)).read_bytes()
    fit = json.loads((tmp_path / "m" / "fit.json").read_text())["fit"]
    assert fit == inside.fit_of(results, "joint", system)["fit"]


def test_run_files_have_the_scores(results, found):
    """By ir-measures, from the TREC files alone."""
    metrics = {metric: ir_measures.parse_measure(metric) for metric in IN_RUN_FILES}
    for place, expected in found[found["metric"].isin(metrics)].groupby(ROW):
        setting, system, task, query, target, similarity = place
        folder = results / "runs" / setting / system / "1" / task
        qrels = list(ir_measures.read_trec_qrels(str(folder / f"{query}-{target}.qrels")))
        run = ir_measures.read_trec_run(str(folder / f"{query}-{target}.{similarity}.run"))
        values = ir_measures.calc_aggregate(list(metrics.values()), qrels, run)
        our_values = [values[metrics[metric]] for metric in expected["metric"]]
        np.testing.assert_allclose(our_values, expected["value"], atol=1e-5, err_msg=str(place))


def test_what_is_left_out_is_named(results):
    left_out = pd.read_csv(results / "tables" / "left_out.csv")
    reasons = left_out.loc[left_out["system"] == "nothing_shared", "reason"]
    assert len(reasons) and reasons.str.contains("0 pairs of words").all()
    for name in ("report/systems.md", "report.html"):
        assert "0 pairs of words (seeds: numerals)" in (results / name).read_text(encoding="utf-8")


def test_differences_are_tested_and_values_lie_in_their_intervals(results, found):
    tests = pd.read_csv(results / "tables" / "significance.csv")
    tests = tests[(tests["setting"] == "joint") & (tests["metric"] == "Success@1")]
    assert len(tests) and (tests["p"] - 1e-12 <= tests["p_holm"]).all()
    assert tests["p_holm"].between(0, 1).all()
    assert found["value"].between(found["ci_low"] - 1e-9, found["ci_high"] + 1e-9).all()


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
    logs, benchmarks = (
        {str(path.relative_to(part).with_suffix("")) for path in finished.files(part)}
        for part in ("logs", "benchmarks")
    )
    assert len(logs) > 20
    named = {"vectors": "vectors", "models": "fit", "ranks": "rank"}  # by what a job makes
    made = (path.partition("/") for path in logs)
    assert {f"{named[part]}/{rest}" for part, _, rest in made if part in named} == benchmarks


def test_nothing_that_jobs_hand_on_has_a_path_of_this_machine(finished, results):
    here = str(finished.folder).encode()
    parts = ("bags", "draws", "settings", "models", "ranks", "tables", "report")
    files = [results / path for part in parts for path in finished.files(part)]
    assert [path for path in files if here in path.read_bytes()] == []


def test_verify_finds_nothing(finished, results):
    finished.cr5("verify", str(results.relative_to(finished.folder)))
