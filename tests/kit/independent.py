"""Scores computed anew from counts, draw and table of words: by scikit-learn and a full sort."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import label_ranking_average_precision_score, top_k_accuracy_score
from sklearn.preprocessing import normalize

from tests.kit import inside

NEIGHBOURS = 10
Scores = dict[str, dict[str, float]]


def scores(results: Path, setting: str, system: str, query: str, target: str) -> Scores:
    """By similarity and metric, of documents in the first repetition; nothing of cr5 is used."""
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
    return {name: _metrics(each, answers) for name, each in similarities.items()}


def accuracy(
    results: Path, setting: str, system: str, pair: tuple[str, str], labels: Sequence[dict]
) -> float:
    """Share of a language's documents whose nearest one in another has the same label.

    Args:
        results: of a run.
        setting: of the fit.
        system: likewise.
        pair: languages of the documents that are asked for and searched.
        labels: of both, by concept.
    """
    asked, searched = (
        _embedded(results, setting, system, x).loc[list(of)]
        for x, of in zip(pair, labels, strict=True)
    )
    nearest = searched.index[(asked.to_numpy() @ searched.to_numpy().T).argmax(axis=1)]
    right = [labels[0][x] == labels[1][y] for x, y in zip(asked.index, nearest, strict=True)]
    return float(np.mean(right))


def _embedded(results: Path, setting: str, system: str, language: str) -> pd.DataFrame:
    """Documents' unit embeddings, by concept."""
    counts, documents, words = inside.counts(results, language)
    rows = documents.isin(inside.trained(results, setting, language))
    counts = counts[:, _vocabulary(results, counts[rows], words)]
    weigh = TfidfTransformer(smooth_idf=False).fit(counts[rows])
    embedded = weigh.transform(counts) @ inside.table(results, setting, system, language)
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
