"""The scores of one finished run of everything small: computed anew, and by other programs."""

import re
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
from tests.kit.run import MEANS, scores

SHOWN = ["Success@1", "Success@5", "Success@10", "RR", "nDCG@10", "AP", "P@10"]  # of means
IN_RUN_FILES = ("Success@1", "Success@5", "Success@10", "AP", "nDCG@10", "P@5")
DIRECTION = ["query", "target"]
ROW = ["setting", "system", "task"] + DIRECTION + ["similarity"]
OF_OTHER_TASKS = ("other_tasks_da-en", "procrustes")  # a setting with all but the first; its system
NEIGHBOURS = 10
ROUNDING = 1e-6  # the evaluation's float32 scores are off by up to 2e-7, csls by twice that


def computed(
    results: Path, setting: str, system: str, query: str, target: str
) -> dict[tuple[str, str], float]:
    """By similarity and metric, of documents in the first repetition."""
    query_documents = _embedded(results, setting, system, query)
    target_documents = _embedded(results, setting, system, target)
    drawn = inside.queries(results)
    is_of_pair = drawn["first"].isin([query, target]) & drawn["second"].isin([query, target])
    is_test = drawn["role"] == "test"
    query_concepts = drawn.loc[is_of_pair & is_test, "concept"]
    candidate_concepts = inside.candidates(results, target)
    answers = candidate_concepts.get_indexer(query_concepts)
    queries = query_documents.loc[query_concepts].to_numpy()
    candidates = target_documents.loc[candidate_concepts].to_numpy()
    neighbours = query_documents.loc[inside.candidates(results, query)].to_numpy()
    # CSLS: 2 cos(q, c) - r_T(q) - r_S(c)
    cosine = queries @ candidates.T
    r_T = _mean_of_nearest(cosine)
    r_S = _mean_of_nearest(candidates @ neighbours.T)
    csls = 2 * cosine - r_T[:, None] - r_S
    values = {}
    for name, similarities in (("cosine", cosine), ("csls", csls)):
        for metric, value in _metrics(similarities, answers).items():
            values[name, metric] = value
    return values


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
    frequent = frame[frame["documents"] >= rules["min_documents"]]
    most_frequent_first = frequent.sort_values(["times", "word"], ascending=[False, True])
    return most_frequent_first.index[: rules["max_words"]]


def _mean_of_nearest(similarities: np.ndarray) -> np.ndarray:
    rising = np.sort(similarities, axis=1)
    return rising[:, -NEIGHBOURS:].mean(axis=1)


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
    index = cr5.Index(model)
    texts = {}
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
            expected = expected[:10]
            scores_of_hits = [hit.score for hit in hits_of_query[: len(expected)]]
            np.testing.assert_allclose(scores_of_hits, expected, 0, ROUNDING, err_msg=str(key))
            # ties may stand in another order
            score_of_id = {hit.id: hit.score for hit in hits_of_query}
            scores_of_same = [score_of_id.get(concept, np.nan) for concept in nearest[:10]]
            np.testing.assert_allclose(scores_of_same, expected, 0, ROUNDING, err_msg=str(key))


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
    for block in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, *lines = re.sub(r"[\\*]", "", block).splitlines()
        head, _, *body = [_cells(line) for line in lines if "|" in line]
        for row in body:
            cell_of_column = dict(zip(head, row, strict=True))
            place = set(title.split(", "))
            for column in {"Setting", "System", "Direction"} & cell_of_column.keys():
                name = cell_of_column.pop(column).strip(")")
                place.update(name.split(" ("))  # with a measure of its own
            for column in cell_of_column.keys() - COUNTS:
                cell = cell_of_column[column]
                names = place.union(column.split())
                matching = [key for key in values if key <= names]
                assert len(matching) == (cell != "–"), names
                for key in matching:
                    shown[key] = cell.split()[0]
    assert shown == values


def _cells(line: str) -> list[str]:
    """Split a line of a table in Markdown."""
    return [cell.strip() for cell in line.strip("|").split("|")]


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
def all_scores(results):
    return scores(results)


def test_every_direction_has_its_scores(finished, all_scores):
    """All systems but those that are left out, in all directions; words one way and the other."""
    directions = all_scores.groupby(["setting", "task", "system"])[DIRECTION].value_counts()
    numbers = directions.groupby(["setting", "task", "system"]).size().to_dict()
    systems = finished.configuration["systems"].keys() - {"nothing_shared"}
    expected = {("joint", "documents", system): 6 for system in systems}
    expected |= {
        (OF_OTHER_TASKS[0], task, OF_OTHER_TASKS[1]): 2 for task in finished.configuration["tasks"]
    }
    del expected[OF_OTHER_TASKS[0], "documents", OF_OTHER_TASKS[1]]
    for setting in ("transitive_da-it", "low_resource_da-it_20", "low_resource_da-it_40"):
        expected[setting, "documents", "cr5"] = 2
    assert numbers == expected


def test_cells_are_the_values_of_the_scores(results, all_scores):
    """Of each table of scores; and every score has a cell."""
    shown = all_scores[
        (all_scores["task"] != "documents") | all_scores["metric"].str.startswith("Success@")
    ]
    for task, rows in shown.groupby("task"):
        table = f"task_{task}.md"
        if task == "documents":
            table = "table1.md"
        check_cells(results / "report" / table, rows.assign(task=""))
    means = scores(results, MEANS).query("metric in @SHOWN")
    check_cells(results / "report" / "systems.md", means.assign(query="", target=""))


def test_scores_are_those_of_an_independent_computation(results, all_scores):
    ours = all_scores.set_index(ROW + ["metric"])["value"]
    for setting, *pair in (("joint", "da", "en"), ("transitive_da-it", "it", "da")):
        expected = computed(results, setting, "cr5", *pair)
        for (similarity, metric), value in expected.items():
            our_value = ours[setting, "cr5", "documents", *pair, similarity, metric]
            assert our_value == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("system", ["cr5", "procrustes", "lexical_overlap"])
def test_an_index_finds_what_the_evaluation_found(results, system):
    check_index(results, system)


def test_run_files_have_the_scores(results, all_scores):
    """By ir-measures, from the TREC files alone."""
    metrics = {metric: ir_measures.parse_measure(metric) for metric in IN_RUN_FILES}
    for place, expected in all_scores[all_scores["metric"].isin(metrics)].groupby(ROW):
        setting, system, task, query, target, similarity = place
        folder = results / "runs" / setting / system / "1" / task
        qrels = list(ir_measures.read_trec_qrels(str(folder / f"{query}-{target}.qrels")))
        run = ir_measures.read_trec_run(str(folder / f"{query}-{target}.{similarity}.run"))
        values = ir_measures.calc_aggregate(list(metrics.values()), qrels, run)
        our_values = [values[metrics[metric]] for metric in expected["metric"]]
        np.testing.assert_allclose(our_values, expected["value"], atol=1e-5, err_msg=str(place))


def test_differences_are_tested_and_values_lie_in_their_intervals(results, all_scores):
    tests = pd.read_csv(results / "tables" / "significance.csv")
    tests = tests[(tests["setting"] == "joint") & (tests["metric"] == "Success@1")]
    assert len(tests)
    assert (tests["p_holm"] >= tests["p"] - 1e-12).all()
    assert tests["p_holm"].between(0, 1).all()
    assert (
        all_scores["value"].between(all_scores["ci_low"] - 1e-9, all_scores["ci_high"] + 1e-9).all()
    )
