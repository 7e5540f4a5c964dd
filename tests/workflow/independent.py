"""Scores computed anew from bags, split and word vectors: by scikit-learn and a full sort."""

import numpy as np
import pandas as pd
import yaml
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import label_ranking_average_precision_score, top_k_accuracy_score
from sklearn.preprocessing import normalize

NEIGHBOURS = 10


def scores(results, setting, system, query, target):
    """By measure and metric, of documents in the first repetition; nothing of cr5 is used."""
    found = [_embedded(results, setting, system, x) for x in (query, target)]
    wanted = _queries(results, query, target)
    bank = found[0].loc[_trained(results, setting, query)].to_numpy().astype(np.float16)
    Q, C = found[0].loc[wanted].to_numpy(), found[1].loc[_candidates(results, target)]
    answers = C.index.get_indexer(wanted)
    cosine = Q @ C.to_numpy().T
    hubs = _mean_of_nearest(C.to_numpy() @ bank.T.astype(float))
    own = _mean_of_nearest(cosine)
    similarities = {"cosine": cosine, "csls": 2 * cosine - own[:, None] - hubs}
    return {name: _metrics(found, answers) for name, found in similarities.items()}


def _embedded(results, setting, system, language):
    """Documents' unit embeddings, by concept."""
    counts, documents = _bags(results, language)
    rows = documents.isin(_trained(results, setting, language))
    counts = counts[:, _vocabulary(results, language, counts[rows])]
    weigh = TfidfTransformer(smooth_idf=False).fit(counts[rows])
    table = np.load(results / "models" / setting / system / "1" / "tables" / f"{language}.npy")
    embedded = weigh.transform(counts) @ table.astype(float)
    return pd.DataFrame(normalize(embedded), index=documents)


def _trained(results, setting, language):
    trained = pd.read_parquet(results / "settings" / setting / "1.parquet")
    return trained.loc[trained["language"] == language, "concept"]


def _vocabulary(results, language, trained):
    """Columns of the words in enough training documents; those that occur most often come first."""
    rules = yaml.safe_load((results / "config.yaml").read_text())["bags"]
    words = pd.read_parquet(results / "bags" / language / "words.parquet", columns=["word"])
    words["documents"] = np.asarray((trained > 0).sum(axis=0)).ravel()
    words["times"] = np.asarray(trained.sum(axis=0)).ravel()
    kept = words[words["documents"] >= rules["min_documents"]]
    ordered = kept.sort_values(["times", "word"], ascending=[False, True])
    return ordered.index[: rules["max_words"]]


def _bags(results, language):
    folder = results / "bags" / language
    counts = sparse.load_npz(folder / "counts.npz").tocsr()
    return counts, pd.Index(pd.read_parquet(folder / "documents.parquet")["concept"])


def _queries(results, query, target):
    queries = pd.read_parquet(results / "draws" / "1" / "queries.parquet")
    pair = queries["first"].isin([query, target]) & queries["second"].isin([query, target])
    return queries.loc[pair & (queries["role"] == "test"), "concept"]


def _candidates(results, language):
    candidates = pd.read_parquet(results / "draws" / "1" / "candidates.parquet")
    return candidates.loc[candidates["language"] == language, "concept"]


def _mean_of_nearest(similarities):
    return np.sort(similarities, axis=1)[:, -NEIGHBOURS:].mean(axis=1)


def _metrics(similarities, answers):
    labels = np.arange(similarities.shape[1])
    one_hot = labels == answers[:, None]
    found = {
        f"Success@{k}": top_k_accuracy_score(answers, similarities, k=k, labels=labels)
        for k in (1, 5, 10)
    }
    return found | {"RR": label_ranking_average_precision_score(one_hot, similarities)}
