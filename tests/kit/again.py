"""What a run found, computed or read again by others: scikit-learn, a full sort, an index.

`scores` uses nothing of cr5: it starts from counts, draw and table of words.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from safetensors.numpy import load_file
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import label_ranking_average_precision_score, top_k_accuracy_score
from sklearn.preprocessing import normalize

import cr5
from tests.kit import inside

NEIGHBOURS = 10
ROUNDING = 1e-6  # the evaluation's float32 scores are off by up to 2e-7, csls by twice that


def scores(
    results: Path, setting: str, system: str, query: str, target: str
) -> dict[tuple[str, str], float]:
    """By similarity and metric, of documents in the first repetition."""
    found = [_embedded(results, setting, system, x) for x in (query, target)]
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
        for name, each in similarities.items()
        for metric, value in _metrics(each, answers).items()
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
    found = {
        f"Success@{k}": top_k_accuracy_score(answers, similarities, k=k, labels=labels)
        for k in (1, 5, 10)
    }
    return found | {"RR": label_ranking_average_precision_score(one_hot, similarities)}


def check_index(results: Path, system: str) -> None:
    """Search every test query in the test documents by an index, in every direction and measure."""
    model = cr5.load(results, system, "joint")
    index, texts = cr5.Index(model), {}
    for language in model.languages:
        frame = pd.read_parquet(results / "documents" / language / "documents.parquet")
        texts[language] = frame.set_index("concept")["text"]
        every = sorted(inside.candidates(results, language))
        index.add(every, texts[language][every], language)
    ranks = pd.read_parquet(results / "ranks/joint" / system / "1/documents/queries.parquet")
    assert len(ranks) > 100
    for key, queries in ranks.groupby(["query_language", "target_language", "similarity"]):
        source, target, name = key
        given = texts[source][queries["query"]].tolist()
        hits = index.search(given, source, 25, name, target)
        for nearest, expected, own in zip(queries["nearest"], queries["scores"], hits, strict=True):
            by_id = {hit.id: hit.score for hit in own}
            same = [by_id.get(x, np.nan) for x in nearest]  # ties may stand in another order
            for values in (same, [hit.score for hit in own[: len(nearest)]]):
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
COUNTS = {
    "Queries",
    "Candidates",
    "Directions",
    "Repetitions",
    "Dimension",
}  # columns without names


def check_cells(path: Path, rows: pd.DataFrame) -> None:
    """Each cell is the value of one row, whose names are those of its block, row and column.

    And every row has a cell. Of names that are empty in `rows` the table has none.
    """
    values = {_names(x): f"{100 * x.value:.1f}" for x in rows.itertuples()}
    assert len(values) == len(rows) > 0
    found = {}
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
                matching = [x for x in values if x <= names]
                assert len(matching) == (cells[column] != "–"), names
                found |= {x: cells[column].split()[0] for x in matching}
    assert found == values


def _names(row) -> frozenset[str]:
    direction = row.query and f"{row.query}→{row.target}"
    task = row.task.replace("_", " ").capitalize()
    similarity = SIMILARITIES[row.similarity]
    names = {TITLES[row.system], row.label, task, direction, similarity, row.metric}
    return frozenset(names - {""})
